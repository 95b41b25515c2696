#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sums.py EXPERIMENT... - check that the tables of each experiment agree with each other, for every metric: exclusive
values add up, callers and callees of each function, the tree, lines, addresses, threads and seconds.

Prints TAP. Events without a call stack count in <Total> only, so that sums may be less, but all by the same."""

import csv
import re
import subprocess
import sys
from decimal import Decimal

# Settings under which everything agrees as well.
SETTINGS = ([], ["-inline", "on"], ["-viewmode", "machine"], ["-object_hide", "all"], ["-object_api", "all"],
            ["-filters", "THRID % 2 == 1"])
number = 0
settings = []


def ok(problems, text):
    global number
    number += 1
    print("%sok %d - %s" % ("not " if problems else "", number, text))
    for problem in problems[:10]:
        print("# " + problem)


def offered(path):
    run = subprocess.run(["er_print", "-metric_list", path], capture_output=True, text=True, check=True)
    available = run.stdout.split("Available metrics:")[1]
    return [sign + name for sign, name in re.findall(r": e([.+])%?(\w+)", available)]


def table(path, metrics, flavors, command):
    """For each metric the rows, without those of titles: a value in each flavor, and the other fields."""
    columns = [flavor + metric for metric in metrics for flavor in flavors]
    run = subprocess.run(["er_print", *settings, "-outline", "on", "-name", "long:soname", "-printmode", ",",
                          "-metrics", ":".join([*columns, "name"]), command, path],
                         capture_output=True, text=True, check=True)
    rows = [row for row in csv.reader(run.stdout.splitlines()) if row and re.match(r"-?\d", row[0])]
    values = [[Decimal(value if value != "0." else "0") for value in row[:len(columns)]] for row in rows]
    width = len(flavors)
    return [[(some[i * width:(i + 1) * width], row[len(columns):]) for some, row in zip(values, rows)]
            for i in range(len(metrics))]


def check_lists(lists):
    """Each value is between 0 and the total, and lists have the same sums. Returns the functions, too."""
    problems, sums, functions, total = [], {}, {}, [0, 0]
    for command, rows in lists.items():
        names = [fields[0] for _, fields in rows]
        total = rows[names.index("<Total> [<Total>]")][0]
        if total[0] != total[1]:
            problems.append("%s: <Total> is %s and %s" % (command, *total))
        for (own, all_), fields in rows:
            if not 0 <= own <= all_ <= total[1]:
                problems.append("%s: %s: %s of %s of %s" % (command, fields[0], own, all_, total[1]))
        sums[command] = sum(row[0][0] for row in rows) - total[0]
        if sums[command] > total[0]:
            problems.append("%s: %s of %s" % (command, sums[command], total[0]))
        # A function may be inlined somewhere, and called elsewhere: then two rows have its name.
        functions = {fields[0]: row for row, fields in rows if names.count(fields[0]) == 1}
    if len(set(sums.values())) != 1:
        problems.append("lists have different sums: %s" % sums)
    return problems, total[0], functions


def check_callers(rows, functions):
    problems, sums = [], {}
    for (value,), (_, relation, center) in rows:
        sums.setdefault(center, {"caller": 0, "self": 0, "callee": 0})[relation] += value
    for name, (own, all_) in functions.items():
        found = sums.get(name)
        if name.startswith("<Total>"):
            continue
        if not found:
            problems.append("%s has no callers and callees" % name)
        elif (found["caller"], found["self"], found["self"] + found["callee"]) != (all_, own, all_):
            problems.append("%s: callers %s, own %s, callees %s; exclusive %s, inclusive %s"
                            % (name, found["caller"], found["self"], found["callee"], own, all_))
    return problems


def check_tree(rows, total):
    """Children have no more than their parent, and the root has all."""
    parents, left = [], {}
    problems = [] if not rows or rows[0][0][0] == total else ["the root has %s of %s" % (rows[0][0][0], total)]
    for place, ((value,), (depth, _)) in enumerate(rows):
        del parents[int(depth):]
        left[place] = value
        if parents:
            left[parents[-1]] -= value
        parents.append(place)
    return problems + ["children of %s have %s more" % (rows[place][1][1], -value)
                       for place, value in left.items() if value < 0]


def check_objects(kind, rows, total):
    found = sum(row[0][0] for row in rows if row[1][0] != "<Total>")
    return ["%s: %s of %s" % (kind, found, total)] if rows and found != total else []


LISTS = ("-pcs", "-lines", "-functions")
OBJECTS = ("-Threads", "-CPUs", "-Seconds", "-Samples", "-Processes")


def check(path):
    metrics = offered(path)
    lists = {command: table(path, metrics, "ei", command) for command in LISTS}
    callers = table(path, metrics, "e", "-callers-callees")
    tree = table(path, metrics, "i", "-calltree")
    objects = {kind: table(path, metrics, "e", kind) for kind in OBJECTS}
    for i, metric in enumerate(metrics):
        problems, total, functions = check_lists({command: lists[command][i] for command in LISTS})
        problems += check_callers(callers[i], functions) + check_tree(tree[i], total)
        for kind in OBJECTS:
            problems += check_objects(kind, objects[kind][i], total)
        ok(problems, "%s: %s %s: %d functions" % (path, metric[1:], " ".join(settings), len(functions)))


for path in sys.argv[1:]:
    for settings in SETTINGS:
        check(path)
print("1..%d" % number)
