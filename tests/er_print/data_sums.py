#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""data_sums.py - check the rows of data objects, their sums and their layouts, for experiments that it makes of the
programs shapes and classes. What each event must count for is written in the sources of the programs; the events
are those that er_export writes. Prints TAP."""

import collections
import csv
import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from experiment import Experiment  # noqa: E402

REASONS = {1: "(Dataspace data not requested during data collection)",
           2: "(Backtracking was prevented by a jump or call instruction)",
           3: "(Backtracking did not find trigger PC)",
           4: "(Could not determine VA because registers changed after trigger instruction)",
           5: "(Memory-referencing instruction did not specify a valid VA)"}
PRECISE = 0x203
number = 0


def ok(problems, text):
    global number
    number += 1
    print("%sok %d - %s" % ("not " if problems else "", number, text))
    for problem in problems[:10]:
        print("# " + problem)


class Program:
    """The named accesses of a program: address, function and data object, whose name says # which of several."""

    def __init__(self, name, *sources):
        self.name = name
        places = {words[-1]: int(words[0], 16) for words in
                  (line.split() for line in
                   subprocess.check_output(["nm", name], text=True).splitlines()) if len(words) == 3}
        self.accesses = {}
        function = None
        for line in (line for source in sources for line in open(source)):
            entry = re.match(r"\s*(?:FUNCTION|void) (\w+)\(", line)
            access = re.search(r'(?:LOAD|NAMED)\("(\w+)".*// (.*)|at_(\w+):.*// (.*)', line)
            if entry:
                function = entry[1]
            elif access:
                self.accesses[places["at_" + (access[1] or access[3])]] = (function, access[2] or access[4])

    def record(self, path, counters, seed):
        """Make an experiment with events of the counters (name, memop) in several threads."""
        chance = random.Random(seed)
        made = Experiment(path, kinds=("hwcounters",), counters=counters)
        made.segment(os.path.realpath(self.name))
        for _ in range(400):
            pc = chance.choice(list(self.accesses))
            code = chance.choice([0] * 15 + list(REASONS))
            made.count([pc], chance.randrange(len(counters)), chance.randrange(1, 1000),
                       code or 0x7f0000000000 + chance.randrange(1 << 20), pc, thread=chance.randrange(1, 5))
        made.write()


class Session:
    """Experiments that are read together."""

    def __init__(self, paths, programs, counters):
        self.paths, self.programs, self.counters = paths, programs, counters
        self.events = []  # experiment, thread, function, counter, count, data object
        for index, (path, program) in enumerate(zip(paths, programs)):
            run = subprocess.run(["er_export", "--text", "--only", "hwc", "--format", "json", path],
                                 capture_output=True, text=True, check=True)
            threads = []  # in the order of their first events, which is that of their numbers
            for line in run.stdout.splitlines():
                event = json.loads(line)
                if event["kind"] != "hwcounters":
                    continue
                fields = event["fields"]
                if event["lwp"] not in threads:
                    threads.append(event["lwp"])
                name, memop = counters[index][fields["HWCTAG"]]
                function, place = program.accesses[int(fields["VIRTPC"], 16)]
                if memop == 0:
                    place = REASONS[1]
                elif int(fields["VADDR"], 16) in REASONS:
                    place = REASONS[int(fields["VADDR"], 16)]
                self.events.append((index, 1 + threads.index(event["lwp"]), function, name, fields["HWCINT"],
                                    place if place.startswith("(") else "%s@%s" % (place, program.name)))
        # Counters without data count where an experiment has them with data.
        self.metrics = sorted({name for some in counters for name, memop in some if memop})

    def rows(self, keeps, metrics=None, group=None):
        """The value of each metric for all names of data objects, by what is unique."""
        metrics = metrics or self.metrics
        rows = collections.defaultdict(lambda: [0] * len(metrics))
        for event in self.events:
            experiment, _, _, counter, count, place = event
            if counter not in metrics or not keeps(event):
                continue
            for name in containers(place):
                rows[name][metrics.index(counter) if group is None else experiment] += count
        return rows

    def print(self, *arguments):
        run = subprocess.run(["er_print", "-printmode", ",", *arguments, *self.paths], capture_output=True,
                             text=True, check=True)
        return [row for row in csv.reader(run.stdout.splitlines())
                if row and re.match(r"\d", row[0]) and re.search(r"[{(<]", row[-1])]


def containers(place):
    """All that an access counts for: rows by a name that is unique in a session."""
    if place.startswith("("):
        return ["<Total>", "<Unknown>", place]
    name, which = place.split("@")
    name, _, variable = name.partition("#")
    which += variable
    elements = name.split("}.{")
    names = ["}.{".join(elements[:i]) + ("}" if i < len(elements) else "") for i in range(1, len(elements) + 1)]
    is_scalar = len(elements) == 1 and not re.match(r"{(\w+\+)*(array\+|structure:|union:|class:)", name) or \
        re.match(r"{pointer\+", elements[0])
    return ["<Total>"] + (["<Scalars>"] if is_scalar else []) + [name + "@" + which for name in names]


def plain(rows):
    """The rows as they are printed."""
    return sorted(([str(value) for value in values], name.partition("@")[0]) for name, values in rows.items())


def differences(found, expected):
    return ["only found: %s" % (row,) for row in found if row not in expected] + \
        ["missing: %s" % (row,) for row in expected if row not in found] + \
        (["rows %d, expected %d" % (len(found), len(expected))] if len(found) != len(expected) else [])


def check_sums(rows, width):
    """The total is the sum of what has no container; reasons, and scalars, are all that is in theirs."""
    problems = []
    for column in range(width):
        value = collections.Counter()
        for row in rows:
            name, count = row[-1], int(row[column])
            inner = "}.{" in name
            if name in ("<Total>", "<Scalars>", "<Unknown>"):
                value[name] = count
            elif name.startswith("("):
                value["reasons"] += count
            elif not inner and re.match(r"{(structure:|union:|class:|(volatile\+)?array\+)", name):
                value["outermost"] += count
            elif not inner:
                value["scalars"] += count
        if value["<Total>"] != value["outermost"] + value["<Scalars>"] + value["<Unknown>"] or \
                value["<Scalars>"] != value["scalars"] or value["<Unknown>"] != value["reasons"]:
            problems.append(str(dict(value)))
    return problems


def check_layout(session, expected):
    """Each member of a layout has the values of its row, and all rows of structures are members of layouts."""
    metrics = ["d." + name for name in session.metrics]
    names, problems, seen = [], [], collections.Counter()
    for row in session.print("-data_metrics", ":".join(metrics + ["name"]), "-data_layout"):
        mark, element = re.match(r"(. +\d+ +\d+ )(.*)", row[-1]).groups()
        depth = (len(element) - len(element.lstrip())) // 2
        if element.lstrip().startswith("("):
            continue
        names[depth:] = [element.lstrip()]
        name = ".".join(names)
        values = [str(int(value)) for value in row[:-1]]
        seen[name] += 1
        if (values, name) not in expected and any(value != "0" for value in values):
            problems.append("%s has %s" % (name, values))
    for values, name in expected:
        # Elements of arrays are not members.
        if re.match(r"{(structure|union|class):", name) and "}.{" in name and \
                not re.search(r"{(\w+\+)*array\+[^}]*}\.", name) and not seen[name]:
            problems.append("%s is in no layout" % name)
    return problems


def check_single(session, expected):
    """One object has the values of its row."""
    problems = []
    names = collections.Counter(name for _, name in expected)
    for values, name in expected:
        if names[name] > 1:
            continue
        run = subprocess.run(["er_print", "-data_single", name, *session.paths], capture_output=True, text=True)
        found = re.findall(r"Data-derived (\w+) Events: (\d+) ", run.stdout)
        if sorted(found) != sorted(zip(session.metrics, values)):
            problems.append("%s has %s, not %s" % (name, found, values))
    return problems


def check_order(session):
    """Rows are in the order of the metric that they are sorted by."""
    problems = []
    for i, metric in enumerate(session.metrics):
        rows = session.print("-data_metrics", ":".join(["d." + name for name in session.metrics] + ["name"]),
                             "-data_sort", "d." + metric, "-data_objects")
        values = [int(row[i]) for row in rows[1:]]
        if rows[0][-1] != "<Total>" or values != sorted(values, reverse=True):
            problems.append("by %s: %s" % (metric, values[:20]))
    return problems


shapes = Program("shapes", "shapes.c", "other.c", "plain.c")
classes = Program("classes", "classes.cc")
COUNTERS = {"a.er": (("loads", PRECISE), ("stores", PRECISE), ("cycles", 0)),
            "b.er": (("loads", PRECISE), ("misses", PRECISE)),
            "c.er": (("loads", 0), ("stores", PRECISE)),
            "d.er": (("cycles", 0), ("loads", PRECISE), ("loads", 0), ("stores", 3))}
PROGRAMS = {"a.er": shapes, "b.er": classes, "c.er": shapes, "d.er": shapes}
for seed, path in enumerate(sorted(COUNTERS)):
    PROGRAMS[path].record(path, COUNTERS[path], seed)

# What is kept of an event (experiment, thread, function, counter, count, data object) by filters and selections.
SETTINGS = (
    ([], lambda event: True),
    (["-object_select", "shapes"], lambda event: True),
    (["-filters", "LWPID==2"], lambda event: event[1] == 2),
    (["-lwp_select", "1,3"], lambda event: event[1] in (1, 3)),
    (["-filters", "EXPID==1"], lambda event: event[0] == 0),
    (["-filters", 'LEAF IN (FNAME("walk"))'], lambda event: event[2] == "walk"),
    (["-filters", 'DOBJ IN (DNAME(".*inner.*"))'],
     lambda event: not event[5].startswith("(") and "inner" in event[5].split("@")[0]),
    (["-filters", "LWPID!=4", "-object_hide", "all"], lambda event: event[1] != 4),
)
for paths in (["a.er"], ["b.er"], ["a.er", "b.er"], ["a.er", "c.er"], ["a.er", "b.er", "c.er", "d.er"]):
    session = Session(paths, [PROGRAMS[path] for path in paths], [COUNTERS[path] for path in paths])
    columns = ":".join(["d." + name for name in session.metrics] + ["name"])
    for arguments, keeps in SETTINGS:
        if paths == ["b.er"] and ("-object_select" in arguments or "DOBJ" in str(arguments)):
            continue
        what = " ".join(paths + arguments)
        printed = session.print(*arguments, "-data_metrics", columns, "-data_objects")
        expected = plain(session.rows(keeps))
        ok(differences(sorted((row[:-1], row[-1]) for row in printed), expected),
           what + ": each row has the events of its object")
        ok(check_sums(printed, len(session.metrics)) + ([] if len(expected) > 5 else ["there are hardly any rows"]),
           what + ": the total is that of objects, <Scalars> and <Unknown>")
    what = " ".join(paths)
    expected = plain(session.rows(lambda event: True))
    ok(check_layout(session, expected), what + ": layouts have the values of the rows")
    ok(check_single(session, expected), what + ": single objects have the values of the rows")
    ok(check_order(session), what + ": rows are sorted")
    for metric in session.metrics:
        printed = session.print("-data_metrics", "d." + metric + ":name", "-data_objects")
        rows = session.rows(lambda event: True, [metric])
        ok(differences([row for row in sorted((row[:-1], row[-1]) for row in printed) if row[0] != ["0"]], plain(rows)),
           "%s: rows of %s alone" % (what, metric))

# The columns of experiments that are compared.
session = Session(["a.er", "c.er"], [shapes, shapes], [COUNTERS["a.er"], COUNTERS["c.er"]])
rows = collections.defaultdict(lambda: [0, 0])
for event in session.events:
    if event[3] == "stores":
        for name in containers(event[5]):
            rows[name][event[0]] += event[4]
printed = [row for row in session.print("-compare", "on", "-data_metrics", "d.stores:name", "-data_objects")
           if row[:-1] != ["0", "0"]]
ok(differences(sorted((row[:-1], row[-1]) for row in printed), plain(rows)), "compared: each has its columns")
print("1..%d" % number)
