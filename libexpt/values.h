/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers in records, maps and logs that writers and readers share: recorders get them
 * with format.h, programs with expt.h.
 */
/* clang-format off */
#ifndef LIBEXPT_VALUES_H
#define LIBEXPT_VALUES_H

/* MSTATE of clock packets: what a thread was doing. */
enum expt_thread_state {
	EXPT_STATE_USER = 0, EXPT_STATE_SYSTEM, EXPT_STATE_TRAP, EXPT_STATE_TEXT_FAULT,
	EXPT_STATE_DATA_FAULT, EXPT_STATE_KERNEL_FAULT, EXPT_STATE_USER_LOCK,
	EXPT_STATE_SLEEP, EXPT_STATE_WAIT_CPU, EXPT_STATE_STOPPED,
	EXPT_STATE_LINUX_CPU = 10, EXPT_STATE_KERNEL_CPU = 11,
};

/* HTYPE of heap packets. */
enum expt_heap_call {
	EXPT_HEAP_ALLOCATE = 0, EXPT_HEAP_FREE, EXPT_HEAP_REALLOCATE, EXPT_HEAP_MAP,
	EXPT_HEAP_UNMAP,
	EXPT_HEAP_JAVA,			/* erkit's: a sampled object of Java */
};

/* IOTYPE of I/O packets; failed calls follow in the same order. */
enum expt_io_call {
	EXPT_IO_READ = 0, EXPT_IO_WRITE, EXPT_IO_OPEN, EXPT_IO_CLOSE, EXPT_IO_OTHER,
	EXPT_IO_FAILED,			/* offset added for failed calls */
	EXPT_IO_NAME = 2 * EXPT_IO_FAILED, /* erkit's: no call, but the name of a file
					    * that was opened unseen */
};

/* IOFSTYPE of I/O packets: the file systems that Linux has. */
enum expt_file_system {
	EXPT_FS_NFS = 1, EXPT_FS_UFS = 2, EXPT_FS_UDF = 3, EXPT_FS_TMPFS = 6,
	EXPT_FS_FAT = 7, EXPT_FS_ISO9660 = 8, EXPT_FS_PROC = 9, EXPT_FS_FIFO = 10,
	EXPT_FS_AUTOFS = 13, EXPT_FS_SOCKET = 15, EXPT_FS_EXT2 = 21, EXPT_FS_EXT3 = 22,
	EXPT_FS_EXT4 = 23, EXPT_FS_UNKNOWN = 24,
};

/* States of a thread in OpenMP, in frames. */
enum expt_omp_state {
	EXPT_OMP_NONE = 0, EXPT_OMP_OVERHEAD, EXPT_OMP_WORK, EXPT_OMP_IMPLICIT_BARRIER,
	EXPT_OMP_EXPLICIT_BARRIER, EXPT_OMP_IDLE, EXPT_OMP_SERIAL, EXPT_OMP_REDUCTION,
	EXPT_OMP_LOCK_WAIT, EXPT_OMP_CRITICAL_WAIT, EXPT_OMP_ORDERED_WAIT,
	EXPT_OMP_ATOMIC_WAIT, EXPT_OMP_TASK_WAIT,
};

/* RTYPE of race packets: the access. A redundant one repeats one of the same thread. */
enum expt_access_kind {
	EXPT_ACCESS_WRITE = 0, EXPT_ACCESS_REDUNDANT_WRITE, EXPT_ACCESS_READ,
	EXPT_ACCESS_REDUNDANT_READ,
};

/* DTYPE and DLTYPE of deadlock packets: the lock, and whether threads did wait. */
enum expt_lock_kind { EXPT_LOCK_HELD = 0, EXPT_LOCK_REQUESTED };
enum expt_deadlock_kind { EXPT_DEADLOCK_ACTUAL = 0, EXPT_DEADLOCK_POTENTIAL };

/* Modes of segments in map.xml, combined. */
enum expt_map_mode {
	EXPT_MAP_READ		= 0x001,
	EXPT_MAP_WRITE		= 0x002,
	EXPT_MAP_EXECUTE	= 0x004,
	EXPT_MAP_SHARED		= 0x008,
	EXPT_MAP_LOAD_OBJECT	= 0x005,	/* the modes of load objects */
};

/* Classes of the calls of MPI. */
enum expt_mpi_call {
	EXPT_MPI_OTHER, EXPT_MPI_SEND, EXPT_MPI_RECEIVE, EXPT_MPI_SENDRECEIVE,
	EXPT_MPI_COLLECTIVE, EXPT_MPI_COMPLETION,
	EXPT_MPI_MESSAGE, /* no call: a further message of the one before */
	EXPT_MPI_ONE_SIDED,
};

/* Numbers of cerror, cwarn and comment events in log.xml. */
enum expt_message {
	EXPT_ERROR_NONE			= 0,
	EXPT_ERROR_PARAMETERS_TOO_LONG	= 1,
	EXPT_ERROR_BAD_DIRECTORY	= 2,
	EXPT_ERROR_PARAMETERS_MALFORMED	= 3,
	EXPT_ERROR_NOT_WRITABLE		= 7,
	EXPT_ERROR_CLOCK_INIT		= 9,
	EXPT_ERROR_SYNC_INIT		= 10,
	EXPT_ERROR_EXPERIMENT_OPEN	= 13,
	EXPT_ERROR_SIZE_LIMIT		= 14,	/* issued as a cwarn */
	EXPT_ERROR_OVERVIEW_OPEN	= 16,
	EXPT_ERROR_OVERVIEW_WRITE	= 17,
	EXPT_ERROR_FILE_OPEN		= 22,
	EXPT_ERROR_FILE_RESIZE		= 23,
	EXPT_ERROR_FILE_MAP		= 24,
	EXPT_ERROR_HEAP_INIT		= 25,
	EXPT_ERROR_DISPATCHER_INIT	= 26,
	EXPT_ERROR_TIMER_INIT		= 27,
	EXPT_ERROR_SAMPLING_INIT	= 28,
	EXPT_ERROR_DESCENDANTS_INIT	= 31,
	EXPT_ERROR_DISK_FULL		= 32,
	EXPT_ERROR_MKDIR		= 34,
	EXPT_ERROR_DYNTEXT_OPEN		= 38,
	EXPT_ERROR_DYNTEXT_WRITE	= 39,
	EXPT_ERROR_MAP_OPEN		= 40,
	EXPT_ERROR_MAP_WRITE		= 42,
	EXPT_ERROR_GENERAL		= 47,
	EXPT_ERROR_EXEC			= 48,
	EXPT_ERROR_NO_DATA		= 51,

	EXPT_WARNING_NONE		= 200,
	EXPT_WARNING_INTERVAL_ROUNDED	= 202,
	EXPT_WARNING_SIZE_LIMIT		= 203,
	EXPT_WARNING_HANDLER_REPLACED	= 204,
	EXPT_WARNING_INTERVAL_CHANGED	= 207,
	EXPT_WARNING_ENVIRONMENT	= 211,	/* exec: n variables added */
	EXPT_WARNING_SAMPLE_SIGNAL	= 212,
	EXPT_WARNING_NOT_FOLLOWED	= 217,
	EXPT_WARNING_USER_CHANGE	= 219,
	EXPT_WARNING_GENERAL		= 227,
	EXPT_WARNING_DEADLOCK_TERMINATED = 228,
	EXPT_WARNING_DEADLOCK_ABORTED	= 229,
	EXPT_WARNING_DEADLOCK_CONTINUED	= 230,
	EXPT_WARNING_NO_DATA		= 231,

	EXPT_COMMENT			= 400,
	EXPT_COMMENT_DIRECTORY		= 401,
	EXPT_COMMENT_ARGUMENTS		= 402,
};

/* VADDR of counter packets, if there is no address. */
enum expt_address_code {
	EXPT_ADDRESS_UNSUITABLE		= 1,	/* the kind of event has none */
	EXPT_ADDRESS_INVALID		= 5,	/* 0, or not one of a program */
	EXPT_ADDRESS_CODES		= 256,	/* all codes are smaller */
};

/* <profile memop=>: how a counter's records identify the instruction and its data. */
enum expt_memop {
	EXPT_MEMOP_NONE			= 0,
	EXPT_MEMOP_LOAD			= 1,	/* found by backtracking: a load, ... */
	EXPT_MEMOP_STORE		= 2,	/* ... a store, ... */
	EXPT_MEMOP_EITHER		= 3,	/* ... or either */
	EXPT_MEMOP_COUNT_INSTRUCTION	= 4,
	EXPT_MEMOP_NOT_OF_PROGRAM	= 0x100,
	EXPT_MEMOP_PRECISE		= 0x203,	/* VIRTPC: the instruction ... */
	EXPT_MEMOP_PRECISE_NEXT		= 0x403,	/* ... or the next one */
};

#endif
