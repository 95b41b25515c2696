# SPDX-License-Identifier: Apache-2.0
"""End the recording of a process before gdb kills it.

A command that kills asks first, and gdb has no event between the answer and the kill. So hooks
of these commands ask in gdb's words, and gdb does not ask again. A hook of the user's is left
alone: what was recorded before a kill is readable in any case.
"""
import os

import gdb

from erkit_collector import process, recording
from erkit_collector.gdb_means import ERRORS, execute

AGAIN = (
    "The program being debugged has been started already.\n"
    "Start it from the beginning? (y or n) ",
    "Program not restarted.",
)
# What gdb asks, and what it says after a no.
QUESTIONS = {
    "kill": ("Kill the program being debugged? (y or n) ", "Not confirmed."),
    "run": AGAIN,
    "start": AGAIN,
    "starti": AGAIN,
}
BEFORE, AFTER = "maintenance collector-before", "maintenance collector-after"  # for the hooks

is_at_prompt = False  # there has been one: commands are typed, not read from files at the start
has_silenced_gdb = False


def has_hook(name):
    try:
        execute("show user %s" % name)
    except gdb.error:
        return False
    return True


class Hook(gdb.Command):
    """Called by a hook. An error ends the command that has the hook."""

    def __init__(self, name, action):
        self.action = action
        super().__init__(name, gdb.COMMAND_MAINTENANCE)

    def invoke(self, argument, from_tty):
        self.action(argument)


def install():
    Hook(BEFORE, before)
    Hook(AFTER, lambda _: after())
    for name in QUESTIONS:
        if not has_hook("hook-" + name):
            execute("define hook-%s\n%s %s\nend" % (name, BEFORE, name))
        if not has_hook("hookpost-" + name):
            execute("define hookpost-%s\n%s\nend" % (name, AFTER))


def asks(name):
    """Whether gdb would ask: it does not if the answer is not typed."""
    if not gdb.parameter("confirm") or not os.isatty(0):
        return False
    return name == "kill" or is_at_prompt


def answer(question):
    while True:
        try:
            typed = input(question).strip().lower()
        except EOFError:
            gdb.write("EOF [assumed Y]\n")
            return True
        if typed[:1] in ("y", "n"):
            return typed[0] == "y"
        gdb.write("Please answer y or n.\n")


def before(name):
    global has_silenced_gdb
    try:
        if process.state() != process.ACTIVE:
            return
    except ERRORS:
        return
    question, refusal = QUESTIONS[name]
    if asks(name):
        if not answer(question):
            raise gdb.GdbError(refusal)
        has_silenced_gdb = True
        execute("set confirm off")
    try:
        recording.end()
    except ERRORS:
        pass  # it is running, for example


def after():
    global has_silenced_gdb
    if has_silenced_gdb:
        has_silenced_gdb = False
        execute("set confirm on")


def on_prompt():
    global is_at_prompt
    is_at_prompt = True
    after()
