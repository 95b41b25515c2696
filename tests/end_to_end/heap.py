# SPDX-License-Identifier: Apache-2.0
"""heap.py NAME [right] - an experiment of several thousand random heap events, and their figures.

Writes NAME.er, in which the blocks of several threads follow each other and time goes to and fro, and
prints "ALLOCATIONS BYTES LEAKS BYTES FUNCTION" for each function, by the rules of expt(5) and nothing
else. With the word "right" there are events that gprofng's reader interprets differently: failed calls
of realloc, and unmapped parts of pages."""

import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from experiment import Experiment, symbols  # noqa: E402

ALLOCATE, FREE, REALLOCATE, MAP, UNMAP = range(5)
PAGE = 4096
THREADS = 5
name, is_right = sys.argv[1], sys.argv[2:] == ["right"]
chance = random.Random(name)
program = os.environ.get("SHAPE") or os.path.join(os.environ["BUILD"],
                                                "tests/er_print/programs/shape")
places = symbols(program)
functions = ["burn", "leaf_a", "leaf_b", "leaf_with_a_long_name", "middle", "top_one"]
addresses = [0x10000 + 64 * i for i in range(300)]


def some_call():
    """Yields (HTYPE, size, address, old address), mostly as from a real program."""
    kind = chance.choices([ALLOCATE, FREE, REALLOCATE, MAP, UNMAP], [40, 35, 15, 6, 4])[0]
    size = chance.choice([0, 1, 24, 100, 4096, 70000, 5 << 32])
    page = 0x7000000000 + chance.randrange(64) * PAGE
    if kind == FREE:
        return kind, 0, chance.choice(addresses), 0
    if kind == REALLOCATE:
        old = chance.choice(addresses + [0])
        if is_right and chance.random() < 0.3:
            return kind, size + 1, 0, old
        return kind, size, chance.choice(addresses + [old or addresses[0]]), old
    if kind == MAP:
        return kind, chance.randrange(1, 9) * PAGE - chance.choice([0, 1000]), page, 0
    if kind == UNMAP:
        return kind, chance.randrange(1, 9) * PAGE - (is_right and chance.choice([0, 1, 4000])), page, 0
    return kind, size, chance.choice(addresses + ([0] if is_right else [])), 0


sums = {function: [0, 0, 0, 0] for function in functions}
blocks = {}                 # address to (function, size)
mappings = []               # [function, the ranges of bytes that are left]


def cut(start, size):
    end = start + size
    for mapping in mappings:
        left = []
        for low, high in mapping[1]:
            if low < start:
                left.append((low, min(high, start)))
            if high > end:
                left.append((max(low, end), high))
        mapping[1] = [(low, high) for low, high in left if low < high]


def follow(function, kind, size, address, old):
    if kind == REALLOCATE and old and (address or size == 0):
        release(old)
    if kind == FREE:
        release(address)
    elif kind == UNMAP:
        cut(address, (size + PAGE - 1) // PAGE * PAGE)
    elif address:
        sums[function][0] += 1
        sums[function][1] += size
        if kind == MAP:
            cut(address, size)
            mappings.append([function, [(address, address + size)]])
        elif address in blocks:
            leak(function, size)
        else:
            blocks[address] = (function, size)


def release(address):
    blocks.pop(address, None)


def leak(function, size):
    sums[function][2] += size > 0
    sums[function][3] += size


made = Experiment(name + ".er", kinds=("heaptrace",))
made.segment(program)
waiting = [[] for _ in range(THREADS)]


def write_out(thread):
    for time, stack, call in waiting[thread]:
        made.event("heaptrace", stack, struct.pack("<iiQQQ", call[0], 0, *call[1:]),
                   thread=4242 + thread, time=time)
    waiting[thread] = []


for i in range(6000):
    function, call, thread = chance.choice(functions), some_call(), chance.randrange(THREADS)
    follow(function, *call)
    waiting[thread].append((1000 * (i + 1), made.stack([places[function] + 4, places["main"] + 4]), call))
    if chance.random() < 0.01:
        write_out(thread)
for thread in range(THREADS):
    write_out(thread)
made.now = 10**9
made.write()

for function, size in blocks.values():
    leak(function, size)
for function, ranges in mappings:
    leak(function, sum(high - low for low, high in ranges))
for function in sorted(functions):
    print(*sums[function], function)
