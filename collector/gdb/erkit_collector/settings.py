# SPDX-License-Identifier: Apache-2.0
"""What the user has set, as options of collect.

Only what was set is here, by the words of its sub-command. Defaults are those of collect.
"""
from erkit_collector import collect


def clock(values):
    if not values.get("profile", True):
        return ["-p", "off"]
    if "profile timer" in values:
        return ["-p", values["profile timer"]]
    return ["-p", "on"] if "profile" in values else []


def counters(values):
    return ["-h", values.get("counters", "on")] if values.get("hwprofile") else []


def waits(values):
    if not values.get("synctrace"):
        return []
    return ["-s", values.get("synctrace threshold", "on")]


def samples(values):
    if not values.get("sample periodic", True):
        return ["-S", "off"]
    return option("-S", "sample period")(values)


def option(letter, name):
    return lambda values: [letter, values[name]] if name in values else []


def switch(letter, name):
    return lambda values: [letter, "on"] if values.get(name) else []


OPTIONS = (
    clock,
    counters,
    waits,
    option("-H", "heaptrace"),
    switch("-i", "iotrace"),
    switch("-m", "mpitrace"),
    option("-r", "tha"),
    option("-A", "archive"),
    option("-L", "limit"),
    samples,
    option("-d", "store directory"),
    option("-o", "store experiment"),
    option("-g", "store group"),
)

values = {}


def options():
    return [word for part in OPTIONS for word in part(values)]


def change(changes, check=()):
    """Accept changes if collect accepts these options. None forgets a value."""
    if check:
        collect.check(check)
    for name, value in changes.items():
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value
