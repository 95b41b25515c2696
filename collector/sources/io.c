/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: calls on descriptors and streams. Its wrappers are in a library of their
 * own. */

#include "collector/sources/io.h"

#include <linux/magic.h>
#include <stdatomic.h>
#include <sys/vfs.h>

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "collector/files/files.h"
#include "collector/process/guard.h"
#include "collector/trace/trace.h"
#include "libexpt/format.h"

/* ---- file systems ---- */

#ifndef NFS_SUPER_MAGIC
#define NFS_SUPER_MAGIC 0x6969
#endif
#define PIPE_MAGIC 0x50495045
#define UFS_MAGIC  0x00011954

static enum expt_file_system of_magic(unsigned long magic)
{
	static const struct {
		unsigned long magic;
		enum expt_file_system file_system;
	} known[] = {
		{ EXT4_SUPER_MAGIC, EXPT_FS_EXT4 }, /* ext2 and ext3 have the same */
		{ TMPFS_MAGIC, EXPT_FS_TMPFS },
		{ PROC_SUPER_MAGIC, EXPT_FS_PROC },
		{ NFS_SUPER_MAGIC, EXPT_FS_NFS },
		{ PIPE_MAGIC, EXPT_FS_FIFO },
		{ SOCKFS_MAGIC, EXPT_FS_SOCKET },
		{ MSDOS_SUPER_MAGIC, EXPT_FS_FAT },
		{ ISOFS_SUPER_MAGIC, EXPT_FS_ISO9660 },
		{ UDF_SUPER_MAGIC, EXPT_FS_UDF },
		{ UFS_MAGIC, EXPT_FS_UFS },
		{ AUTOFS_SUPER_MAGIC, EXPT_FS_AUTOFS },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].magic == magic)
			return known[i].file_system;
	return EXPT_FS_UNKNOWN;
}

static enum expt_file_system ask(int fd)
{
	struct statfs status;

	if (collector_is_frozen() ||
	    system_call(SYS_fstatfs, fd, (long)&status, 0, 0, 0, 0) < 0)
		return EXPT_FS_UNKNOWN;
	return of_magic((unsigned long)status.f_type);
}

/* By the hash of the name: its upper bits, and in the last ones what it is. Of two names
 * of one place the latter stays. */
#define REMEMBERED  1024
#define SYSTEM_BITS 6
#define SYSTEM_MASK ((UINT64_C(1) << SYSTEM_BITS) - 1)
MEMORY_APART static _Atomic uint64_t remembered[REMEMBERED];
static _Atomic uint64_t generation;

static uint64_t hash_of(const char *name)
{
	uint64_t hash = atomic_load_explicit(&generation, memory_order_relaxed) +
			STACK_INFO_UID_START;

	for (; *name != '\0'; name++)
		hash = (hash + (unsigned char)*name) * STACK_UID_FACTOR;
	return hash ^ hash >> 32;
}

enum expt_file_system trace_file_system(int fd, const char *name)
{
	uint64_t hash, known;
	_Atomic uint64_t *place;

	if (!name)
		return ask(fd);
	hash = hash_of(name);
	place = &remembered[hash >> SYSTEM_BITS & (REMEMBERED - 1)];
	known = atomic_load_explicit(place, memory_order_relaxed);
	if (known == 0 || (known ^ hash) & ~SYSTEM_MASK) {
		known = (hash & ~SYSTEM_MASK) | ask(fd);
		atomic_store_explicit(place, known, memory_order_relaxed);
	}
	return (enum expt_file_system)(known & SYSTEM_MASK);
}

void trace_forget_file_systems(void)
{
	atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
}

/* ---- the kind of data ---- */

static void describe(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "IOTYPE", "Type", "INT32", offsetof(struct io_packet, head.what) },
		{ "IOFD", "File descriptor", "INT32",
		  offsetof(struct io_packet, head.fd) },
		{ "IONBYTE", "Bytes", "INT64", offsetof(struct io_packet, bytes) },
		{ "IORQST", "Requested at", "INT64",
		  offsetof(struct io_packet, requested_ns) },
		{ "IOOFD", "Old file descriptor", "INT32",
		  offsetof(struct io_open_packet, old_fd) },
		{ "IOFSTYPE", "File system", "INT32",
		  offsetof(struct io_open_packet, file_system) },
		{ "IOFNAME", "File", "STRING", offsetof(struct io_open_packet, name) },
	};

	text_add(text, "<profile name=\"iotrace\">\n");
	packet_describe_file(text, IO_FILE);
	packet_describe(text, PACKET_IO, "I/O tracing data", PACKET_TRACE, fields, 4);
	packet_describe(text, PACKET_IO_OPEN, "I/O tracing data of a new descriptor",
			PACKET_TRACE, fields, 7);
	text_add(text, "</profile>\n");
}

static bool is_wanted(void)
{
	return settings.has_io;
}

const struct data_source io_source = {
	.file = IO_FILE,
	.kind = DATA_IO,
	.describe = describe,
	.open = is_wanted,
};
