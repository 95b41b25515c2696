#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shares.py SCRIPT EXPERIMENT PROCESS - compare the shares of functions in the time that a process spent in the
kernel: by perf, from the output of perf script -F comm,pid,ip,sym, and by er_kernel, in the same run. Prints each
with the difference in standard deviations, and then the largest one and the number of functions."""

import bisect
import glob
import math
import struct
import subprocess
import sys

FRAME, CLOCK, KERNEL_CPU = 11, 8, 11


def packets(path):
    data, at = open(path, "rb").read(), 0
    while at + 4 <= len(data):
        size, kind = struct.unpack_from("<HH", data, at)
        if size == 0:
            at = (at // 16384 + 1) * 16384
            continue
        yield kind, data[at:at + size]
        at += size


script, experiment, process = sys.argv[1], sys.argv[2], int(sys.argv[3])
lines = subprocess.run(["nm", "-n", glob.glob(experiment + "/archives/*kernel*")[0]], check=True,
                       capture_output=True, text=True).stdout.splitlines()
symbols = sorted((int(line.split()[0], 16), line.split()[2]) for line in lines)
starts = [address for address, _ in symbols]
address_of = {name: address for address, name in symbols}
name_of = {}
for address, name in symbols:
    name_of.setdefault(address, name)

perf, perf_count = {}, 0
for block in open(script).read().split("\n\n"):
    frames = [line.split() for line in block.strip("\n").split("\n")[1:]]
    if not frames or not frames[0][0].startswith("ffff"):
        continue
    perf_count += 1
    for function in {address_of.get(frame[1]) for frame in frames if len(frame) > 1}:
        perf[function] = perf.get(function, 0) + 1

stacks = {}
for kind, packet in packets(experiment + "/data.frameinfo"):
    if kind == FRAME:
        number, = struct.unpack_from("<Q", packet, 8)
        stacks[number] = struct.unpack_from("<%dQ" % ((len(packet) - 32) // 8), packet, 32)
ours, events, total = {}, 0, 0
for kind, packet in packets(experiment + "/profile"):
    if kind != CLOCK or struct.unpack_from("<q", packet, 8)[0] != process:
        continue
    stack, = struct.unpack_from("<Q", packet, 40)
    state, ticks = struct.unpack_from("<ii", packet, 48)
    assert state == KERNEL_CPU
    events += 1
    total += ticks
    for start in {starts[bisect.bisect_right(starts, pc) - 1] for pc in stacks[stack][:-1]}:
        ours[start] = ours.get(start, 0) + ticks

most, compared = 0, 0
for start in sorted(ours, key=lambda start: -ours[start]):
    share, peer = ours[start] / total, perf.get(start, 0) / perf_count
    if min(share, peer) < 0.02 or max(share, peer) > 0.98:
        continue
    deviation = math.sqrt(share * (1 - share) / events + peer * (1 - peer) / perf_count)
    most, compared = max(most, abs(share - peer) / deviation), compared + 1
    print("# %-32s %6.4f perf %6.4f %4.1f" % (name_of[start], share, peer, abs(share - peer) / deviation))
print("%.1f %d" % (most, compared))
