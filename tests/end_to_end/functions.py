# SPDX-License-Identifier: Apache-2.0
"""functions.py EXPERIMENT [METRIC] - the function lists of er_print and gp-display-text, compared by
name, and by a metric (totalcpu).

Prints a line per difference, "KIND NAME ...", and "same COUNT". The kinds, in which er_print knows
more, are:

  named      gprofng has only a gap, <static>@..., for functions that we can name: IFUNC targets, functions
             that only .dynsym or a debug file has
  renamed    another of the names of one address, which gprofng does not see
  swallowed  gprofng's gaps for offsets beyond the size of the code, "no functions found", also took
             addresses of a function that it can name
  different  anything else: a bug
"""

import subprocess
import sys


def functions(reader, path):
    """Maps each name to the sums of (exclusive, inclusive), times 1000, over its rows. gprofng has a row
    for each part of a function."""
    outline = ["-outline", "on"] if reader == "er_print" else []
    run = subprocess.run([reader, *outline, "-metrics", "ei." + metric + ":name", "-functions", path],
                         check=True, capture_output=True, text=True)
    rows = {}
    for line in run.stdout.splitlines():
        words = line.split(None, 2)
        if len(words) == 3 and words[0].replace(".", "").isdigit():
            exclusive, inclusive = rows.get(words[2], (0, 0))
            rows[words[2]] = (exclusive + round(float(words[0]) * 1000),
                              inclusive + round(float(words[1]) * 1000))
    return rows


def is_gap(name):
    return name.startswith("<static>@")


def is_same(a, b):
    """Sums that end near half a thousandth may be rounded to either side; counts differ by 1000."""
    return a is not None and b is not None and all(abs(x - y) <= 1 for x, y in zip(a, b))


def aliases(path, name):
    run = subprocess.run(["er_print", "-outline", "on", "-fsingle", name, path], capture_output=True, text=True)
    for line in run.stdout.splitlines():
        if line.strip().startswith("Aliases:"):
            return line.split(":", 1)[1].split()
    return []


path = sys.argv[1]
metric = sys.argv[2] if len(sys.argv) > 2 else "totalcpu"
ours, theirs = functions("er_print", path), functions("gp-display-text", path)
# Each row is rounded.
gaps = sum(values[0] + 1 for name, values in theirs.items() if is_gap(name))
can_swallow = any("no functions found" in name for name in theirs)
names = {name for name in list(ours) + list(theirs) if not is_gap(name)}
differing = {name for name in names if not is_same(ours.get(name), theirs.get(name))}
for name in sorted(differing & set(ours)):
    mine = ours[name]
    old = [other for other in aliases(path, name) if theirs.get(other) == mine]
    less = tuple(a - b for a, b in zip(mine, theirs.get(name, (0, 0))))
    if name not in theirs and old:
        print("renamed", name, "was", old[0])
        differing.discard(old[0])
    elif name not in theirs and mine[0] <= gaps:
        gaps -= mine[0]
        print("named", name)
    elif can_swallow and min(less) >= 0 and less[0] <= gaps:
        gaps -= less[0]
        print("swallowed", name)
    else:
        print("different", name, "ours", mine, "theirs", theirs.get(name))
for name in sorted(differing - set(ours)):
    print("different", name, "theirs", theirs[name], "not ours")
print("same", len(names) - len(differing & names))
