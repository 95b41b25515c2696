#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""errors.py - check the errors and differences that er_print shows, on recordings drawn at random from known
shares of functions. The seed is fixed: the result is always the same."""

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


def record(name, shares, ticks):
    """Each tick hits a function with the probability of its share."""
    made = Experiment(name)
    made.segment(PROGRAM)
    for function in generator.choices(list(shares), shares.values(), k=ticks):
        made.clock([PLACES[function] + 4])
    made.write()


def run(lines):
    done = subprocess.run(["er_print", "-", "first.er"], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, check=False)
    if done.returncode:
        sys.exit("er_print: " + done.stderr)
    return done.stdout


def fields(text):
    return [line.replace('"', "").split("|") for line in text.splitlines() if "|" in line]


def covered():
    """How often the interval of each function holds the true time."""
    lines = ["printmode |", "errors on", "metrics e.totalcpu:name"]
    names = []
    for i in range(RECORDINGS):
        names.append("random%d.er" % i)
        record(names[-1], SHARES, TICKS)
        lines += ["open_exp " + names[-1], "metrics e.totalcpu:name", "functions"]
    hits = dict.fromkeys(SHARES, 0)
    for row in fields(run(lines)):
        if row[-1] in SHARES:
            truth = SHARES[row[-1]] * TICKS * TICK
            hits[row[-1]] += abs(float(row[0]) - truth) <= float(row[1])
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
coverage, recordings = covered()
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
print("1..%d" % len(results))
sys.exit(not all(results))
