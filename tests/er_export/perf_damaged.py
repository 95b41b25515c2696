#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""perf_damaged.py RECORDING COUNT SEED - damage a recording of perf in COUNT ways, and import each: er_import ends
by itself in time, without a signal, in little memory; it leaves the whole experiment or nothing; what it refuses, it
names with a reason; and er_print reads what it makes. Prints the numbers of both kinds, and each failure."""

import os
import random
import resource
import shutil
import struct
import subprocess
import sys

SECONDS, MEMORY = 60, 256 << 20  # 20 ms and 20 MB are usual
WORDS = [0, 1, 7, 8, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 1 << 32, 1 << 47, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


def records(data):
    """The offsets of the records in the data section."""
    start, size = struct.unpack_from("<QQ", data, 40)
    at, end = start, min(start + size, len(data))
    while at + 8 <= end:
        length = struct.unpack_from("<H", data, at + 6)[0]
        if length < 8:
            return
        yield at
        at += length


def damage(whole, offsets, chance):
    data = bytearray(whole)
    kind = chance.randrange(8)
    if kind == 0:  # cut off
        return data[:chance.randrange(len(data))]
    for _ in range(chance.choice([1, 1, 2, 5, 40])):
        at = chance.choice(offsets)
        if kind == 1:  # header of the file, and of events
            at = chance.randrange(0, 104 + 2 * 144, 8)
        elif kind == 2:  # the sections after the data
            at = sum(struct.unpack_from("<QQ", whole, 40))
            at += chance.randrange(max(1, len(whole) - at))
        elif kind == 3:  # header of a record
            struct.pack_into("<H", data, at + 6, chance.choice([0, 1, 7, 8, 16, 24, 0xfff8, chance.randrange(65536)]))
            continue
        elif kind == 4:  # type of a record
            struct.pack_into("<IH", data, at, chance.randrange(90), chance.randrange(65536))
            continue
        elif kind == 5:  # a word of a record
            at += 8 * chance.randrange(1, 24)
        elif kind == 6:  # any byte
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            continue
        elif kind == 7 and chance.random() < .3:  # a part is missing, or twice
            to = chance.choice(offsets)
            data[at:to] = data[to:at] if to < at else b""
            continue
        if at + 8 <= len(data):
            struct.pack_into("<Q", data, at, chance.choice(WORDS + [chance.randrange(1 << 64)]))
    return data


def run(command):
    """The status, or why there is none, and what it said."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return "takes more than %d seconds" % SECONDS, ""
    return done.returncode, done.stderr.decode(errors="replace")


def judge(path):
    """What is wrong with the import of this file; None: nothing. And whether it was imported."""
    status, said = run(["er_import", "-q", "-C", "in", "-o", "x.er", path])
    left = os.listdir("in")
    if status not in (0, 1) or "signal" in said:
        return "er_import: %s %s" % (status, said), False
    if left != (["x.er"] if status == 0 else []):
        return "status %d, and %s is left" % (status, left), False
    if status == 1 and not (said.startswith("er_import: ") and said.count("\n") == 1 and len(said) > 24):
        return "er_import says '%s'" % said, False
    if status == 0:
        status, said = run(["er_print", "-limit", "20", "-experiment_list", "-functions", "-calltree", "in/x.er"])
        if status not in (0, 1):
            return "er_print: %s %s" % (status, said), True
        return None, True
    return None, False


def main():
    path, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    whole = open(path, "rb").read()
    offsets, imported, bad = list(records(whole)), 0, 0
    for number in range(count):
        data = damage(whole, offsets, random.Random(seed + number))
        with open("damaged.data", "wb") as out:
            out.write(data)
        shutil.rmtree("in", ignore_errors=True)
        os.mkdir("in")
        problem, was_imported = judge("damaged.data")
        imported += was_imported
        if problem:
            bad += 1
            print("%d: %s" % (seed + number, problem.strip()[:500]))
            shutil.copy("damaged.data", "damaged.%d.data" % (seed + number))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    if peak > MEMORY:
        bad += 1
        print("a process took %d MB" % (peak >> 20))
    print("%d of %d damaged recordings imported, %d refused; at most %d MB" %
          (imported, count, count - imported, peak >> 20), file=sys.stderr)
    sys.exit(bad > 0)


main()
