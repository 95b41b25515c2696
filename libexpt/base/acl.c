/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/acl.h"

#include <endian.h>
#include <errno.h>
#include <linux/limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "libexpt/base/cleanup.h"

/* A version and the entries, little-endian. */
struct acl_entry {
	uint16_t tag, permissions;
	uint32_t id;
};
enum { ACL_HEAD = 4, ACL_GROUP = 0x04, ACL_MASK = 0x10 };

mode_t acl_group_bits(const void *acl, size_t size)
{
	unsigned group = 0, mask = 7;

	for (size_t at = ACL_HEAD; at + sizeof(struct acl_entry) <= size;
	     at += sizeof(struct acl_entry)) {
		struct acl_entry entry;

		memcpy(&entry, (const char *)acl + at, sizeof entry);
		if (le16toh(entry.tag) == ACL_GROUP)
			group = le16toh(entry.permissions);
		if (le16toh(entry.tag) == ACL_MASK)
			mask = le16toh(entry.permissions);
	}
	return (group & mask & 7) << 3;
}

/* An ACL that cannot be read allows the group nothing. */
mode_t acl_plain_mode(int fd, mode_t mode)
{
	ssize_t size = fgetxattr(fd, ACL_ACCESS, NULL, 0);
	cleanup_free char *acl = NULL;

	if (size == 0 || (size < 0 && (errno == ENODATA || errno == EOPNOTSUPP)))
		return mode;
	acl = malloc(XATTR_SIZE_MAX);
	size = acl ? fgetxattr(fd, ACL_ACCESS, acl, XATTR_SIZE_MAX) : 0;
	mode &= ~(mode_t)S_IRWXG;
	return size > 0 ? mode | acl_group_bits(acl, (size_t)size) : mode;
}
