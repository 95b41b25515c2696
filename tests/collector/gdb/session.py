# SPDX-License-Identifier: Apache-2.0
"""session.py WHICH GDB...: a user types to gdb; shows what came, the prompts with it."""
import os
import re
import sys
import time

sys.path.insert(0, sys.argv[1])
from terminal import Terminal  # noqa: E402  pylint: disable=import-error,wrong-import-position

PROMPT = "(gdb) "


def plain(text):
    """Without what is different each time: thread remarks, ids, times, escapes of readline."""
    text = re.sub(r"\x1b\[\?2004[hl]\r?", "", text).replace("\r", "")
    text = re.sub(r"^\[(New|Detaching|Thread) .*\n|.*libthread_db.*\n", "", text, flags=re.M)
    text = re.sub(r"\b(process|LWP) \d+", r"\1 N", text)
    text = re.sub(r"0x[0-9a-f]+", "0x...", text).replace(os.getcwd(), "HERE")
    return re.sub(r"(elapsed|data|samples)  .*", r"\1 ...", text)


class Session:
    def __init__(self, *words):
        self.gdb = Terminal(*words, rows=0, columns=0)
        self.gdb.until(PROMPT)

    def say(self, line, until=PROMPT):
        self.gdb.type(line if line == "\x03" else line + "\n")
        shown = plain(self.gdb.until(until))
        print(shown, end="\n" if until != PROMPT else "", flush=True)
        return shown


def manual(session):
    """The session of the manual."""
    print(PROMPT, end="")
    for line in (
        "collector archive off",
        "collector enable",
        "break work",
        "run",
        "collector sample record first",
        "collector pause",
        "next",
        "collector resume",
        "collector status",
        "finish",
        "collector disable",
        "collector store experiment second.er",
        "collector enable",
        "continue",
        "next",
        "finish",
    ):
        session.say(line)
    session.say("quit", "Quit anyway? (y or n) ")
    session.gdb.type("y\n")
    session.gdb.end()


def questions(session):
    """A program that lives is run again: gdb's questions, each once."""
    for line in ("collector archive off", "collector enable", "break work", "run"):
        session.say(line)
    again = "Start it from the beginning? (y or n) "
    session.say("run", again)
    session.say("perhaps", again)
    session.say("n")
    session.say("collector status")
    session.say("run", again)
    session.say("y")
    session.say("show confirm")
    session.say("kill", "Kill the program being debugged? (y or n) ")
    session.say("n")
    session.say("kill", "Kill the program being debugged? (y or n) ")
    session.say("y")
    session.say("show confirm")
    session.gdb.type("quit\n")
    session.gdb.end()


def interrupt(session):
    """Ctrl-C stops a program that is recorded."""
    session.say("collector archive off")
    session.say("collector enable")
    session.say("run forever", "begins")
    for command in "thread apply all bt -frame-info location 1", "collector sample record after":
        time.sleep(0.2)
        session.say("\x03", "received signal SIGINT, Interrupt.")
        session.gdb.until(PROMPT)
        print(PROMPT, end="")
        session.say(command)
        session.say("continue", "Continuing.")
    session.say("\x03", "received signal SIGINT, Interrupt.")
    session.gdb.until(PROMPT)
    session.gdb.type("collector sample rec\tby completion")
    session.say("")
    session.gdb.type("collector pro\t")
    session.say("timer lo")
    session.gdb.type("quit\n")
    session.gdb.until("(y or n) ")
    session.gdb.type("y\n")
    session.gdb.end()


globals()[sys.argv[2]](Session(*sys.argv[3:]))
