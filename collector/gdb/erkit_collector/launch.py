# SPDX-License-Identifier: Apache-2.0
"""Programs that gdb starts, while recording is enabled.

The libraries are preloaded by the exec-wrapper, so that the shell that starts the program has
none, or through the environment, if gdb uses no shell. The constructor of libcollector.so calls
__collector_ready before the program's first instruction. An internal breakpoint there makes the
experiment, hands over the settings, and lets the program run on.
"""
import os
import re
import shlex

import gdb

from erkit_collector import collect, process, program, recording, settings
from erkit_collector.gdb_means import ERRORS, execute, warn

SHELLS = ("sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "busybox")

is_enabled = False
ready = None
last_started = 0  # process that gdb started, if it has been seen ...
has_begun = False  # ... and whether its recording was begun


class Ready(gdb.Breakpoint):
    def stop(self):
        global has_begun
        if process.calls_under_way == 0:
            has_begun = True
            try:
                recording.begin_at_start()
            except ERRORS as error:
                warn("%s; the process is not recorded" % error)
        return False


# ---- where the libraries are preloaded ----


def preload(libraries, more):
    """Assignments for a shell, or for env. All names are hidden from the program again."""
    ours = " ".join(libraries)
    ours = shlex.quote(ours)
    return "LD_PRELOAD=%s%s SP_COLLECTOR_PRELOAD=%s" % (ours, more, ours)


def user_preload():
    shown = execute("show environment LD_PRELOAD")
    return shown.split(" = ", 1)[1].rstrip("\n") if " = " in shown else ""


def shell_value_of_preload():
    """The user's LD_PRELOAD, as the shell sees it when the program starts."""
    if os.path.basename(os.environ.get("SHELL", "/bin/sh")) in SHELLS:
        return "${LD_PRELOAD:+:$LD_PRELOAD}"
    value = user_preload()
    return ":" + shlex.quote(value) if value else ""


def is_env(words):
    """Whether a wrapper is env with nothing but options and assignments."""
    return os.path.basename(words[0]) == "env" and all("=" in w or w[0] == "-" for w in words[1:])


def wrapper(users, libraries):
    """An exec-wrapper that does what the user's does, too. It may execute one program only."""
    words = users.split()
    if not words:
        return "env " + preload(libraries, shell_value_of_preload())
    if is_env(words):
        own = re.search(r"(?:^| )LD_PRELOAD=(\S+)", users)
        more = ":" + own.group(1) if own else shell_value_of_preload()
        return users + " " + preload(libraries, more)
    # gdb writes "exec " in front of it. The user's wrapper has the libraries as well, and must
    # pass them on: it does not know them as ours.
    more = shell_value_of_preload()
    assigned = preload(libraries, more).rsplit(" SP_COLLECTOR_PRELOAD=", 1)[0]
    return "<&0; SP_COLLECTOR_PRELOAD=- %s exec %s" % (assigned, users)


class Setting:
    """A setting of gdb that is ours while recording is enabled, and afterwards the user's again."""

    def __init__(self, read, write, compose):
        self.read, self.write, self.compose = read, write, compose
        self.users, self.ours = "", None

    def update(self, libraries):
        found = self.read()
        if self.ours is None or found != self.ours:
            self.users = found
        wanted = self.users if libraries is None else self.compose(self.users, libraries)
        self.ours = None if libraries is None else wanted
        if wanted != found:
            self.write(wanted)


def write_wrapper(text):
    execute("set exec-wrapper " + text if text else "unset exec-wrapper")


def write_environment(name):
    return lambda text: execute(
        "set environment %s %s" % (name, text) if text else "unset environment " + name
    )


def with_users(users, libraries):
    return " ".join(libraries) + (":" + users if users else "")


WRAPPER = Setting(lambda: gdb.parameter("exec-wrapper") or "", write_wrapper, wrapper)
ENVIRONMENT = Setting(user_preload, write_environment("LD_PRELOAD"), with_users)

libraries_of = {}  # of options; asking collect takes a moment


def wanted_libraries():
    if not is_enabled or program.why_not(gdb.current_progspace().filename):
        return None
    options = tuple(settings.options())
    if options not in libraries_of:
        libraries_of[options] = collect.libraries(options)
    return libraries_of[options]


def update():
    """Make the next start of a program one that is recorded, or one that is not."""
    libraries = wanted_libraries()
    has_shell = gdb.parameter("startup-with-shell")
    WRAPPER.update(libraries if has_shell else None)
    ENVIRONMENT.update(None if has_shell else libraries)


def enable():
    global is_enabled, ready
    is_enabled = True
    try:
        update()
    except ERRORS:
        is_enabled = False
        raise
    if ready is None or not ready.is_valid():
        # gdb says that the function does not exist yet.
        execute("python __import__('erkit_collector.launch').launch.make_ready()")


def make_ready():
    global ready
    ready = Ready("__collector_ready", internal=True)


def disable():
    global is_enabled, ready
    is_enabled = False
    update()
    if ready is not None and ready.is_valid():
        ready.delete()
    ready = None


# ---- processes that were not recorded ----


def notice_start():
    """Call at events that come when gdb has started a program."""
    global last_started, has_begun
    inferior = gdb.selected_inferior()
    if not is_enabled or inferior.pid in (0, last_started) or not program.is_child_of_gdb():
        return
    last_started, has_begun = inferior.pid, False
    reason = program.why_not("/proc/%d/exe" % inferior.pid)
    if reason:
        has_begun = True  # there is nothing more to say at its end
        warn("'%s' is not recorded: %s" % (program.name(), reason))


def notice_end(pid):
    if is_enabled and pid == last_started and not has_begun:
        warn("the process was not recorded: it has not loaded libcollector.so")
