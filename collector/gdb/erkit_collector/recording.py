# SPDX-License-Identifier: Apache-2.0
"""Begin, end, pause and sample the recording of a live process."""
import os

import gdb

from erkit_collector import c_library, collect, process, program, settings
from erkit_collector.gdb_means import ERRORS, evaluate

RTLD_NOW_GLOBAL = 0x102
# libc exports dlopen since 2.34; before, only for itself, with a mark of such callers.
OPENERS = (("dlopen", RTLD_NOW_GLOBAL), ("__libc_dlopen_mode", 0x80000000 | RTLD_NOW_GLOBAL))
LABEL_MAX = 255

paused = set()  # ids of processes that were paused here
prepared = ""  # the last experiment of a program that gdb has started


def announce(experiment):
    here = os.getcwd() + "/"
    name = experiment[len(here) :] if experiment.startswith(here) else experiment
    gdb.write("Recording to '%s'.\n" % name)


def is_loaded(library):
    wanted = os.path.realpath(library)
    return any(os.path.realpath(one.filename or "") == wanted for one in gdb.objfiles())


def reason_of_loader():
    text = 0
    if process.address("dlerror") is not None:
        text = process.call("dlerror", others_run=True, result="long")
    return evaluate("(char *)%d" % text).string() if text else "the dynamic loader refuses it"


def opener():
    """The name and the flags of the function that opens libraries."""
    for name, flags in OPENERS:
        if process.address(name) is not None:
            return name, flags
    refuse("it has not loaded the C library yet; continue to its code")


def refuse(reason):
    raise gdb.GdbError("cannot record '%s': %s" % (program.name(), reason))


def open_library(library):
    name, flags = opener()
    with process.text_on_stack(library) as text:
        handle = process.call(name, text, flags, others_run=True, result="long")
    if handle == 0:
        raise gdb.GdbError("cannot load '%s': %s" % (library, reason_of_loader()))


def mask_variable(mask):
    """For a thread whose signals are held: the library leaves it its mask then."""
    return b"" if mask is None else b"SP_COLLECTOR_MASK=%d\0" % mask


def frame_variable():
    """Where the selected thread is. The library cannot walk its stack from a call of gdb's."""
    frame = gdb.newest_frame()
    registers = [int(frame.read_register(name)) % (1 << 64) for name in ("rip", "rsp", "rbp")]
    return b"SP_COLLECTOR_FRAME=%d:%d:%d\0" % tuple(registers)


def begin():
    """Record a live process from now on."""
    process.require_stopped()
    process.require_no_fork()
    reason = program.why_not("/proc/%d/exe" % gdb.selected_inferior().pid)
    if reason:
        refuse(reason)
    options = settings.options()
    libraries = [one for one in collect.libraries(options) if not is_loaded(one)]
    if libraries:
        opener()
    c_library.leave(is_for_dlopen=True)
    for library in libraries:
        open_library(library)
    experiment, text = collect.prepare(options, gdb.selected_inferior().pid)
    try:
        with process.signals_held(changes_mask=True) as mask:
            process.write_buffer(mask_variable(mask) + frame_variable() + text)
            if process.call("__collector_start", others_run=True) < 0:
                refuse(process.read_buffer())
    except process.Unfinished:
        announce(experiment)
        raise
    except ERRORS:
        if process.state() != process.ACTIVE:
            collect.remove(experiment)
            raise
    paused.discard(gdb.selected_inferior().pid)
    announce(experiment)


def begin_at_start():
    """The same in the constructor of the library, which goes on by itself afterwards. It comes
    here again, with a sentence in the buffer, if it cannot."""
    global prepared
    sentence = process.read_buffer()
    if sentence:
        collect.remove(prepared)
        refuse(sentence)
    prepared, text = collect.prepare(settings.options(), gdb.selected_inferior().pid)
    process.write_buffer(text)
    announce(prepared)


def can_archive(experiment):
    """Whether the name means the same to the process, and the user of the process owns it."""
    pid = gdb.selected_inferior().pid
    try:
        found = os.stat(experiment)
        return (
            os.path.samestat(found, os.stat("/proc/%d/root%s" % (pid, experiment)))
            and found.st_uid == os.stat("/proc/%d" % pid).st_uid
        )
    except OSError:
        return False


def end():
    """End it. The process does not wait for er_archive, if that can be run here."""
    process.require_stopped()
    c_library.leave(is_for_dlopen=False)
    with process.signals_held(changes_mask=True):
        found = status()
        mode, experiment = found.get("archive"), found.get("experiment", "")
        is_ours = mode is not None and can_archive(experiment)
        function = "__collector_end" if is_ours else "__collector_terminate_expt"
        process.call_void(function, others_run=True)
    paused.discard(gdb.selected_inferior().pid)
    if is_ours:
        collect.archive(experiment, mode)


def sample(label):
    process.require_stopped()
    c_library.leave_if_computing()
    process.write_buffer(label.encode()[:LABEL_MAX] + b"\0")
    with process.signals_held():
        process.call_void("__collector_sample", process.address("__collector_buffer"))


def status():
    """What the library says of the recording, by name."""
    process.require_stopped()
    c_library.leave_if_computing()
    with process.signals_held():
        process.call_void("__collector_status")
    lines = process.read_buffer().splitlines()
    return dict(line.split(" ", 1) for line in lines if " " in line)


def pause():
    process.require_stopped()
    c_library.leave_if_computing()
    with process.signals_held():
        if status().get("paused") != "1":
            process.call_void("__collector_debugger_pause")
    paused.add(gdb.selected_inferior().pid)


def resume():
    process.require_stopped()
    c_library.leave_if_computing()
    with process.signals_held():
        if status().get("paused") == "1":
            process.call_void("__collector_resume")
    paused.discard(gdb.selected_inferior().pid)


def is_paused():
    return gdb.selected_inferior().pid in paused
