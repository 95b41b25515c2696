# SPDX-License-Identifier: Apache-2.0
"""What happens by itself: samples at stops, and new starts."""
import gdb

from erkit_collector import c_library, kills, launch, process, recording, settings
from erkit_collector.gdb_means import ERRORS


attaching = set()  # ids of processes whose first stop, the one by attach, has not come yet


def on_new_thread(event):
    pid, thread, _ = event.inferior_thread.ptid
    if thread in (0, pid):
        attaching.add(pid)


def is_attach():
    """gdb 13 fails if something is called while attach waits for its own stop."""
    inferior = gdb.selected_inferior()
    is_first = inferior.pid in attaching
    attaching.discard(inferior.pid)
    return is_first and inferior.was_attached


def where():
    frame = gdb.newest_frame()
    position = frame.find_sal()
    text = "stopped in %s" % (frame.name() or "%#x" % frame.pc())
    if position.symtab:
        text += " (%s:%d)" % (position.symtab.filename, position.line)
    return text


def on_stop(_event):
    if process.calls_under_way > 0 or is_attach() or process.is_recorded_by_gdb():
        return
    try:
        process.repair()
        if not settings.values.get("dbxsample", True):
            return
        if process.state() != process.ACTIVE or recording.is_paused():
            return
        if c_library.can_call():  # a stop does not move the thread
            recording.sample(where())
    except ERRORS:
        pass  # the stack is broken, for example; the user sees that where it matters


def on_exited(event):
    launch.notice_end(event.inferior.pid or launch.last_started)


def on_new_objfile(_event):
    launch.notice_start()
    if gdb.selected_inferior().pid == 0:
        launch.update()


def on_exit_of_gdb(_event):
    """gdb kills what it has started, and lets go of the others, which stay recorded."""
    for inferior in gdb.inferiors():
        if inferior.pid != 0 and not inferior.was_attached and inferior.threads():
            try:
                inferior.threads()[0].switch()
                if process.state() == process.ACTIVE:
                    recording.end()
            except ERRORS:
                pass  # it is running, for example; what was recorded is readable


def connect():
    gdb.events.gdb_exiting.connect(on_exit_of_gdb)
    gdb.events.new_thread.connect(on_new_thread)
    gdb.events.stop.connect(on_stop)
    gdb.events.exited.connect(on_exited)
    gdb.events.new_objfile.connect(on_new_objfile)
    gdb.events.before_prompt.connect(launch.update)
    gdb.events.before_prompt.connect(kills.on_prompt)
