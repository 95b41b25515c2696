# SPDX-License-Identifier: Apache-2.0
"""Settings of gdb for a while, and warnings in its words."""
import contextlib
import re

import gdb

# gdb raises one class of errors itself, and prints another one without a trace.
ERRORS = (gdb.error, gdb.GdbError)


def warn(text):
    gdb.write("warning: %s\n" % text, gdb.STDERR)


def execute(command):
    """Without output; returns it."""
    return gdb.execute(command, from_tty=False, to_string=True)


@contextlib.contextmanager
def parameter(name, value):
    before = gdb.parameter(name)
    if isinstance(before, bool):
        before = "on" if before else "off"
    if before == value:
        yield
        return
    execute("set %s %s" % (name, value))
    try:
        yield
    finally:
        execute("set %s %s" % (name, before))


def evaluate(expression):
    """The value of an expression of C, whatever the language of the program is."""
    with parameter("language", "c"):
        return gdb.parse_and_eval(expression)


@contextlib.contextmanager
def breakpoints_disabled(is_wanted):
    """The user's breakpoints, watchpoints and catchpoints for which is_wanted() is true."""
    disabled = [b for b in gdb.breakpoints() if b.visible and b.enabled and is_wanted(b)]
    for one in disabled:
        one.enabled = False
    try:
        yield
    finally:
        for one in disabled:
            if one.is_valid():
                one.enabled = True


SIGNAL = re.compile(r"^(SIG\w+)\s+(Yes|No)\s+(Yes|No)\s+(Yes|No)\s", re.MULTILINE)


@contextlib.contextmanager
def signals_passed():
    """Threads of some run-times live with faults and other signals, at which gdb would stop."""
    before = {}
    for name, *answers in SIGNAL.findall(execute("info signals")):
        if answers != ["No", "No", "Yes"] and name not in ("SIGTRAP", "SIGINT"):
            before.setdefault(tuple(answers), []).append(name)
    for names in before.values():
        execute("handle %s nostop noprint pass" % " ".join(names))
    try:
        yield
    finally:
        for (stop, prints, passes), names in before.items():
            words = ["print" if prints == "Yes" else "noprint"]
            words.append("stop" if stop == "Yes" else "nostop")
            words.append("pass" if passes == "Yes" else "nopass")
            execute("handle %s %s" % (" ".join(names), " ".join(words)))


@contextlib.contextmanager
def innermost_frame():
    """Select it, and afterwards the user's frame again, if it is still there."""
    selected = gdb.selected_frame()
    gdb.newest_frame().select()
    try:
        yield gdb.newest_frame()
    finally:
        if selected.is_valid():
            selected.select()
