# SPDX-License-Identifier: Apache-2.0
"""The commands. A class for each form of them, and at the end a line for each command."""
import gdb

from erkit_collector import collect, events, kills, launch, process, recording, settings, show
from erkit_collector.gdb_means import warn
from erkit_collector.process import ACTIVE, NONE, PROCESS, TERMINATED

REFUSALS = {
    NONE: "there is no process",
    PROCESS: "no experiment is being recorded",
    TERMINATED: "no experiment is being recorded",
    ACTIVE: "an experiment is being recorded",
}
ALWAYS = (NONE, PROCESS, ACTIVE, TERMINATED)
NOT_ACTIVE = (NONE, PROCESS, TERMINATED)


class Command(gdb.Command):
    """One sub-command: states in which it does something, the words that it completes."""

    def __init__(self, name, text, states=ALWAYS, words=(), is_file=False):
        self.__doc__ = text
        self.name, self.states, self.words = name, states, words
        completer = {"completer_class": gdb.COMPLETE_FILENAME} if is_file else {}
        if not is_file and words is not None:
            self.complete = self.complete_words
        super().__init__("collector " + name, gdb.COMMAND_RUNNING, **completer)

    def complete_words(self, text, word):
        return [one for one in self.words if one.startswith(word)]

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        state = process.state()
        if state in self.states:
            self.act(argument.strip())
        else:
            warn("collector %s: %s; ignored" % (self.name, REFUSALS[state]))

    def usage(self, argument):
        if argument:
            raise gdb.GdbError("'%s' is not a value of collector %s" % (argument, self.name))
        raise gdb.GdbError("collector %s needs a value" % self.name)


class Action(Command):
    """Does something, and takes no value, or one that it reads itself."""

    def __init__(self, name, text, action, states=ALWAYS, words=None, takes_value=False):
        self.action, self.takes_value = action, takes_value
        super().__init__(name, text, states, words or ())

    def act(self, argument):
        if argument and not self.takes_value:
            self.usage(argument)
        self.action(*([argument] if self.takes_value else []))


def change(changes, check=()):
    settings.change(changes, check)
    launch.update()


class Choice(Command):
    """A setting that its name decides: sample manual."""

    def __init__(self, name, text, changes, check=()):
        self.changes, self.check = changes, check
        super().__init__(name, text, NOT_ACTIVE)

    def act(self, argument):
        if argument:
            self.usage(argument)
        change(self.changes, self.check() if callable(self.check) else self.check)


class Switch(Command):
    """on or off."""

    def __init__(self, name, text, check=(), states=NOT_ACTIVE):
        self.check = check
        super().__init__(name, text, states, ("on", "off"))

    def act(self, argument):
        if argument not in self.words:
            self.usage(argument)
        change({self.name: argument == "on"}, self.check if argument == "on" else ())


class Value(Command):
    """A value of an option of collect, which judges it."""

    is_error = True  # a wrong value; otherwise a warning

    def __init__(self, name, text, option, words=(), is_file=False, refused=()):
        self.option, self.refused = option, refused
        super().__init__(name, text, NOT_ACTIVE, words, is_file)

    def changes(self, value):
        return {self.name: value}

    def act(self, argument):
        if not argument or argument in self.refused:
            self.usage(argument)
        change(self.changes(argument), [self.option, argument])


class Destination(Value):
    """Where experiments go: a wrong value is ignored with a warning."""

    def __init__(self, name, text, option, setting=None, may_be_empty=True):
        self.setting, self.may_be_empty = setting or name, may_be_empty
        super().__init__(name, text, option, is_file=True)

    def act(self, argument):
        if not argument and not self.may_be_empty:
            self.usage(argument)
        try:
            change({self.setting: argument or None}, [self.option, argument] if argument else ())
        except gdb.GdbError as error:
            warn("%s; ignored" % error)


class ValueOrOff(Value):
    """off is not a value, but the end of all that the option does."""

    def __init__(self, name, text, option, words, when_off):
        self.when_off = when_off
        super().__init__(name, text, option, words)

    def act(self, argument):
        if argument == "off":
            change(self.when_off)
        else:
            super().act(argument)


class Counters(Value):
    """Counters, separated by commas or blanks."""

    def act(self, argument):
        if not argument:
            self.usage(argument)
        words = argument.replace(",", " ").split(" ")
        listed = ",".join(argument.split()) if " " in argument else argument
        if not any(words):
            self.usage(argument)
        change({"counters": listed, "hwprofile": True}, ["-h", listed])


class Prefix(gdb.Command):
    """A command that only has sub-commands."""

    def __init__(self, name, text):
        self.__doc__ = text
        self.name = name
        super().__init__(name, gdb.COMMAND_RUNNING, prefix=True)

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        if argument:
            warn("%s: there is no '%s'; ignored" % (self.name, argument.split()[0]))
        else:
            gdb.execute("help " + self.name)


def enable():
    state = process.state()
    if state != NONE:
        recording.begin()
    launch.enable()
    kills.install()


def disable():
    launch.disable()
    if process.state() == ACTIVE:
        recording.end()


def obsolete(name):
    return lambda _value: warn("collector %s is obsolete; ignored" % name)


def list_counters():
    gdb.write(collect.run().decode(errors="replace"))


RATES = ("on", "hi", "high", "lo", "low")


def define():
    Prefix(
        "collector",
        """Record the program as an experiment, as collect(1) does.
Settings are kept until gdb ends. er_print(1) shows experiments.""",
    )
    Action(
        "enable",
        "Record each program that is run, and the live process from now on.",
        enable,
        NOT_ACTIVE,
    )
    Action(
        "disable",
        "End the recording, and do not record programs that are run.",
        disable,
        (NONE, ACTIVE),
    )
    Action("close", "Obsolete: same as disable.", disable, (ACTIVE,))
    Action("quit", "Obsolete: same as disable.", disable, (ACTIVE,))
    Action("pause", "Record no more events until `collector resume'.", recording.pause, (ACTIVE,))
    Action("resume", "Record events again after `collector pause'.", recording.resume, (ACTIVE,))

    Prefix("collector profile", "Clock profiling: where CPU time is spent.")
    Choice(
        "profile on",
        "Record the call stacks at which CPU time is spent. This is the default.",
        {"profile": True},
    )
    Choice("profile off", "Record no clock profile.", {"profile": False})
    Value(
        "profile timer",
        """Set the interval of the clock: on, hi, lo, or a number.
A number is in milliseconds, or with the suffix u in microseconds, and may have decimals.""",
        "-p",
        RATES,
        refused=("off",),
    )
    Prefix("collector hwprofile", "Counter profiling: where counters overflow.")
    Choice(
        "hwprofile on",
        "Record counters: those of `collector hwprofile counter', or the default ones.",
        {"hwprofile": True},
        lambda: ["-h", settings.values.get("counters", "on")],
    )
    Choice("hwprofile off", "Record no counters. This is the default.", {"hwprofile": False})
    Action(
        "hwprofile list",
        "Show the options of collect(1) and the counters of this machine.",
        list_counters,
    )
    Counters(
        "hwprofile counter",
        """Record these counters: NAME[,INTERVAL] ..., as option -h of collect(1).
Clock profiling is then off, unless it was set.""",
        "-h",
    )
    Prefix("collector synctrace", "Synchronization tracing: waits of threads for each other.")
    Choice("synctrace on", "Record waits that take at least the threshold.", {"synctrace": True})
    Choice("synctrace off", "Record no waits. This is the default.", {"synctrace": False})
    ValueOrOff(
        "synctrace threshold",
        """Set the shortest wait to record: calibrate, or a number of microseconds.
0 and all mean every call; off ends tracing.""",
        "-s",
        ("calibrate", "on", "off", "all"),
        {"synctrace": False},
    )
    ValueOrOff(
        "heaptrace",
        """Record allocations: on, off, or those of some sizes.
A size is the smallest one in bytes, as 4096, or a range, as 16-1024.""",
        "-H",
        ("on", "off"),
        {"heaptrace": None},
    )
    Switch("iotrace", "Record I/O calls: on or off.", ["-i", "on"])
    Switch("mpitrace", "Record calls of MPI: on or off.", ["-m", "on"])
    ValueOrOff(
        "tha",
        "Record data of races and deadlocks: on, all, off, or words of option -r of collect(1).",
        "-r",
        ("on", "all", "race", "deadlock", "off"),
        {"tha": None},
    )
    Value(
        "archive",
        "Set what is kept of load objects at the end: on, off, copy, usedcopy, src or usedsrc.",
        "-A",
        ("on", "off", "copy", "usedcopy", "src", "usedsrc"),
    )
    Value(
        "limit",
        "Set the size of the data at which recording stops: megabytes, none or unlimited.",
        "-L",
        ("none", "unlimited"),
    )

    Prefix("collector sample", "Samples of resource usage.")
    Choice(
        "sample periodic",
        "Take samples periodically. This is the default.",
        {"sample periodic": True},
    )
    Choice("sample manual", "Take no periodic samples.", {"sample periodic": False})
    Value(
        "sample period",
        "Set the time between periodic samples, in whole seconds.",
        "-S",
        refused=("on", "off"),
    )
    Action(
        "sample record",
        "Take a sample now. The argument is its label.",
        recording.sample,
        (ACTIVE,),
        takes_value=True,
    )
    Switch("dbxsample", "Take a sample at each stop of the process: on or off.", states=ALWAYS)

    Prefix("collector store", "Where experiments are made.")
    Destination("store directory", "Set the directory of experiments.", "-d")
    Destination("store experiment", "Set the name of the next experiment: NAME.er, or the default.", "-o")
    Destination("store filename", "Old name of `collector store experiment'.", "-o", "store experiment")
    Destination("store group", "Add experiments to the group NAME.erg, or to none.", "-g")

    Action(
        "show",
        "Show all settings, or those of one topic.",
        show.show,
        words=("all", *show.TOPICS, *show.OWN),
        takes_value=True,
    )
    Action("status", "Show the experiment that is being recorded.", show.status)
    Action("version", "Show the version of the library that records.", show.version)
    for name in "enable_once", "address_space":
        Action(name, "Obsolete: ignored.", obsolete(name), takes_value=True)


define()
events.connect()
