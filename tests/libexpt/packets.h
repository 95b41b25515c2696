/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments with handwritten packets, for tests of their readers. */
#ifndef TESTS_LIBEXPT_PACKETS_H
#define TESTS_LIBEXPT_PACKETS_H

#include "libexpt/experiment/handle.h"
#include "libexpt/format.h"
#include "tests/libexpt/test.h"

#define START_NS UINT64_C(5000000000)

/* A log that declares clock packets as the collector writes them, a text, and old clock
 * packets. */
static const char packets_log[] =
	"<process wsize=\"64\"></process>\n"
	"<profile name=\"profile\" ptimer=\"10000\" numstates=\"2\">\n"
	"<profdata fname=\"profile\"/>\n"
	"<profpckt kind=\"8\" uname=\"Clock profiling data\">\n"
	"<field name=\"LWPID\" offset=\"8\" type=\"INT64\"/>\n"
	"<field name=\"THRID\" offset=\"16\" type=\"INT64\"/>\n"
	"<field name=\"CPUID\" offset=\"24\" type=\"INT32\"/>\n"
	"<field name=\"TSTAMP\" offset=\"32\" type=\"UINT64\"/>\n"
	"<field name=\"FRINFO\" offset=\"40\" type=\"UINT64\"/>\n"
	"<field name=\"MSTATE\" offset=\"48\" type=\"INT32\"/>\n"
	"<field name=\"NTICK\" offset=\"52\" type=\"INT32\"/>\n"
	"<field name=\"WHAT\" offset=\"56\" type=\"STRING\"/>\n"
	"</profpckt>\n"
	"<profpckt kind=\"1\">\n"
	"<field name=\"THRID\" offset=\"16\" type=\"INT64\"/>\n"
	"<field name=\"TSTAMP\" offset=\"32\" type=\"UINT64\"/>\n"
	"<field name=\"UCPU\" offset=\"48\" type=\"INT32\"/>\n"
	"<field name=\"SCPU\" offset=\"52\" type=\"INT32\"/>\n"
	"<field name=\"TSTP\" offset=\"56\" type=\"INT32\"/>\n"
	"</profpckt>\n"
	"</profile>\n"
	"<event kind=\"run\" tstamp=\"5.000000000\" time=\"1700000000\" "
	"tm_zone=\"0\"/>\n";

static struct {
	unsigned char bytes[1 << 20];
	size_t size;
} file;

static inline void put(const void *bytes, size_t size)
{
	if (size)
		memcpy(file.bytes + file.size, bytes, size);
	file.size += size;
}

static inline void put_u32(uint32_t value)
{
	put(&value, sizeof(value));
}

static inline void put_u64(uint64_t value)
{
	put(&value, sizeof(value));
}

static inline void put_zeros_to(size_t offset)
{
	memset(file.bytes + file.size, 0, offset - file.size);
	file.size = offset;
}

static inline void put_head(unsigned size, unsigned type)
{
	struct packet_head head = { (uint16_t)size, (uint16_t)type };

	put(&head, sizeof(head));
}

/* Put a clock packet of the thread, that many milliseconds after the start. */
static inline void put_clock(unsigned milliseconds, int64_t thread)
{
	struct clock_packet packet = {
		.head = {
			.packet = { sizeof(packet), PACKET_CLOCK },
			.lwp = thread + 1,
			.thread = thread,
			.cpu = 3,
			.time_ns = START_NS + milliseconds * UINT64_C(1000000),
			.stack = 77,
		},
		.state = EXPT_STATE_SYSTEM,
		.ticks = 2,
	};

	put(&packet, sizeof(packet));
}

/* Write the packets to a file of test.1.er and open that. */
static inline struct expt *open_with(const char *name)
{
	struct expt_error err;
	struct expt *expt;
	char path[100];

	make_directory("test.1.er");
	write_text("test.1.er/log.xml", packets_log);
	snprintf(path, sizeof(path), "test.1.er/%s", name);
	write_bytes(path, file.bytes, file.size);
	if (expt_open(&expt, "test.1.er", &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(expt_damage_count(expt), 0);
	return expt;
}

static inline int start_afresh(void **state)
{
	file.size = 0;
	remove_all("test.1.er");
	return 0;
}

#endif
