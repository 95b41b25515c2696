#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""analysed.py FORMAT FILE METRIC - read what er_export --format wrote with pprof of Go, or with pandas, and print a line
for each function: its name, and its exclusive and inclusive value. Times are milliseconds. FORMAT alone: print which
program is missing, or nothing."""

import re
import shutil
import subprocess
import sys


def pprof(path, metric):
    told = subprocess.run(["go", "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0", "-unit=us",
                           "-sample_index=" + metric, path], capture_output=True, text=True, check=True).stdout
    for line in told.splitlines():
        row = re.match(r"\s*([\d.]+)(?:us)?\s+[\d.]+%\s+[\d.]+%\s+([\d.]+)(?:us)?\s+[\d.]+%\s+(.*?)(?: \((?:partial-)?inline\))?$", line)
        if row:
            yield row[3], float(row[1]) / 1000, float(row[2]) / 1000


def frames(table, metric, names):
    """names: of each row a list, the leaf first; some events have no stack."""
    table = table.assign(ms=table[metric + "_ns"] / 1e6, names=names)
    table = table[table.names.map(len) > 0]
    exclusive = table.groupby(table.names.str[0]).ms.sum()
    inclusive = table.assign(names=table.names.map(set).map(list)).explode("names").groupby("names").ms.sum()
    for name, ms in inclusive.items():
        if ms:
            yield name, exclusive.get(name, 0), ms


def csv(path, metric):
    import pandas
    table = pandas.read_csv(path)
    return frames(table, metric, table["stack"].fillna("").map(lambda text: text.split(";")[::-1] if text else []))


def json(path, metric):
    import pandas
    table = pandas.read_json(path, lines=True)
    return frames(table, metric, table["stack"].map(lambda frames: [frame["function"] for frame in frames]))


def missing(form):
    if form == "pprof":
        return None if shutil.which("go") else "go"
    try:
        import pandas
        return None if pandas else ""
    except ImportError:
        return "pandas"


if len(sys.argv) > 2:
    for name, exclusive, inclusive in {"pprof": pprof, "csv": csv, "json": json}[sys.argv[1]](*sys.argv[2:4]):
        print(f"{name}\t{exclusive:.3f}\t{inclusive:.3f}")
elif missing(sys.argv[1]):
    print(missing(sys.argv[1]))
