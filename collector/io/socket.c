/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets. */

#include <sys/socket.h>

#include "collector/io/io.h"

#define READ(...)  IO_TRANSFER(EXPT_IO_READ, fd, ssize_t, __VA_ARGS__)
#define WRITE(...) IO_TRANSFER(EXPT_IO_WRITE, fd, ssize_t, __VA_ARGS__)
#define OTHER(...) IO_OTHER(fd, int, __VA_ARGS__)
#define NEW(...)   IO_NEW(0, EXPT_FS_SOCKET, __VA_ARGS__)

NEW(socket, "GLIBC_2.2.5", (int domain, int type, int protocol), (domain, type, protocol))
NEW(accept, "GLIBC_2.2.5", (int fd, struct sockaddr *address, socklen_t *size),
    (fd, address, size))
NEW(accept4, "GLIBC_2.10", (int fd, struct sockaddr *address, socklen_t *size, int flags),
    (fd, address, size, flags))

/* One event, as with pipe(2). */
IO_WRAPPER(int, socketpair, (int domain, int type, int protocol, int ends[2]))
{
	IO_REAL(socketpair, "GLIBC_2.2.5", int, (int, int, int, int *));
	uint64_t begun = trace_now();
	int result = real(domain, type, protocol, ends);

	io_end_new(begun, result == 0 ? ends[0] : -1, 0, EXPT_FS_SOCKET);
	return result;
}

OTHER(connect, "GLIBC_2.2.5", (int fd, const struct sockaddr *address, socklen_t size),
      (fd, address, size))
OTHER(__connect, "GLIBC_2.2.5", (int fd, const struct sockaddr *address, socklen_t size),
      (fd, address, size))
OTHER(bind, "GLIBC_2.2.5", (int fd, const struct sockaddr *address, socklen_t size),
      (fd, address, size))
OTHER(listen, "GLIBC_2.2.5", (int fd, int backlog), (fd, backlog))
OTHER(shutdown, "GLIBC_2.2.5", (int fd, int how), (fd, how))
OTHER(getsockname, "GLIBC_2.2.5", (int fd, struct sockaddr *address, socklen_t *size),
      (fd, address, size))
OTHER(getpeername, "GLIBC_2.2.5", (int fd, struct sockaddr *address, socklen_t *size),
      (fd, address, size))
OTHER(getsockopt, "GLIBC_2.2.5",
      (int fd, int level, int option, void *value, socklen_t *size),
      (fd, level, option, value, size))
OTHER(setsockopt, "GLIBC_2.2.5",
      (int fd, int level, int option, const void *value, socklen_t size),
      (fd, level, option, value, size))

/* ---- messages ---- */

WRITE(send, "GLIBC_2.2.5", (int fd, const void *buffer, size_t size, int flags),
      (fd, buffer, size, flags))
WRITE(__send, "GLIBC_2.2.5", (int fd, const void *buffer, size_t size, int flags),
      (fd, buffer, size, flags))
WRITE(sendto, "GLIBC_2.2.5",
      (int fd, const void *buffer, size_t size, int flags, const struct sockaddr *address,
       socklen_t address_size),
      (fd, buffer, size, flags, address, address_size))
WRITE(sendmsg, "GLIBC_2.2.5", (int fd, const struct msghdr *message, int flags),
      (fd, message, flags))
READ(recv, "GLIBC_2.2.5", (int fd, void *buffer, size_t size, int flags),
     (fd, buffer, size, flags))
READ(__recv_chk, "GLIBC_2.4", (int fd, void *buffer, size_t size, size_t room, int flags),
     (fd, buffer, size, room, flags))
READ(recvfrom, "GLIBC_2.2.5",
     (int fd, void *buffer, size_t size, int flags, struct sockaddr *address,
      socklen_t *address_size),
     (fd, buffer, size, flags, address, address_size))
READ(__recvfrom_chk, "GLIBC_2.4",
     (int fd, void *buffer, size_t size, size_t room, int flags, struct sockaddr *address,
      socklen_t *address_size),
     (fd, buffer, size, room, flags, address, address_size))
READ(recvmsg, "GLIBC_2.2.5", (int fd, struct msghdr *message, int flags),
     (fd, message, flags))

/* The calls return the number of messages, not of bytes. */
static int64_t bytes_of(const struct mmsghdr *messages, int count)
{
	int64_t bytes = 0;

	for (int i = 0; i < count; i++)
		bytes += messages[i].msg_len;
	return count < 0 ? -1 : bytes;
}

#define MESSAGES(what, symbol, version, parameters, arguments)               \
	IO_WRAPPER(int, symbol, parameters)                                  \
	{                                                                    \
		IO_REAL(symbol, version, int, parameters);                   \
		uint64_t begun = trace_now();                                \
		int count = real arguments;                                  \
                                                                             \
		io_end_transfer(begun, what, fd, bytes_of(messages, count)); \
		return count;                                                \
	}

MESSAGES(EXPT_IO_WRITE, sendmmsg, "GLIBC_2.14",
	 (int fd, struct mmsghdr *messages, unsigned limit, int flags),
	 (fd, messages, limit, flags))
MESSAGES(EXPT_IO_READ, recvmmsg, "GLIBC_2.12",
	 (int fd, struct mmsghdr *messages, unsigned limit, int flags,
	  struct timespec *timeout),
	 (fd, messages, limit, flags, timeout))
