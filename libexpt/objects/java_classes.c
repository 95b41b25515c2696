/* SPDX-License-Identifier: Apache-2.0 */
/* The jclasses file: classes that a Java machine loaded, and their methods. */
#include <errno.h>
#include <inttypes.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/common/error.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/packets.h"
#include "libexpt/format.h"

struct expt_classes {
	struct packet_file file;
	bool is_open;
};

/* Get a string, and advance *next past its padding; false if the string does not end in
 * the packet. */
static bool take_text(const char **text, size_t *length, const unsigned char **next,
		      const unsigned char *end)
{
	size_t left = (size_t)(end - *next), size;

	*text = (const char *)*next;
	*length = strnlen(*text, left);
	if (*length == left)
		return false;
	size = (*length + 4) / 4 * 4; /* the NUL, and zeros up to a multiple of 4 */
	*next += size < left ? size : left;
	return true;
}

static_assert(sizeof(struct expt_class_line) == sizeof(struct java_line),
	      "lines are handed out as they are");

static bool take_lines(struct expt_class *class, const struct packet *packet)
{
	const struct java_packet *head = (const void *)packet->bytes;

	/* Packets are aligned in files that the collector has written. */
	if (packet->size < sizeof(*head) ||
	    (uintptr_t)packet->bytes % alignof(struct java_line) != 0)
		return false;
	*class = (struct expt_class){
		.kind = EXPT_CLASS_LINES,
		.class_id = read_u64(packet->bytes + 8),
		.method_id = read_u64(packet->bytes + 16),
		.name = "",
		.detail = "",
		.lines = (const void *)(packet->bytes + sizeof(*head)),
		.line_count = (packet->size - sizeof(*head)) / sizeof(struct java_line),
	};
	return true;
}

static bool take_class(struct expt_class *class, const struct packet *packet,
		       uint64_t start_ns)
{
	const struct java_packet *head = (const void *)packet->bytes;
	size_t texts = packet->type == PACKET_JAVA_LOCATION
			       ? offsetof(struct java_packet, time_or_method)
			       : sizeof(*head);
	const unsigned char *next = packet->bytes + texts;
	uint64_t second = 0;

	if (packet->type == PACKET_JAVA_LINES)
		return take_lines(class, packet);
	if (packet->size <= texts)
		return false;
	*class = (struct expt_class){ .class_id = read_u64(packet->bytes + 8) };
	if (texts == sizeof(*head))
		second = read_u64(packet->bytes + 16);
	if (packet->type == PACKET_JAVA_CLASS) {
		class->kind = EXPT_CLASS;
		class->time_ns = second > start_ns ? second - start_ns : 0;
	} else {
		class->kind = packet->type == PACKET_JAVA_METHOD ? EXPT_CLASS_METHOD
								 : EXPT_CLASS_LOCATION;
		class->method_id = second;
	}
	return take_text(&class->name, &class->name_length, &next,
			 packet->bytes + packet->size) &&
	       take_text(&class->detail, &class->detail_length, &next,
			 packet->bytes + packet->size);
}

static bool is_java(uint32_t type)
{
	return type == PACKET_JAVA_CLASS || type == PACKET_JAVA_METHOD ||
	       type == PACKET_JAVA_LOCATION || type == PACKET_JAVA_LINES;
}

int expt_classes_open(struct expt_classes **out, struct expt *expt,
		      struct expt_error *err)
{
	struct expt_classes *classes = calloc(1, sizeof(*classes));
	int rc;

	if (!classes)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", JCLASSES_FILE);
	rc = packet_file_open(&classes->file, expt, JCLASSES_FILE, err);
	if (rc == 0)
		rc = packet_file_open(&classes->file, expt, JCLASSES_FILE_SUN, err);
	if (rc < 0) {
		free(classes);
		return rc;
	}
	classes->is_open = rc > 0;
	*out = classes;
	return 0;
}

int expt_classes_next(struct expt_classes *classes, struct expt_class *class,
		      struct expt_error *err)
{
	struct packet packet;
	int rc;

	if (!classes->is_open)
		return 0;
	while ((rc = packet_file_next(&classes->file, &packet, err)) > 0) {
		struct expt *expt = classes->file.expt;

		if (!is_java(packet.type))
			continue;
		if (take_class(class, &packet, expt_info(expt)->start_ns))
			return 1;
		expt_add_damage(expt, "%s: offset %" PRIu64 ": the packet is too short",
				classes->file.name, packet.offset);
	}
	return rc;
}

void expt_classes_close(struct expt_classes *classes)
{
	if (!classes)
		return;
	if (classes->is_open)
		packet_file_close(&classes->file);
	free(classes);
}
