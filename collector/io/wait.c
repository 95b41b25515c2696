/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting until descriptors are ready. */

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "collector/io/io.h"

#define OTHER(...)    IO_OTHER(-1, int, __VA_ARGS__)
#define OTHER_FD(...) IO_OTHER(fd, int, __VA_ARGS__)

OTHER(poll, "GLIBC_2.2.5", (struct pollfd * fds, nfds_t count, int timeout),
      (fds, count, timeout))
OTHER(__poll, "GLIBC_2.2.5", (struct pollfd * fds, nfds_t count, int timeout),
      (fds, count, timeout))
OTHER(__poll_chk, "GLIBC_2.16",
      (struct pollfd * fds, nfds_t count, int timeout, size_t room),
      (fds, count, timeout, room))
OTHER(ppoll, "GLIBC_2.4",
      (struct pollfd * fds, nfds_t count, const struct timespec *timeout,
       const sigset_t *mask),
      (fds, count, timeout, mask))
OTHER(__ppoll_chk, "GLIBC_2.16",
      (struct pollfd * fds, nfds_t count, const struct timespec *timeout,
       const sigset_t *mask, size_t room),
      (fds, count, timeout, mask, room))
OTHER(select, "GLIBC_2.2.5",
      (int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout),
      (count, reads, writes, others, timeout))
OTHER(__select, "GLIBC_2.2.5",
      (int count, fd_set *reads, fd_set *writes, fd_set *others, struct timeval *timeout),
      (count, reads, writes, others, timeout))
OTHER(pselect, "GLIBC_2.2.5",
      (int count, fd_set *reads, fd_set *writes, fd_set *others,
       const struct timespec *timeout, const sigset_t *mask),
      (count, reads, writes, others, timeout, mask))

OTHER_FD(epoll_ctl, "GLIBC_2.3.2",
	 (int fd, int operation, int watched, struct epoll_event *event),
	 (fd, operation, watched, event))
OTHER_FD(epoll_wait, "GLIBC_2.3.2",
	 (int fd, struct epoll_event *events, int limit, int timeout),
	 (fd, events, limit, timeout))
OTHER_FD(epoll_pwait, "GLIBC_2.6",
	 (int fd, struct epoll_event *events, int limit, int timeout,
	  const sigset_t *mask),
	 (fd, events, limit, timeout, mask))
OTHER_FD(epoll_pwait2, "GLIBC_2.35",
	 (int fd, struct epoll_event *events, int limit, const struct timespec *timeout,
	  const sigset_t *mask),
	 (fd, events, limit, timeout, mask))
