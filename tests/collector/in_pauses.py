# SPDX-License-Identifier: Apache-2.0
"""in_pauses.py EXPERIMENT...: prints the number of pauses in the log, of events in the data files, and of
those with a time stamp inside a pause, of the process or of their thread. Descendants are included."""

import bisect
import os
import re
import struct
import sys

CLOCK, HEAP, HEAP_FREE, HEAP_MOVE, SYNC, IO = 8, 5, 20, 21, 2, 19
# Offsets of thread and time in a packet of each type
PLACES = {CLOCK: (16, 32), HEAP: (8, 16), HEAP_FREE: (8, 16), HEAP_MOVE: (8, 16),
          SYNC: (8, 16), IO: (8, 16)}
FOREVER = 1 << 63


def nanoseconds(text):
    seconds, fraction = text.split(".")
    return int(seconds) * 10**9 + int(fraction)


def read_log(path):
    """The pauses: (thread or None, from, to), in absolute time."""
    with open(os.path.join(path, "log.xml"), encoding="latin-1") as file:
        text = file.read()
    start, since, pauses = None, {}, []
    for element in re.findall(r"<event ([^>]*)>", text):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', element))
        kind, thread = attributes["kind"], attributes.get("tid")
        if kind == "run" and start is None:
            start = nanoseconds(attributes["tstamp"])
        if kind in ("pause", "thread_pause"):
            assert thread not in since, "paused twice"
            since[thread] = start + nanoseconds(attributes["tstamp"])
        if kind in ("resume", "thread_resume"):
            assert thread in since, "resumed twice"
            pauses.append((thread, since.pop(thread),
                           start + nanoseconds(attributes["tstamp"])))
    return pauses + [(thread, time, FOREVER) for thread, time in since.items()]


def read_events(path):
    """(thread, time) of every event."""
    for name in ("profile", "heaptrace", "synctrace", "iotrace"):
        try:
            with open(os.path.join(path, name), "rb") as file:
                data = file.read()
        except FileNotFoundError:
            continue
        at = 0
        while at + 4 <= len(data):
            size, kind = struct.unpack_from("<HH", data, at)
            if size == 0:
                at = (at // 16384 + 1) * 16384
                continue
            if kind in PLACES:
                thread, time = PLACES[kind]
                yield (struct.unpack_from("<q", data, at + thread)[0],
                       struct.unpack_from("<Q", data, at + time)[0])
            at += size


def is_inside(pauses, time):
    """Pauses do not overlap, so the last one that begins earlier decides."""
    i = bisect.bisect_left(pauses, (time, 0)) if pauses else 0
    return i > 0 and time < pauses[i - 1][1]


def main():
    pauses = events = inside = 0
    for top in sys.argv[1:]:
        children = [os.path.join(top, name) for name in os.listdir(top)
                    if name.startswith("_") and name.endswith(".er")]
        for path in [top] + children:
            found = read_log(path)
            pauses += len(found)
            of = {whose: sorted((begin, end) for thread, begin, end in found if thread == whose)
                  for whose in {thread for thread, _, _ in found}}
            for thread, time in read_events(path):
                events += 1
                inside += is_inside(of.get(None), time) or is_inside(of.get(str(thread)), time)
    print(pauses, events, inside)


main()
