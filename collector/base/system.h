/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls made directly: they keep errno, bypass every wrapper (the collector's
 * included), and are safe in a signal handler. All return the kernel's value: a negative
 * errno on failure.
 */
#ifndef COLLECTOR_BASE_SYSTEM_H
#define COLLECTOR_BASE_SYSTEM_H

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#ifndef __x86_64__
#error "system calls are written down for x86-64 only"
#endif

#define NS_PER_SECOND UINT64_C(1000000000)

/* 0 for times before 1970. */
static inline uint64_t timespec_ns(const struct timespec *time)
{
	return time->tv_sec < 0
		       ? 0
		       : (uint64_t)time->tv_sec * NS_PER_SECOND + (uint64_t)time->tv_nsec;
}

static inline long system_call(long number, long a, long b, long c, long d, long e,
			       long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline pid_t sys_getpid(void)
{
	return (pid_t)system_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static inline pid_t sys_gettid(void)
{
	return (pid_t)system_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static inline int sys_openat(int directory, const char *path, int flags, mode_t mode)
{
	return (int)system_call(SYS_openat, directory, (long)path, flags, mode, 0, 0);
}

static inline int sys_close(int fd)
{
	return (int)system_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline int sys_mkdirat(int directory, const char *path, mode_t mode)
{
	return (int)system_call(SYS_mkdirat, directory, (long)path, mode, 0, 0, 0);
}

static inline ssize_t sys_read(int fd, void *buffer, size_t size)
{
	return system_call(SYS_read, fd, (long)buffer, (long)size, 0, 0, 0);
}

static inline ssize_t sys_pread(int fd, void *buffer, size_t size, off_t offset)
{
	return system_call(SYS_pread64, fd, (long)buffer, (long)size, offset, 0, 0);
}

static inline ssize_t sys_pwrite(int fd, const void *buffer, size_t size, off_t offset)
{
	return system_call(SYS_pwrite64, fd, (long)buffer, (long)size, offset, 0, 0);
}

/* The pieces are struct iovec. */
static inline ssize_t sys_pwritev(int fd, const struct iovec *pieces, size_t count,
				  off_t offset)
{
	return system_call(SYS_pwritev, fd, (long)pieces, (long)count, offset, 0, 0);
}

static inline int sys_fallocate(int fd, off_t offset, off_t size)
{
	return (int)system_call(SYS_fallocate, fd, 0, offset, size, 0, 0);
}

static inline int sys_ftruncate(int fd, off_t size)
{
	return (int)system_call(SYS_ftruncate, fd, size, 0, 0, 0, 0);
}

static inline int sys_fstat(int fd, struct stat *status)
{
	return (int)system_call(SYS_fstat, fd, (long)status, 0, 0, 0, 0);
}

static inline int sys_stat(const char *path, struct stat *status)
{
	return (int)system_call(SYS_stat, (long)path, (long)status, 0, 0, 0, 0);
}

static inline int sys_access(const char *path, int mode)
{
	return (int)system_call(SYS_access, (long)path, mode, 0, 0, 0, 0);
}

/* Returns 0 if files may be created in that directory. */
static inline int sys_may_write(int directory)
{
	return (int)system_call(SYS_faccessat2, directory, (long)".", W_OK | X_OK,
				AT_EACCESS, 0, 0);
}

static inline int sys_renameat(int directory, const char *from, const char *to)
{
	return (int)system_call(SYS_renameat2, directory, (long)from, directory, (long)to,
				1 /* RENAME_NOREPLACE */, 0);
}

static inline int sys_fcntl(int fd, int command, long argument)
{
	return (int)system_call(SYS_fcntl, fd, command, argument, 0, 0, 0);
}

/* NULL on failure: no caller can use the reason. */
static inline void *sys_mmap(size_t size, int protection, int flags, int fd, off_t offset)
{
	long result = system_call(SYS_mmap, 0, (long)size, protection, flags, fd, offset);

	return result < 0 && result > -4096 ? NULL : (void *)result;
}

static inline int sys_munmap(void *address, size_t size)
{
	return (int)system_call(SYS_munmap, (long)address, (long)size, 0, 0, 0, 0);
}

static inline int sys_mprotect(void *address, size_t size, int protection)
{
	return (int)system_call(SYS_mprotect, (long)address, (long)size, protection, 0, 0,
				0);
}

static inline int sys_madvise(void *address, size_t size, int advice)
{
	return (int)system_call(SYS_madvise, (long)address, (long)size, advice, 0, 0, 0);
}

/* The kernel's signal mask is a single word. */
static inline int sys_sigmask(int how, const uint64_t *set, uint64_t *old)
{
	return (int)system_call(SYS_rt_sigprocmask, how, (long)set, (long)old,
				sizeof(*set), 0, 0);
}

static inline int sys_tgkill(pid_t pid, pid_t tid, int signal)
{
	return (int)system_call(SYS_tgkill, pid, tid, signal, 0, 0, 0);
}

static inline int sys_getrusage(int who, struct rusage *usage)
{
	return (int)system_call(SYS_getrusage, who, (long)usage, 0, 0, 0, 0);
}

static inline int sys_get_limit(int resource, struct rlimit *limit)
{
	return (int)system_call(SYS_prlimit64, 0, resource, 0, (long)limit, 0, 0);
}

static inline int sys_clock_gettime(clockid_t clock, struct timespec *time)
{
	return (int)system_call(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
}

/* 0: the clock cannot be read. */
static inline uint64_t sys_clock_ns(clockid_t clock)
{
	struct timespec time = { 0 };

	sys_clock_gettime(clock, &time);
	return timespec_ns(&time);
}

/* Less than a second. With nanosleep(2) the kernel would forget how to continue a sleep
 * of the program that a debugger has stopped. */
static inline void sys_sleep(long ns)
{
	struct timespec time = { 0, ns };

	system_call(SYS_ppoll, 0, 0, (long)&time, 0, 0, 0);
}

static inline void sys_yield(void)
{
	system_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

/* Not libc's memcpy(): a sanitizer in the program may interpose it, and must not run in a
 * handler. */
static inline void copy_bytes(void *to, const void *from, size_t size)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

static inline void clear_bytes(void *bytes, size_t size)
{
	__asm__ volatile("rep stosb" : "+D"(bytes), "+c"(size) : "a"(0) : "memory");
}

/* Map a signal number to its bit in the kernel's mask. */
#define SIGNAL_BIT(signal) (UINT64_C(1) << ((signal)-1))

#endif
