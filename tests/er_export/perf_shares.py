#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""perf_shares.py [--only PREFIX] RECORDING EXPERIMENT [EVENT METRIC] - compare the shares of functions, exclusive and inclusive, that
perf report and er_print show. A function of the experiment may be several symbols to perf, or the other way round, so
only names that both have, and that begin with
PREFIX, are compared; they must have most of all. Prints differences above 0.1 % of the total, and on
standard error the number of functions, what part of the exclusive total they have, and the largest difference."""

import re
import subprocess
import sys

TOLERANCE = 0.1  # percent; both round to hundredths
LEAST = 97  # percent that functions with a name in both must have, of those with a name to perf


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


several = set()  # names of several functions, which may call each other


def plain(name):
    """One function may have several names, which differ in what they begin with: each program chooses its own."""
    return re.sub("^(__GI_)?_*", "", name)


def shares_of_perf(recording, event):
    """Exclusive and inclusive shares by name."""
    def report(*options):
        text = run("perf", "report", "-f", "-i", recording, "--stdio", "-g", "none", "--sort", "sym", "-w", "60",
                   "--percent-limit", "0", *options)
        shares, is_wanted = {}, event is None
        for line in text.split("\n"):
            head = re.match(r"# Samples: .* of event '(.*)'", line)
            if head and event is not None:
                is_wanted = head[1].split(":")[0] == event
            row = re.match(r"\s*([\d.]+)%\s+(?:([\d.]+)%\s+)?\[.\]\s+(.*\S)", line)
            if row and is_wanted:
                name = plain(row[3])
                old = shares.get(name, (0, 0))
                several.update({name} if name in shares else ())
                shares[name] = old[0] + float(row[1]), old[1] + float(row[2] or 0)
        return shares

    children = report("--children")
    if children and any(own for _, own in children.values()):
        return {name: (own, all) for name, (all, own) in children.items()}
    return {name: (own, own) for name, (own, _) in report("--no-children").items()}


def shares_of_er_print(experiment, metric):
    text = run("er_print", "-limit", "0", "-metrics", "e%%%s:i%%%s:name" % (metric, metric), "-sort", "e%%%s" % metric,
               "-functions", experiment)
    shares = {}
    for line in text.split("\n"):
        row = re.match(r"\s*([\d.]+)\s+([\d.]+)\s+(\S.*)", line)
        if row:
            name = plain(row[3].strip())
            old = shares.get(name, (0, 0))
            several.update({name} if name in shares else ())
            shares[name] = old[0] + float(row[1]), old[1] + float(row[2])
    return shares


only = sys.argv.pop(1) if sys.argv[1] == "--only" and sys.argv.pop(1) else ""
recording, experiment = sys.argv[1:3]
event, metric = sys.argv[3:5] if len(sys.argv) > 3 else (None, "totalcpu")
perf, ours = shares_of_perf(recording, event), shares_of_er_print(experiment, metric)
# The start of the dynamic loader has labels that only perf takes for functions.
perf = {name: shares for name, shares in perf.items() if name.startswith(only)}
common = [name for name in perf if name in ours and name != "start"]
named = sum(own for name, (own, _) in perf.items() if not name.startswith("0x"))
# perf takes stubs of calls for the function before them, and er_print for a part of their callers.
stubs = sum(own for name, (own, _) in perf.items() if name == "init" or name.endswith("@plt"))
bad, largest = 0, 0.
for name in common:
    for what, theirs, own in zip(("exclusive", "inclusive"), perf[name], ours[name]):
        if what == "inclusive" and name in several:
            continue
        largest = max(largest, abs(theirs - own))
        if abs(theirs - own) > TOLERANCE + stubs:
            bad += 1
            print("%s of %s: %.2f %% by perf, %.2f %% by er_print" % (what, name, theirs, own))
covered = sum(perf[name][0] for name in common)
if covered < LEAST / 100 * named:
    bad += 1
    print("%.2f %% of the total have names to perf, and only %.2f %% in both:" % (named, covered))
    for name, (own, _) in sorted(perf.items(), key=lambda item: -item[1][0]):
        if name not in common and own > .2:
            print("perf has %s with %.2f %%" % (name, own))
print("%d functions in common with %.2f %%, the largest difference is %.2f %%" % (len(common), covered, largest),
      file=sys.stderr)
sys.exit(bad > 0)
