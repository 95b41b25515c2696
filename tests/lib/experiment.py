# SPDX-License-Identifier: Apache-2.0
"""Handwritten experiments, from the description of the format alone, for tests of the readers. An
experiment is made in memory and written by write()."""

import functools
import os
import struct
import subprocess

CLOCK, SYNC, HWC, HEAP, MHWC, FRAME, UID, IO = 8, 2, 3, 5, 7, 11, 17, 19
RACE, DEADLOCK = 10, 13
EMPTY, CLOSED = 0, 65535
COMPRESSED = 0x80000000
FACTOR = 0x0B1F3C4B5701D8BD
MASK = (1 << 64) - 1
START = 1_000_000_000_000

HEAD_FIELDS = """<field name="LWPID" uname="Lightweight process id" offset="8" type="INT64"/>
<field name="THRID" uname="Thread number" offset="16" type="INT64"/>
<field name="CPUID" uname="CPU id" offset="24" type="INT32"/>
<field name="TSTAMP" uname="High resolution timestamp" offset="32" type="UINT64"/>
<field name="FRINFO" offset="40" type="UINT64"/>
"""

KINDS = {
    "profile": (CLOCK, "Clock profiling data", """<field name="MSTATE" uname="Thread state" offset="48" type="INT32"/>
<field name="NTICK" uname="Duration" offset="52" type="INT32"/>"""),
    "heaptrace": (HEAP, "Heap tracing data", """<field name="HTYPE" offset="48" type="INT32"/>
<field name="HSIZE" offset="56" type="UINT64"/>
<field name="HVADDR" offset="64" type="UINT64"/>
<field name="HOVADDR" offset="72" type="UINT64"/>"""),
    "synctrace": (SYNC, "Synchronization tracing data", """<field name="SRQST" offset="48" type="UINT64"/>
<field name="SOBJ" offset="56" type="UINT64"/>"""),
    "iotrace": (IO, "I/O tracing data", """<field name="IOTYPE" offset="48" type="INT32"/>
<field name="IOFD" offset="52" type="INT32"/>
<field name="IONBYTE" offset="56" type="INT64"/>
<field name="IORQST" offset="64" type="INT64"/>
<field name="IOOFD" offset="72" type="INT32"/>
<field name="IOFSTYPE" offset="76" type="INT32"/>
<field name="IOFNAME" offset="80" type="STRING"/>"""),
    "dataraces": (RACE, "Data race detection data", """<field name="RID" offset="48" type="INT32"/>
<field name="RTYPE" offset="52" type="INT32"/>
<field name="RVADDR" offset="56" type="UINT64"/>
<field name="RCNT" offset="64" type="INT64"/>
<field name="LEAFPC" offset="72" type="UINT64"/>"""),
    "deadlocks": (DEADLOCK, "Deadlock detection data", """<field name="DID" offset="48" type="INT32"/>
<field name="DTYPE" offset="52" type="INT32"/>
<field name="DLTYPE" offset="56" type="INT32"/>
<field name="DVADDR" offset="64" type="UINT64"/>"""),
    "hwcounters": (MHWC, "Hardware counter data", """<field name="HWCTAG" offset="48" type="INT32"/>
<field name="HWCINT" offset="56" type="INT64"/>
<field name="VADDR" offset="64" type="UINT64"/>
<field name="VIRTPC" offset="72" type="UINT64"/>"""),
}

# Packets of OpenMP: all of their own fields are wide.
OMP_ENTER_REGION, OMP_ENTER_TASK, OMP_REGION, OMP_TASK = 12, 14, 15, 16
OMP_FIELDS = {OMP_ENTER_REGION: ("CPRID",), OMP_ENTER_TASK: ("TSKID",),
              OMP_REGION: ("CPRID", "PPRID", "PRPC"), OMP_TASK: ("TSKID", "PTSKID", "PRPC")}
NATIVE_INFO, JAVA_INFO, OMP_STATE_INFO, OMP_USER_INFO = 1, 2, 3, 5
JAVA_CLASS, JAVA_METHOD = 0xA03, 0xB03

# The names of profiles, where they are not those of the files.
PROFILES = {"dataraces": "datarace", "deadlocks": "deadlock"}


def symbols(path, dynamic=False):
    """Maps the names of an object's functions to their addresses."""
    text = subprocess.run(["nm"] + (["-D"] if dynamic else []) + [path], check=True,
                          capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tTwW":
            found[words[2]] = int(words[0], 16)
    return found


@functools.lru_cache(maxsize=None)
def code_segment(path):
    """(address, file offset, memory size) of the r-x program segment."""
    text = subprocess.run(["readelf", "-lW", path], check=True, capture_output=True,
                          text=True).stdout
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == "LOAD" and "R E" in line:
            return int(words[2], 16), int(words[1], 16), int(words[5], 16)
    raise ValueError(path + " has no code")


def escape(text):
    for char, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ("'", "apos"), ('"', "quot")):
        text = text.replace(char, "&" + name + ";")
    return text


def seconds(ns):
    return "%d.%09d" % divmod(ns, 10**9)


def omp_profile():
    lines = ['<profile name="omptrace">', '<profdata fname="omptrace"/>']
    for kind, fields in OMP_FIELDS.items():
        lines += ['<profpckt kind="%d" uname="OpenMP data">' % kind, HEAD_FIELDS]
        lines += ['<field name="%s" offset="%d" type="UINT64"/>' % (name, 48 + 8 * i)
                  for i, name in enumerate(fields)]
        lines.append("</profpckt>")
    return lines + ["</profile>"]


class Experiment:
    def __init__(self, path, pid=4242, ptimer=10000, numstates=1, kinds=("profile",),
                 command="./shape", wsize=64, host="example", counters=(), start=START):
        """counters: (name, memop) of each; their data are one of the kinds, hwcounters."""
        self.counters, self.start = counters, start
        self.path, self.pid, self.ptimer, self.kinds = path, pid, ptimer, kinds
        self.numstates, self.command, self.wsize, self.host = numstates, command, wsize, host
        self.frames, self.maps, self.known = bytearray(), [], set()
        self.data = {kind: bytearray() for kind in kinds}
        self.events, self.overview, self.now = [], bytearray(), 0
        self.tail, self.samples = "", 0
        self.jclasses, self.profiles, self.uids = bytearray(), [], 1000

    def segment(self, path, address=None, time=0, modes=5, size=None, offset=None):
        """Map an object's code. Returns what to add to its symbols' addresses."""
        vaddr, foffset, memsize = code_segment(path) if size is None else (0, offset, size)
        page = vaddr & ~0xfff
        base = page if address is None else address
        self.maps.append(
            '<event kind="map" object="segment" tstamp="%s" vaddr="0x%016X" size="%d" '
            'pagesz="4096" foffset="+0x%08X" modes="0x%03X" chksum="0xFFFFFFFF" name="%s"/>'
            % (seconds(time), base, (memsize + (vaddr - page) + 0xfff) & ~0xfff,
               foffset & ~0xfff, modes, escape(path)))
        return base - page

    def stack(self, pcs, uid=None):
        """A frame packet with one native stack, leaf first. Returns its uid."""
        info = 1
        for pc in reversed(pcs):
            info = (info + pc) * FACTOR & MASK
        frame = FACTOR
        for pc in reversed(pcs):
            frame = (frame + pc) * FACTOR & MASK
        frame = uid or frame
        if frame not in self.known:
            self.known.add(frame)
            size = 32 + 8 * len(pcs)
            self.frames += struct.pack("<HHIQIIQ", size, FRAME, 16, frame, size - 16, 1, info)
            self.frames += struct.pack("<%dQ" % len(pcs), *pcs)
        return frame

    def frame(self, infos, uid=None):
        """A frame packet with several infos. Returns its uid."""
        body = b"".join(infos)
        self.uids += 1
        uid = uid or self.uids
        self.frames += struct.pack("<HHIQ", 16 + len(body), FRAME, 16, uid) + body
        return uid

    def info(self, kind, values):
        self.uids += 1
        return struct.pack("<IIQ", 16 + len(values), kind, self.uids) + values

    def native_info(self, pcs):
        return self.info(NATIVE_INFO, struct.pack("<%dQ" % len(pcs), *pcs))

    def java_info(self, pairs):
        """Pairs of bci and method id, leaf first."""
        return self.info(JAVA_INFO, b"".join(struct.pack("<iiQ", bci, 0, method)
                                             for bci, method in pairs))

    def omp_info(self, state, pcs=None):
        """A state of OpenMP, maybe with the user's stack."""
        if pcs is None:
            return struct.pack("<IIII", 16, OMP_STATE_INFO, state, 0)
        self.uids += 1
        self.frames += struct.pack("<HHIQ", 16 + 8 * len(pcs), UID, 0, self.uids)
        self.frames += struct.pack("<%dQ" % len(pcs), *pcs)
        return struct.pack("<IIIIQ", 24, OMP_USER_INFO, state, 0, self.uids)

    def java_packet(self, kind, first, second, *texts):
        body = b""
        for text in texts:
            body += text.encode() + b"\0"
            body += bytes(-len(body) % 4)
        self.jclasses += struct.pack("<HHIQQ", 24 + len(body), kind, 0, first, second) + body

    def java_class(self, number, name, source="<Unknown>", time=0):
        self.java_packet(JAVA_CLASS, number, self.start + time, name, source)

    def java_method(self, number, method, name, signature):
        self.java_packet(JAVA_METHOD, number, method, name, signature)

    def java_thread(self, thread, group="main", start=0, end=None):
        self.events.append('<event kind="jthread_start" tstamp="%s" name="a thread" grpname="%s" '
                           'prntname="" tid="%d" jthr="0x1" jenv="0x2"/>'
                           % (seconds(self.start + start), group, thread))
        if end is not None:
            self.events.append('<event kind="jthread_end" tstamp="%s" tid="%d" jthr="0x1" jenv="0x2"/>'
                               % (seconds(self.start + end), thread))

    def omp(self, kind, *values, thread=None, time=0):
        thread = thread or self.pid
        body = struct.pack("<%dQ" % len(values), *values)
        self.data["omptrace"] += struct.pack("<HHIQQIIQQ", 48 + len(body), kind, 0, thread, thread,
                                             0, 0, self.start + time, 0) + body

    def event(self, kind, stack, body, thread=None, cpu=0, time=None):
        if time is None:
            self.now += 10_000_000
            time = self.now
        thread = thread or self.pid
        size = 48 + len(body)
        self.data[kind] += struct.pack("<HHIQQIIQQ", size, KINDS[kind][0], 0, thread, thread,
                                       cpu, 0, self.start + time, stack) + body

    def clock(self, pcs, ticks=1, state=10, **where):
        stack = self.stack(pcs) if isinstance(pcs, (list, tuple)) else pcs
        self.event("profile", stack, struct.pack("<ii", state, ticks), **where)

    def heap(self, pcs, kind, size, address, old=0, **where):
        self.event("heaptrace", self.stack(pcs), struct.pack("<iiQQQ", kind, 0, size, address, old),
                   **where)

    def sync(self, pcs, wait, object_, **where):
        self.event("synctrace", self.stack(pcs),
                   struct.pack("<QQ", self.start + self.now + 10_000_000 - wait, object_), **where)

    def io(self, pcs, kind, fd, size=0, wait=0, old=0, system=24, name=None, **where):
        """A call that took wait ns; None: an unknown time."""
        stack = self.stack(pcs) if isinstance(pcs, (list, tuple)) else pcs
        end = where.get("time", self.now + 10_000_000)
        body = struct.pack("<iiqqii", kind, fd, size,
                           0 if wait is None else self.start + end - wait, old, system)
        text = (name or "").encode() + b"\0"
        self.event("iotrace", stack, body + text + bytes(-len(text) % 8), **where)

    def race(self, pcs, race, kind, address, count=1, leaf=0, **where):
        """An access; pcs without the access itself, which is leaf."""
        stack = self.stack(pcs) if isinstance(pcs, (list, tuple)) else pcs
        self.event("dataraces", stack, struct.pack("<iiQqQ", race, kind, address, count, leaf),
                   **where)

    def lock(self, pcs, deadlock, is_requested, is_potential, address, **where):
        """A lock of a deadlock."""
        self.event("deadlocks", self.stack(pcs),
                   struct.pack("<iiiiQ", deadlock, is_requested, is_potential, 0, address), **where)

    def count(self, pcs, counter, events, address=0, pc=0, **where):
        """Events of a counter, given by number, with its data about the latest."""
        stack = self.stack(pcs) if isinstance(pcs, (list, tuple)) else pcs
        self.event("hwcounters", stack, struct.pack("<iiqQQ", counter, 0, events, address, pc),
                   **where)

    def sample(self, time, label, user=0, system=0, counts=()):
        """A sample event and its overview record; times in ns, cumulative."""
        def stamp(ns):
            return struct.pack("<qq", *divmod(ns, 10**9))
        self.events.append('<event kind="sample" tstamp="%s" id="%d" label="%s"/>'
                           % (seconds(time), self.samples, escape(label)))
        self.samples += 1
        record = struct.pack("<ii", self.pid, 1) + stamp(self.start + time) + stamp(self.start) + stamp(0)
        record += stamp(time) + stamp(user) + stamp(system)
        record += bytes(328 - len(record))
        counts = list(counts) + [0] * (12 - len(counts))
        record += struct.pack("<12q", *counts)
        self.overview += record + bytes(504 - len(record))
        self.now = max(self.now, time)

    def log(self):
        lines = ['<experiment version="12.4">', "<collector>by hand</collector>", "</experiment>",
                 '<system hostname="%s" arch="x86_64" os="Linux 6.1" pagesz="4096" npages="1000">'
                 % self.host, '<cpu id="0" clk="2000"/>', '<cpu id="1" clk="2000"/>', "</system>"]
        for name, value in (("pid", self.pid), ("ppid", 1), ("pgrp", self.pid), ("sid", 1),
                            ("cwd", "/tmp"), ("wsize", self.wsize)):
            lines.append('<process %s="%s"></process>' % (name, value))
        lines.append("<process>%s</process>" % escape(self.command))
        lines.append('<setting linetrace="fork|exec|combo"/>')
        for kind in self.kinds:
            if kind == "omptrace":
                lines += omp_profile()
                continue
            number, title, fields = KINDS[kind]
            more = (' ptimer="%d" numstates="%d"' % (self.ptimer, self.numstates)
                    if kind == "profile" else "")
            packets = ['<profdata fname="%s"/>' % kind,
                       '<profpckt kind="%d" uname="%s">' % (number, title),
                       HEAD_FIELDS + fields, "</profpckt>"]
            if kind == "hwcounters":
                lines += packets + [
                    '<profile name="hwcounter" cpuver="-1" hwcname="%s" int_name="%s" '
                    'interval="1" tag="%d" memop="%d"></profile>' % (name, name, tag, memop)
                    for tag, (name, memop) in enumerate(self.counters)]
            else:
                lines += ['<profile name="%s"%s>' % (PROFILES.get(kind, kind), more)] + packets + ["</profile>"]
        lines += self.profiles
        lines.append('<dataptr name="frameinfo" format="binary"></dataptr>')
        lines.append('<event kind="run" tstamp="%s" time="1700000000" tm_zone="0"/>'
                     % seconds(self.start))
        lines += self.events
        lines.append('<event kind="exit" tstamp="%s"/>' % seconds(self.now))
        return "\n".join(lines) + "\n" + self.tail

    def write(self):
        os.makedirs(self.path, exist_ok=True)
        files = {"log.xml": self.log().encode(), "map.xml": ("\n".join(self.maps) + "\n").encode(),
                 "data.frameinfo": bytes(self.frames), "overview": bytes(self.overview)}
        files.update((kind, bytes(data)) for kind, data in self.data.items())
        if self.jclasses:
            files["jclasses"] = bytes(self.jclasses)
        for name, content in files.items():
            with open(os.path.join(self.path, name), "wb") as file:
                file.write(content)
        if "/_" not in self.path:
            os.makedirs(os.path.join(self.path, "archives"), exist_ok=True)
