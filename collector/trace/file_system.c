/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/trace/file_system.h"

#include <linux/magic.h>
#include <stdatomic.h>
#include <sys/vfs.h>

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/process/guard.h"

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
