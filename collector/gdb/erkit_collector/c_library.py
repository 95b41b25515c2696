# SPDX-License-Identifier: Apache-2.0
"""Run a thread out of the C library and ours, where it may hold locks that the call of dlopen, or
the end of a recording, needs.

A thread that only sleeps in a system call is left where it is: the call is started again
afterwards. One that is in the allocator or in the dynamic loader, for example, or in a handler
that interrupted them, runs on until the outermost function of the C library returns.

So does one that is computing there if gdb cannot put its vector registers back after a call: it
would compare and copy other bytes than it was asked to.
"""
import functools
import re
import struct

import gdb

from erkit_collector.gdb_means import execute, innermost_frame
from erkit_collector import process

C_LIBRARY = re.compile(r"/(ld|libc|libpthread|libdl|libcollector)([-.][^/]*)?$")
# Allocators of the program's own: libraries, and functions, of which the innermost may have no names.
ALLOCATOR = re.compile(r"/lib\w*(malloc|hoard|scudo|umem)[^/]*$")
ALLOCATES = re.compile(
    r"(operator (new|delete)\b|((tc|je|mi|_rjem)_)?(malloc|free|calloc|realloc|memalign|aligned_alloc|posix_memalign)$)"
)
LOADER = re.compile(r"/ld[-.][^/]*$")
OURS = re.compile(r"/libcollector[-.][^/]*$")
AT_ENTRY = 9  # of the auxiliary vector
# mmap, mprotect, munmap, brk, mremap and madvise: the allocator waits for them with its lock.
OF_ALLOCATOR = (9, 10, 11, 12, 25, 28)


@functools.lru_cache(maxsize=None)
def loses_vectors():
    """Whether calls change vector registers. Before version 14, gdb takes every processor for one
    of Intel's, while those of AMD with AVX-512 keep these registers in other places."""
    if int(re.match(r"\d+", gdb.VERSION).group()) >= 14:
        return False
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as cpuinfo:
            found = cpuinfo.read().split("\n\n", 1)[0]
    except OSError:
        return False
    return "AuthenticAMD" in found and " avx512f" in found


def is_at_start(frame):
    """Whether it is at the first instruction of its function, where no vector register is in use
    but for arguments, which gdb does put back."""
    return " + " not in execute("info symbol %d" % frame.pc())


def would_lose_vectors(frame):
    """Whether a call here would, in the C library, which uses such registers everywhere."""
    return (
        is_in(C_LIBRARY, frame)
        and not is_asleep(frame)
        and loses_vectors()
        and not is_at_start(frame)
    )


def is_in(libraries, frame):
    return libraries.search(gdb.solib_name(frame.pc()) or "") is not None


def allocates(frame):
    """Whether it is in an allocator that is not libc's."""
    if is_in(C_LIBRARY, frame):
        return False
    return is_in(ALLOCATOR, frame) or ALLOCATES.match(frame.name() or "") is not None


def is_asleep(frame):
    """Whether it waits in a system call, but not in one of ours."""
    if is_in(OURS, frame):
        return False
    if frame.level() == 0:
        return process.system_call() not in (-1, *OF_ALLOCATOR)
    return process.is_at_system_call(frame)


def way_out(frame, is_for_dlopen):
    """The caller of the C library from this frame on, and whether the thread has to go there."""
    sleeps, loses = is_asleep(frame), frame.level() == 0 and would_lose_vectors(frame)
    has_loader = has_ours = False
    while frame is not None and is_in(C_LIBRARY, frame):
        has_loader = has_loader or is_in(LOADER, frame)
        has_ours = has_ours or is_in(OURS, frame)
        frame = frame.older()
    if is_for_dlopen:
        return frame, has_loader or not sleeps
    # Our wrappers of the loader's functions hold our lock while they are in it.
    return frame, has_loader or (has_ours and not sleeps) or loses


def require_caller(frame):
    if frame is None:
        raise gdb.GdbError(
            "the thread is in the C library and does not return to the program;"
            " select another thread"
        )


def frame_to_reach(is_for_dlopen):
    """The outermost frame that has to be returned to; None: the call may be made here."""
    frame, found, level = gdb.newest_frame(), None, 0
    is_interrupted = True  # its instruction was not a call
    while frame is not None and level < process.FRAMES_MAX:
        older = frame.older()
        if is_interrupted and is_in(C_LIBRARY, frame):
            older, has_to_leave = way_out(frame, is_for_dlopen)
            if has_to_leave:
                require_caller(older)
            found = older if has_to_leave else found
        elif is_for_dlopen and allocates(frame):
            found = older
        is_interrupted = frame.type() == gdb.SIGTRAMP_FRAME
        frame, level = older, level + 1
    return found


def entry_point():
    """Where the program begins, once the dynamic loader has prepared it."""
    with open("/proc/%d/auxv" % gdb.selected_inferior().pid, "rb") as auxv:
        entries = dict(struct.iter_unpack("QQ", auxv.read()))
    return entries[AT_ENTRY]


def place_of(frame):
    """Its pc and stack pointer. What a debugger takes for the caller of the loader's own start are
    the arguments of the program."""
    try:
        gdb.selected_inferior().read_memory(frame.pc(), 1)
        return frame.pc(), int(frame.read_register("rsp"))
    except gdb.MemoryError:
        return entry_point(), 0


class Arrival(gdb.Breakpoint):
    """Stops this thread in the frame, not in a deeper call of the same function."""

    def __init__(self, pc, stack_pointer):
        self.stack_pointer = stack_pointer
        super().__init__("*%d" % pc, internal=True)
        self.thread = gdb.selected_thread().global_num
        self.silent = True

    def stop(self):
        return int(gdb.newest_frame().read_register("rsp")) >= self.stack_pointer


def run_to(target):
    """Say where the thread is afterwards."""
    pc, stack_pointer = place_of(target)
    arrival = Arrival(pc, stack_pointer)
    thread = gdb.selected_thread()
    try:
        with process.calling(others_run=True):
            execute("continue")
    finally:
        arrival.delete()
    if not thread.is_valid() or gdb.selected_thread() != thread or gdb.newest_frame().pc() != pc:
        raise gdb.GdbError("the thread was stopped on its way out of the C library")
    gdb.write("The thread was in the C library and has run on to its caller:\n")
    gdb.execute("frame")


def leave(is_for_dlopen):
    """Before a call that needs locks."""
    with innermost_frame():
        target = frame_to_reach(is_for_dlopen)
        if target is not None:
            run_to(target)


def can_call():
    """Whether a call that needs no lock can be made here."""
    with innermost_frame():
        return not would_lose_vectors(gdb.newest_frame())


def leave_if_computing():
    """Before a call that needs no lock."""
    if can_call():
        return
    with innermost_frame():
        target, _ = way_out(gdb.newest_frame(), is_for_dlopen=False)
        require_caller(target)
        run_to(target)
