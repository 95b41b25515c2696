# SPDX-License-Identifier: Apache-2.0
"""The state of a process, and calls into it.

What the library exports is declared in collector/attach.h.
"""
import contextlib
import os
import struct

import gdb

from erkit_collector.gdb_means import (
    breakpoints_disabled,
    evaluate,
    execute,
    innermost_frame,
    parameter,
    signals_passed,
)

# States, as in the manual: no process, a process without an experiment, one with an experiment
# that is being recorded, one whose experiment was ended.
NONE, PROCESS, ACTIVE, TERMINATED = "N", "P", "A", "T"
STATES = {2: ACTIVE, 3: ACTIVE, 4: TERMINATED}  # from the library's

BUFFER_SIZE = 65536
SYSCALL = b"\x0f\x05"  # the instruction
FORK, VFORK, CLONE, CLONE3 = 57, 58, 56, 435  # system calls
CLONE_THREAD = 0x10000
ERESTART_RESTARTBLOCK = -516
RED_ZONE = 128  # bytes below the stack pointer that a function may use

FRAMES_MAX = 2000
INTERRUPTS_MAX = 2  # that a call waits out

calls_under_way = 0
is_held = False  # a thread's signals are blocked for calls
repairs = []  # threads with an unfinished call, and what puts them right after it


def is_live():
    connection = gdb.selected_inferior().connection
    return gdb.selected_inferior().pid != 0 and connection and connection.type != "core"


def address(symbol):
    """Where it is in the process; None: nowhere."""
    try:
        return int(evaluate("(unsigned long)&%s" % symbol))
    except gdb.error:
        return None


def status_of_kernel():
    try:
        path = "/proc/%d/status" % gdb.selected_inferior().pid
        with open(path, encoding="utf-8", errors="replace") as status:
            return status.read()
    except OSError:
        return ""


def own_pid():
    """The id of the process as it sees it, in its own namespace."""
    for line in status_of_kernel().splitlines():
        if line.startswith("NSpid:"):
            return int(line.split()[-1])
    return gdb.selected_inferior().pid


def state():
    if not is_live():
        return NONE
    start = address("__collector_process")
    if start is None:
        return PROCESS
    try:
        found, pid = struct.unpack("ii", gdb.selected_inferior().read_memory(start, 8))
    except gdb.error:
        return PROCESS
    # The memory of a child of fork, or of vfork, is that of its parent.
    return STATES.get(found, PROCESS) if pid == own_pid() else PROCESS


def is_recorded_by_gdb():
    """By its command record, which would execute a call step by step, and keep each for replay."""
    return gdb.current_recording() is not None


def require_stopped():
    thread = gdb.selected_thread()
    if gdb.selected_inferior().connection.type != "native":
        raise gdb.GdbError("the process is not one of this machine")
    if thread is None or not thread.is_valid() or thread.is_running():
        raise gdb.GdbError("the process is running; interrupt it first")
    if is_recorded_by_gdb():
        raise gdb.GdbError("gdb itself records the process; use 'record stop' first")


def is_at_system_call(frame):
    try:
        return bytes(gdb.selected_inferior().read_memory(frame.pc() - 2, 2)) == SYSCALL
    except gdb.error:
        return False


def system_call():
    """The number of the call in which the selected thread is; -1: in none."""
    frame = gdb.newest_frame()
    return int(frame.read_register("orig_rax")) if is_at_system_call(frame) else -1


def is_in_fork():
    number = system_call()
    if number not in (CLONE, CLONE3):
        return number in (FORK, VFORK)
    flags = int(gdb.newest_frame().read_register("rdi"))
    if number == CLONE3:
        flags = struct.unpack("Q", gdb.selected_inferior().read_memory(flags, 8))[0]
    return not flags & CLONE_THREAD


def require_no_fork():
    """At a catchpoint for forks, gdb follows child or parent as soon as anything runs."""
    if is_in_fork():
        raise gdb.GdbError("the process is making a child; continue first")


def is_in_library(breakpoint_):
    """Whether a call into the library may stop there."""
    if breakpoint_.type not in (gdb.BP_BREAKPOINT, gdb.BP_HARDWARE_BREAKPOINT):
        return True
    return any(
        "libcollector" in (gdb.solib_name(location.address) or "")
        for location in breakpoint_.locations
        if location.address is not None
    )


@contextlib.contextmanager
def calling(others_run):
    """Settings for a call: no breakpoint of the user's ends it, and gdb undoes it if it fails."""
    global calls_under_way
    is_disabled = (lambda one: True) if others_run else is_in_library
    calls_under_way += 1
    try:
        with contextlib.ExitStack() as stack:
            stack.enter_context(breakpoints_disabled(is_disabled))
            stack.enter_context(parameter("unwindonsignal", "on"))
            if others_run:
                stack.enter_context(signals_passed())
            stack.enter_context(parameter("stop-on-solib-events", "0"))
            stack.enter_context(parameter("scheduler-locking", "off" if others_run else "on"))
            yield
    finally:
        calls_under_way -= 1


def is_to_be_restarted():
    """Whether the selected thread slept: the kernel keeps the time that is left until it goes on,
    or until a handler returns in it."""
    value = int(gdb.newest_frame().read_register("rax")) & 0xFFFFFFFF
    return system_call() >= 0 and value == ERESTART_RESTARTBLOCK & 0xFFFFFFFF


class Unfinished(gdb.GdbError):
    """A call is still under way: its thread is stopped in the middle of it."""


def is_in_call(thread):
    """Whether a call from gdb is under way in the thread, which is selected."""
    thread.switch()
    frame, level = gdb.newest_frame(), 0
    while frame is not None and level < FRAMES_MAX:
        if frame.type() == gdb.DUMMY_FRAME:
            return True
        frame, level = frame.older(), level + 1
    return False


def finish_call(thread, function):
    """Ctrl-C and other signals that stop another thread leave a call in its middle. Let it end:
    gdb then puts the thread back to where it was."""
    for _ in range(INTERRUPTS_MAX):
        if not thread.is_valid() or not is_in_call(thread):
            return
        execute("continue")
    if thread.is_valid() and is_in_call(thread):
        raise Unfinished(
            "the call of '%s' has not ended: continue until gdb stops, and do not detach before"
            % function
        )


def call(function, *arguments, others_run=False, result="int"):
    """Call a function by its address, or name, in the selected thread."""
    start = function if isinstance(function, int) else address(function)
    if start is None:
        raise gdb.GdbError("the process has no function '%s'" % function)
    require_no_fork()
    words = ", ".join("(unsigned long)%d" % word for word in arguments)
    thread = gdb.selected_thread()
    with calling(others_run):
        try:
            return int(evaluate("(long)((%s (*)())%d)(%s)" % (result, start, words)))
        except gdb.error as error:
            finish_call(thread, function)
            raise gdb.GdbError("cannot call '%s': %s" % (function, first_line(error))) from error


def call_void(function, *arguments, others_run=False):
    call(function, *arguments, others_run=others_run, result="long")


@contextlib.contextmanager
def signals_held(changes_mask=False):
    """Around calls in the selected thread, which goes back to its sleep afterwards: the signals of
    events wait, and are dropped. Each call blocks those that it needs otherwise. The value is the
    thread's own mask, None: nothing is held. changes_mask: a recording begins or ends, so the
    thread gets the mask that the library asks for."""
    if is_held or is_sandboxed() or not is_to_be_restarted():
        yield None
        return
    mask = hold()
    with repaired(lambda: release(mask, changes_mask)):
        yield mask


def hold():
    """Returns the mask of the selected thread."""
    global is_held
    call_void("__collector_hold")
    is_held = True
    return struct.unpack("Q", gdb.selected_inferior().read_memory(held_mask(), 8))[0]


def held_mask():
    return address("__collector_held_mask")


def release(mask, changes_mask):
    global is_held
    is_held = False
    call_void("__collector_settle")
    if changes_mask:
        mask = call("__collector_mask", mask, result="long") % (1 << 64)
    gdb.selected_inferior().write_memory(held_mask(), struct.pack("Q", mask))
    call_void("__collector_release")


def is_sandboxed():
    """A program that has given up system calls is killed by one."""
    return "Seccomp:\t0" not in status_of_kernel()


def first_line(error):
    text = str(error)
    if "signal in another thread" in text:
        return "it was interrupted"
    return text.split("\n", maxsplit=1)[0]


def write_buffer(data):
    if len(data) > BUFFER_SIZE:
        raise gdb.GdbError("the settings are too long: %d bytes" % len(data))
    gdb.selected_inferior().write_memory(address("__collector_buffer"), data)


def read_string(start, size=BUFFER_SIZE):
    data = bytes(gdb.selected_inferior().read_memory(start, size))
    return data.split(b"\0", 1)[0].decode(errors="replace")


def read_buffer():
    return read_string(address("__collector_buffer"))


@contextlib.contextmanager
def repaired(repair_thread):
    """Call it in the selected thread at the end, or when a call that was left in its middle has
    ended."""
    thread = gdb.selected_thread()
    try:
        yield
    except Unfinished:
        repairs.append((thread, repair_thread))
        raise
    except BaseException:
        repair_in(thread, repair_thread)
        raise
    repair_in(thread, repair_thread)


def set_stack_pointer(value):
    """In the innermost frame. gdb looks for the frame afterwards, and may take what it finds in
    the bytes above the new place for frames."""
    gdb.newest_frame().select()
    evaluate("$sp = %d" % value)
    gdb.newest_frame().select()


@contextlib.contextmanager
def text_on_stack(text):
    """The address of a text in the process, below the stack of the selected thread."""
    data = os.fsencode(text) + b"\0"
    memory = gdb.selected_inferior()
    with innermost_frame():
        pointer = int(evaluate("(unsigned long)$sp"))
        start = (pointer - RED_ZONE - len(data)) & ~15
        before = bytes(memory.read_memory(start, len(data)))

        def restore():
            set_stack_pointer(pointer)
            memory.write_memory(start, before)

        memory.write_memory(start, data)
        set_stack_pointer(start)
        with repaired(restore):
            yield start


def repair_in(thread, restore):
    """The selected thread may be another one that has stopped meanwhile."""
    if thread.is_valid():
        thread.switch()
        restore()


def repair():
    """Call at a stop: calls that were left in their middle may have ended since."""
    if not repairs:
        return
    selected = gdb.selected_thread()
    for one in list(repairs):
        thread, restore = one
        if thread.is_valid() and is_in_call(thread):
            continue
        repairs.remove(one)
        repair_in(thread, restore)
    if selected is not None and selected.is_valid():
        selected.switch()
