/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ACLs, as extended attributes hold them. Of a file with an ACL the group's bits of the mode are the mask of
 * all that the ACL allows: the mode alone allows the group more.
 */
#ifndef LIBEXPT_BASE_ACL_H
#define LIBEXPT_BASE_ACL_H

#include <stddef.h>
#include <sys/types.h>

#define ACL_ACCESS  "system.posix_acl_access"
#define ACL_DEFAULT "system.posix_acl_default"

/* What of S_IRWXG the owning group has by an ACL. */
mode_t acl_group_bits(const void *acl, size_t size);
/* The mode for a copy of the open file that gets no ACL; mode is that of the file. */
mode_t acl_plain_mode(int fd, mode_t mode);

#endif
