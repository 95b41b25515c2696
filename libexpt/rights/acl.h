/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ACLs, as extended attributes hold them. Of a file with an ACL the group's bits of the
 * mode are the mask of all that the ACL allows: the mode alone allows the group more.
 */
#ifndef LIBEXPT_RIGHTS_ACL_H
#define LIBEXPT_RIGHTS_ACL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define ACL_ACCESS  "system.posix_acl_access"
#define ACL_DEFAULT "system.posix_acl_default"

/* What of S_IRWXG the owning group has by an ACL. */
mode_t acl_group_bits(const void *acl, size_t size);

/* The rights to an open file or directory. Those of its owner do not count: he can change
 * them. */
struct acl_rights {
	mode_t plain;	 /* the mode for a copy that gets no ACL */
	mode_t everyone; /* bits of S_IRWXO that no entry and no bit of the mode denies */
	bool has_acl;	 /* the group's bits of the mode are a mask */
};

/* Set the mode of a new file. If not everyone can read it then, an ACL that it has
 * inherited gives rights to no other users. 0 or a negative errno. */
int acl_set_mode(int fd, mode_t mode);

/* mode is that of the file, which may have been opened with O_PATH. */
void acl_read(struct acl_rights *rights, int fd, mode_t mode);

#endif
