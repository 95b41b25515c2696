# SPDX-License-Identifier: Apache-2.0
"""What is shown to the user: settings, the open experiment, versions."""
import gdb

from erkit_collector import collect, launch, process, recording, settings

# Names that collect gives to what the settings of a topic decide.
TOPICS = {
    "profile": ("clock profiling",),
    "hwprofile": ("counter",),
    "synctrace": ("synchronization",),
    "heaptrace": ("heap tracing",),
    "iotrace": ("I/O tracing",),
    "sample": ("periodic samples",),
    "limit": ("size limit",),
    "archive": ("archive",),
    "store": ("experiment", "group"),
}
# Settings that are not in what collect says.
OWN = ("dbxsample", "mpitrace", "tha")


def line(name, value):
    gdb.write("  %-20s %s\n" % (name, value))


def on_or_off(value):
    return "on" if value is True else "off" if value is False else value


def show(topic):
    """All settings, or those of one topic."""
    if topic and topic != "all" and topic not in TOPICS and topic not in OWN:
        raise gdb.GdbError(
            "'%s' is not a topic of collector show: use all, %s"
            % (topic, ", ".join([*TOPICS, *OWN]))
        )
    wanted = TOPICS.keys() if topic in ("", "all") else (topic,)
    names = [name for one in wanted for name in TOPICS.get(one, ())]
    if topic in ("", "all"):
        line("recording", "enabled" if launch.is_enabled else "disabled")
    found = collect.describe(settings.options())
    for name, value in found:
        if name in names:
            line(name, value)
    for name, shown in ("counter", "hwprofile"), ("group", "store"):
        if shown in wanted and name not in dict(found):
            line(name, "none")
    if topic in ("", "all", "store"):
        line("directory", settings.values.get("store directory", "."))
    for name in OWN:
        if topic in ("", "all", name):
            line(name, on_or_off(settings.values.get(name, name == "dbxsample")))


def status():
    if process.state() != process.ACTIVE:
        gdb.write("No experiment is being recorded.\n")
        return
    found = recording.status()
    is_paused = found.get("paused") == "1"
    line("experiment", found.get("experiment", ""))
    state = {"on": "recording"}.get(found["state"], found["state"])
    line("state", "paused" if is_paused else state)
    line("elapsed", "%.3f seconds" % (int(found.get("elapsed", 0)) / 1e9))
    line("data", "%s bytes" % found.get("bytes", 0))
    line("samples", found.get("samples", 0))


def version():
    words = collect.run("-V").decode().split()
    library = collect.libraries([])[0]
    gdb.write("libcollector.so %s %s, '%s'\n" % (words[1], words[2], library))
