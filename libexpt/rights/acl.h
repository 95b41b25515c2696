/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ACLs, as extended attributes hold them. If a file has an ACL, the group's bits of its
 * mode are the mask of everything that the ACL allows: without the ACL, the same mode
 * would give the group more rights.
 */
#ifndef LIBEXPT_RIGHTS_ACL_H
#define LIBEXPT_RIGHTS_ACL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define ACL_ACCESS  "system.posix_acl_access"
#define ACL_DEFAULT "system.posix_acl_default"

/* Returns the bits of S_IRWXG that an ACL gives the owning group. */
mode_t acl_group_bits(const void *acl, size_t size);

/* The rights to an open file or directory. The owner's do not count, as he can change
 * them. */
struct acl_rights {
	mode_t plain;	 /* the mode for a copy that gets no ACL */
	mode_t everyone; /* bits of S_IRWXO that no entry and no bit of the mode denies */
	bool has_acl;	 /* the group's bits of the mode are a mask */
};

/* Set the mode of a new file. Unless everyone can read it then, no ACL that it has
 * inherited gives rights to other users. 0 or a negative errno. */
int acl_set_mode(int fd, mode_t mode);

/* Get the rights to a file of this mode. fd may have been opened with O_PATH. */
void acl_read(struct acl_rights *rights, int fd, mode_t mode);

#endif
