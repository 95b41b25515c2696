#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""errors.py - check the errors and differences that er_print shows, on recordings drawn at random from known
shares of functions, with packets of equal and of unequal weights, and by hand. The seed is fixed: the result is
always the same."""

import math
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from experiment import Experiment, symbols  # noqa: E402

PROGRAM = os.path.join(os.environ["BUILD"], "tests/er_print/programs/shape")
PLACES = symbols(PROGRAM)
SHARES = {"burn": 0.45, "leaf_a": 0.3, "leaf_b": 0.15, "middle": 0.1}
TICK = 0.01  # seconds
RECORDINGS, TICKS = 400, 600
generator = random.Random(14)
results = []


def check(is_good, text, *details):
    results.append(is_good)
    print("%s %d - %s" % ("ok" if is_good else "not ok", len(results), text))
    for detail in details if not is_good else ():
        print("#", detail)


def write(name, packets):
    """packets: (function, ticks) of each."""
    made = Experiment(name)
    made.segment(PROGRAM)
    for function, ticks in packets:
        made.clock([PLACES[function] + 4], ticks)
    made.write()


def draw(shares, weights):
    """Each packet hits a function with the probability of its share."""
    return list(zip(generator.choices(list(shares), shares.values(), k=len(weights)), weights))


def record(name, shares, ticks):
    write(name, draw(shares, [1] * ticks))


def run(lines):
    done = subprocess.run(["er_print", "-", "first.er"], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, check=False)
    if done.returncode:
        sys.exit("er_print: " + done.stderr)
    return done.stdout


def fields(text):
    return [line.replace('"', "").split("|") for line in text.splitlines() if "|" in line]


def listed(names):
    """The table of each recording: function to (value, error)."""
    lines = ["printmode |", "errors on"]
    for name in names:
        lines += ["open_exp " + name, "metrics e.totalcpu:name", "functions"]
    tables = []
    for row in fields(run(lines)):
        if row[-1] == "<Total>":
            tables.append({})
        if row[0][:1].isdigit():
            tables[-1][row[-1]] = (float(row[0]), float(row[1]))
    return tables


def covered(name, make_packets):
    """How often the interval of each function holds the true time."""
    names = ["%s%d.er" % (name, i) for i in range(RECORDINGS)]
    totals = []
    for name in names:
        packets = make_packets()
        totals.append(sum(ticks for _, ticks in packets) * TICK)
        write(name, packets)
    hits = dict.fromkeys(SHARES, 0)
    for table, total in zip(listed(names), totals):
        for function, share in SHARES.items():
            value, error = table.get(function, (0, 0))
            hits[function] += abs(value - share * total) <= error
    return {name: hits[name] / RECORDINGS for name in hits}, names


def differing(lines_of_pairs):
    """The lists of differing functions of pairs of recordings."""
    lines = ["compare on"]
    for one, other in lines_of_pairs:
        lines += ["open_exp " + one, "add_exp " + other, "differences"]
    lists = []
    for line in run(lines).splitlines():
        if line.startswith("Functions that differ"):
            lists.append([])
        elif "*" in line:
            lists[-1].append(line.split("*")[1])
    return lists


record("first.er", SHARES, 10)
coverage, recordings = covered("random", lambda: draw(SHARES, [1] * TICKS))
check(all(0.93 <= share <= 0.97 for share in coverage.values()), "intervals hold the truth in 95 %", coverage)

pairs = list(zip(recordings[::2], recordings[1::2]))
lists = differing(pairs)
named = sum(bool(found) for found in lists)
check(len(lists) == len(pairs) and named <= 0.05 * len(pairs),
      "recordings of one program name nothing in 95 %", len(lists), named)
check(differing([(recordings[0], recordings[0])]) == [[]], "a recording compared with itself names nothing")

# One function takes a tenth more time, and so does the program.
slower = {name: share * (1.1 if name == "burn" else 1) for name, share in SHARES.items()}
record("fast.er", SHARES, 20000)
record("slow.er", slower, round(20000 * sum(slower.values())))
found = differing([("fast.er", "slow.er")])
check(found == [["burn"]], "a function that is 10 % slower is named, alone", found)
record("faster.er", {**SHARES, "burn": 0.3}, 20000)
found = differing([("fast.er", "faster.er")])
check(found[0][:1] == ["burn"], "the most certain one is first", found)

# Packets of many weights, most of them light, whatever function they hit: where the kernel sampled rarely, one packet
# stands for many ticks.
def uneven():
    return draw(SHARES, [int(min(100, 1 / (1 - generator.random()))) for _ in range(300)])


coverage, recordings = covered("uneven", uneven)
check(all(0.93 <= share <= 0.97 for share in coverage.values()), "the same with packets of unequal weights", coverage)
lists = differing(list(zip(recordings[::2], recordings[1::2])))
named = sum(bool(found) for found in lists)
check(len(lists) == RECORDINGS // 2 and named <= 0.05 * len(lists),
      "nor do recordings with unequal weights name anything", len(lists), named)


# Packets of 10 ticks for one function, and of one tick for the others.
def tied():
    heavy = SHARES["leaf_a"] / 10
    packets = draw({**SHARES, "leaf_a": heavy}, [1] * 1000)
    return [(name, 10 if name == "leaf_a" else 1) for name, _ in packets]


coverage, recordings = covered("tied", tied)
check(0.93 <= coverage["leaf_a"] <= 0.97, "the same if one function has all heavy packets", coverage)


def near(value, variance):
    return math.isclose(value, 1.959964 * math.sqrt(variance) * TICK, rel_tol=1e-6)


# By hand: one heavy packet, which missed a function, or was its own.
light = [("leaf_b", 1)] * 3 + [("middle", 1)] * 97
write("missed.er", light + [("burn", 300)])
write("own.er", [("leaf_b", 30)] + [("middle", 1)] * 100)
write("light.er", [("leaf_b", 1)] * 40 + [("middle", 1)] * 60 + [("burn", 1)] * 300)
missed, own = (table["leaf_b"][1] for table in listed(["missed.er", "own.er"]))
share, squares = 3 / 400, 100 + 300 * 300
check(near(missed, share * (1 - share) * squares), "a function that the heavy packet missed is not exact", missed)
share = 30 / 130
check(near(own, (1 - share) ** 2 * 900 + share ** 2 * 100), "one whose only packet is heavy is not either", own)
found = differing([("missed.er", "light.er")])
check(found == [[]], "and to have been missed by the heavy packet is no difference", found)
print("1..%d" % len(results))
sys.exit(not all(results))
