/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/rights/acl.h"

#include <endian.h>
#include <errno.h>
#include <linux/limits.h>
#include <stdint.h>
#include <stdio.h>
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
enum { ACL_HEAD = 4 };
enum { ACL_USER = 0x02, ACL_GROUP = 0x04, ACL_NAMED_GROUP = 0x08, ACL_MASK = 0x10 };

struct acl_bits {
	unsigned group, mask, named; /* named: what all named users and groups have */
};

static struct acl_bits parse(const void *acl, size_t size)
{
	struct acl_bits bits = { .mask = 7, .named = 7 };

	for (size_t at = ACL_HEAD; at + sizeof(struct acl_entry) <= size;
	     at += sizeof(struct acl_entry)) {
		struct acl_entry entry;
		unsigned permissions;

		memcpy(&entry, (const char *)acl + at, sizeof(entry));
		permissions = le16toh(entry.permissions);
		if (le16toh(entry.tag) == ACL_GROUP)
			bits.group = permissions;
		if (le16toh(entry.tag) == ACL_MASK)
			bits.mask = permissions;
		if (le16toh(entry.tag) == ACL_USER ||
		    le16toh(entry.tag) == ACL_NAMED_GROUP)
			bits.named &= permissions;
	}
	return bits;
}

mode_t acl_group_bits(const void *acl, size_t size)
{
	struct acl_bits bits = parse(acl, size);

	return (bits.group & bits.mask & 7) << 3;
}

/* The ACL of a descriptor opened with O_PATH can be read only through /proc. */
static ssize_t read_acl(int fd, void *acl, size_t size)
{
	ssize_t got = fgetxattr(fd, ACL_ACCESS, acl, size);
	char path[64];

	if (got >= 0 || errno != EBADF)
		return got;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return getxattr(path, ACL_ACCESS, acl, size);
}

/* An ACL that cannot be read is assumed to give rights to the owner only. */
static void read_entries(struct acl_rights *rights, int fd, mode_t mode)
{
	cleanup_free char *acl = malloc(XATTR_SIZE_MAX);
	ssize_t size = acl ? read_acl(fd, acl, XATTR_SIZE_MAX) : -1;
	struct acl_bits bits;

	*rights =
		(struct acl_rights){ .plain = mode & ~(mode_t)S_IRWXG, .has_acl = true };
	if (size < 0)
		return;
	bits = parse(acl, (size_t)size);
	rights->plain |= (bits.group & bits.mask & 7) << 3;
	rights->everyone = bits.group & bits.named & bits.mask & mode & S_IRWXO;
}

void acl_read(struct acl_rights *rights, int fd, mode_t mode)
{
	ssize_t size = read_acl(fd, NULL, 0);

	if (size == 0 || (size < 0 && (errno == ENODATA || errno == EOPNOTSUPP)))
		*rights = (struct acl_rights){ .plain = mode,
					       .everyone = mode & mode >> 3 & S_IRWXO };
	else
		read_entries(rights, fd, mode);
}

/* If the ACL cannot be removed, the mode must deny everything that it allows. */
static mode_t without_acl(int fd, mode_t mode)
{
	if (!(mode & S_IRWXG) || (mode & S_IROTH) || fremovexattr(fd, ACL_ACCESS) == 0 ||
	    errno == ENODATA || errno == EOPNOTSUPP)
		return mode;
	return mode & S_IRWXU;
}

int acl_set_mode(int fd, mode_t mode)
{
	return fchmod(fd, without_acl(fd, mode)) < 0 ? -errno : 0;
}
