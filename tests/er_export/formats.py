#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""formats.py FORMAT FILE METRIC - decode what er_export --format wrote, check its structure, and print a line for
the total and for each function: its name, and its exclusive and inclusive value of the metric. FORMAT er_print
reads the same from er_print's list, with commas, of the exclusive and the inclusive metric and the name. Times
are milliseconds. The decoders follow the published descriptions of the formats only."""

import csv
import gzip
import json
import sys
from collections import defaultdict

NO_STACK = "<no call stack>"
csv.field_size_limit(1 << 30)


class Sums:
    def __init__(self):
        self.total = 0
        self.exclusive, self.inclusive = defaultdict(int), defaultdict(int)

    def add(self, stack, value):
        """A stack, leaf first."""
        if stack == [NO_STACK]:
            stack = []
        self.total += value
        if stack:
            self.exclusive[stack[0]] += value
        for name in set(stack):
            self.inclusive[name] += value

    def show(self, scale):
        rows = [("<Total>", self.total, self.total)]
        rows += [(name, self.exclusive[name], self.inclusive[name])
                 for name in sorted(set(self.exclusive) | set(self.inclusive))]
        for name, exclusive, inclusive in rows:
            if exclusive or inclusive:
                print("%s\t%.3f\t%.3f" % (name, exclusive / scale, inclusive / scale))


def read_text(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def read_json(path):
    return json.loads(read_text(path))


# ---- er_print ----

def er_print(path, metric):
    """Functions that share a name, as fork of the collector and of libc, may call each other. The sum of their
    inclusive times is not the inclusive time of the name then, so that nothing is said of it."""
    sums, text = Sums(), read_text(path)
    for row in csv.reader(text.splitlines()):
        try:
            exclusive, inclusive = float(row[0]), float(row[1])
        except (ValueError, IndexError):
            continue
        if row[2] == "<Total>":
            sums.total = inclusive
        elif row[2] in sums.inclusive:
            sums.exclusive[row[2]] = sums.inclusive[row[2]] = float("nan")
        else:
            sums.exclusive[row[2]], sums.inclusive[row[2]] = exclusive, inclusive
    return sums, 0.001 if "(sec.)" in text else 1


# ---- pprof: a reader of protocol buffers ----

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            assert value < 1 << 64
            return value, at


def message(data):
    """Its fields, by number: lists of numbers and bytes."""
    fields, at = defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert at <= len(data)
        else:
            raise AssertionError("wire type %d" % (key & 7))
        fields[key >> 3].append(value)
    return fields


def packed(fields, number):
    values = []
    for part in fields[number]:
        at = 0
        while at < len(part):
            value, at = varint(part, at)
            values.append(value - (1 << 64) if value >= 1 << 63 else value)
    return values


def one(fields, number):
    assert len(fields[number]) <= 1
    return fields[number][0] if fields[number] else 0


def by_id(profile, number):
    found = {}
    for part in profile[number]:
        fields = message(part)
        assert one(fields, 1) > 0 and one(fields, 1) not in found
        found[one(fields, 1)] = fields
    return found


def pprof(path, metric):
    with gzip.open(path) as file:
        profile = message(file.read())
    strings = [text.decode() for text in profile[6]]
    assert strings[0] == "" and len(set(strings)) == len(strings)
    types = [(strings[one(message(t), 1)], strings[one(message(t), 2)]) for t in profile[1]]
    names = [name for name, unit in types]
    assert strings[one(profile, 14)] in names
    mappings, locations, functions = by_id(profile, 3), by_id(profile, 4), by_id(profile, 5)
    for fields in mappings.values():
        assert one(fields, 3) > one(fields, 2) and strings[one(fields, 5)]
        strings[one(fields, 6)].encode("ascii")
    lines = {}
    for number, fields in locations.items():
        mapping = one(fields, 2)
        assert not mapping or one(fields, 3) < one(mappings[mapping], 3)
        lines[number] = []
        for line in fields[4]:
            function = functions[one(message(line), 1)]
            name, system = strings[one(function, 2)], strings[one(function, 3)]
            assert name and (name[0] != "<" or system != name)
            lines[number].append(name)
        assert lines[number]
    sums = Sums()
    for part in profile[2]:
        fields = message(part)
        values = packed(fields, 2)
        assert len(values) == len(types)
        labels = [strings[one(message(label), 1)] for label in fields[3]]
        assert sorted(labels) == ["experiment", "process", "thread"]
        sums.add([name for number in packed(fields, 1) for name in lines[number]],
                 values[names.index(metric)])
    return sums, 1e6 if types[names.index(metric)][1] == "nanoseconds" else 1


# ---- the others ----

def collapsed(path, metric):
    sums = Sums()
    for line in read_text(path).splitlines():
        stack, value = line.rsplit(" ", 1)
        sums.add(stack.split(";")[::-1], int(value))
    return sums, 1e6


def rows_of_csv(path, metric):
    sums, scale = Sums(), 1
    for row in csv.DictReader(read_text(path).split("\r\n")):
        scale = 1e6 if metric + "_ns" in row else 1
        stack = row["stack"].split(";")[::-1] if row["stack"] else []
        assert row["leaf"].replace(";", "\\073") == (stack[0] if stack else "")
        assert int(row["pid"]) > 0 and int(row["thread"]) > 0 and row["experiment"]
        sums.add(stack, int(row.get(metric + "_ns") or row[metric]))
    return sums, scale


def rows_of_json(path, metric):
    sums, scale = Sums(), 1
    for line in read_text(path).splitlines():
        row = json.loads(line)
        scale = 1e6 if metric + "_ns" in row else 1
        for frame in row["stack"]:
            assert frame["function"] and ("line" in frame) == ("file" in frame)
            assert "object" not in frame or int(frame["address"], 16) >= 0
        assert row["pid"] > 0 and row["thread"] > 0 and row["lwp"] >= 0
        sums.add([frame["function"] for frame in row["stack"]],
                 row[metric + "_ns"] if scale > 1 else row[metric])
    return sums, scale


def speedscope(path, metric):
    file = read_json(path)
    assert file["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames, sums, unit = file["shared"]["frames"], Sums(), ""
    for frame in frames:
        assert isinstance(frame["name"], str) and frame.get("line", 1) > 0
    for profile in file["profiles"]:
        unit = profile["unit"]
        assert profile["type"] == "sampled" and profile["name"]
        assert unit in ("none", "nanoseconds", "bytes")
        assert len(profile["samples"]) == len(profile["weights"])
        assert profile["startValue"] == 0 and profile["endValue"] == sum(profile["weights"])
        for stack, weight in zip(profile["samples"], profile["weights"]):
            sums.add([frames[i]["name"] for i in reversed(stack)], weight)
    return sums, 1e6 if unit == "nanoseconds" else 1


def chrome_profiles(events, sums):
    started, ended = set(), set()
    for event in events:
        if event["ph"] != "P":
            continue
        key, data = (event["pid"], event["id"]), event["args"]["data"]
        if event["name"] == "Profile":
            assert key not in started and event["ts"] == data["startTime"] == 0
            started.add(key)
            continue
        assert event["name"] == "ProfileChunk" and key in started - ended
        ended.add(key)
        nodes = {}
        for node in data["cpuProfile"]["nodes"]:
            assert node["id"] not in nodes and node["callFrame"].keys() == {
                "functionName", "scriptId", "url", "lineNumber", "columnNumber"}
            assert node.get("parent", 1) == 1 or node["parent"] in nodes
            nodes[node["id"]] = node
        samples, deltas = data["cpuProfile"]["samples"], data["timeDeltas"]
        assert len(samples) == len(deltas) and min(deltas) >= 0
        assert sum(deltas) == data["endTime"]
        for sample, length in zip(samples, deltas[1:]):
            stack = []
            node = nodes[sample]
            while "parent" in node:
                stack.append(node["callFrame"]["functionName"])
                node = nodes[node["parent"]]
            if stack != ["(idle)"]:
                sums.add(stack, length)
    assert started == ended


def chrome(path, metric):
    file, sums = read_json(path), Sums()
    frames, named = file.get("stackFrames", {}), set()
    for event in file["traceEvents"]:
        if event["ph"] == "M":
            assert event["args"]["name"]
            named.add((event["pid"], event["tid"]))
        assert (event["pid"], event["tid"]) in named
        if event["ph"] == "X":
            assert event["cat"] == metric and event["ts"] >= 0
            stack, number = [], event.get("sf")
            while number is not None:
                stack.append(frames[str(number)]["name"])
                number = frames[str(number)].get("parent")
            assert event["name"] == (stack or [NO_STACK])[0]
            sums.add(stack, event["dur"])
    chrome_profiles(file["traceEvents"], sums)
    return sums, 1000


def check_columns(table, required):
    assert table.keys() == set(required.split()) | {"length"}, table.keys()
    for name, column in table.items():
        assert name == "length" or len(column) == table["length"], name


def firefox_thread(thread, file, sums):
    strings, libs = file["shared"]["stringArray"], file["libs"]
    stacks, frames, functions = thread["stackTable"], thread["frameTable"], thread["funcTable"]
    resources, symbols = thread["resourceTable"], thread["nativeSymbols"]
    check_columns(stacks, "frame prefix")
    check_columns(frames, "address inlineDepth category subcategory func nativeSymbol innerWindowID line column")
    check_columns(functions, "name isJS relevantForJS resource fileName lineNumber columnNumber")
    check_columns(resources, "lib name host type")
    check_columns(symbols, "libIndex address name functionSize")
    check_columns(thread["markers"], "data name startTime endTime phase category")
    assert all(prefix is None or prefix < i for i, prefix in enumerate(stacks["prefix"]))
    for i in range(frames["length"]):
        symbol = frames["nativeSymbol"][i]
        assert 0 <= frames["category"][i] < len(file["meta"]["categories"])
        if symbol is None:
            assert frames["address"][i] == -1
            continue
        begin, size = symbols["address"][symbol], symbols["functionSize"][symbol]
        assert size == 0 or begin <= frames["address"][i]
        if frames["inlineDepth"][i] == 0:
            assert functions["name"][frames["func"][i]] == symbols["name"][symbol]
    for i in range(functions["length"]):
        assert strings[functions["name"][i]]
        assert functions["resource"][i] == -1 or functions["resource"][i] < resources["length"]
        assert functions["fileName"][i] is None or strings[functions["fileName"][i]]
    assert all(libs[lib]["path"] for lib in resources["lib"] + symbols["libIndex"])
    markers = thread["markers"]
    for i in range(markers["length"]):
        assert markers["phase"][i] in (0, 2, 3) and strings[markers["name"][i]]
        assert (markers["startTime"][i] is None) == (markers["phase"][i] == 3)
        assert (markers["endTime"][i] is None) == (markers["phase"][i] != 3)
    samples = thread["samples"]
    assert samples["time"] == sorted(samples["time"])
    assert len(samples["stack"]) == len(samples["weight"]) == len(samples["time"]) == samples["length"]
    for stack, weight in zip(samples["stack"], samples["weight"]):
        names, depth = [], None
        while stack is not None:
            frame = stacks["frame"][stack]
            # Inlined functions follow the one that they are in.
            assert depth in (None, 0) or frames["inlineDepth"][frame] == depth - 1
            depth = frames["inlineDepth"][frame]
            names.append(strings[functions["name"][frames["func"][frame]]])
            stack = stacks["prefix"][stack]
        assert depth in (None, 0)
        sums.add(names, round(weight * 1e6))
    return samples["weightType"]


def firefox(path, metric):
    file, sums, kind = read_json(path), Sums(), ""
    assert file["meta"]["preprocessedProfileVersion"] == 56 and file["meta"]["interval"] > 0
    assert file["meta"]["categories"][0]["color"] == "grey"
    for lib in file["libs"]:
        assert lib.keys() == {"arch", "name", "path", "debugName", "debugPath", "breakpadId", "codeId"}
        assert len(lib["breakpadId"]) == (33 if lib["codeId"] else 1)
    assert len(set(file["shared"]["stringArray"])) == len(file["shared"]["stringArray"])
    for thread in file["threads"]:
        assert isinstance(thread["pid"], str) and isinstance(thread["tid"], int)
        kind = firefox_thread(thread, file, sums)
    assert kind in ("tracing-ms", "samples", "bytes")
    return sums, 1e6


def callgrind_names(known, key, value):
    """(1) name, or (1)."""
    number, _, name = value.partition(" ")
    assert number[0] == "(" and number[-1] == ")"
    if name:
        assert (key, number) not in known
        known[key, number] = name
    return known[key, number]


def callgrind(path, metric):
    sums, known, position, events, summary = Sums(), {}, {}, [], []
    kinds = {"ob": "ob", "cob": "ob", "fl": "fl", "fi": "fl", "fe": "fl", "cfi": "fl", "fn": "fn", "cfn": "fn"}
    units, is_call = {}, False
    for line in read_text(path).splitlines():
        key, equals, value = line.partition("=")
        if equals and key in kinds:
            position[key] = callgrind_names(known, kinds[key], value)
        elif equals and key == "calls":
            is_call = True
        elif line[:1].isdigit():
            values = [int(word) for word in line.split()[1:]]
            assert len(values) == len(events)
            value = values[events.index(metric)]
            if position["fn"] != NO_STACK:
                sums.inclusive[position["fn"]] += value
            if not is_call:
                sums.total += value
                if position["fn"] != NO_STACK:
                    sums.exclusive[position["fn"]] += value
            is_call = False
        elif line.startswith("event: "):
            units[line.split()[1]] = line.split()[-1]
        elif line.startswith("events: "):
            events = line.split()[1:]
        elif line.startswith("summary: "):
            summary = [int(word) for word in line.split()[1:]]
    assert summary[events.index(metric)] == sums.total
    return sums, 1e6 if units[metric] == "(nanoseconds)" else 1


def main():
    name, path, metric = sys.argv[1:]
    decoders = {"er_print": er_print, "pprof": pprof, "collapsed": collapsed, "csv": rows_of_csv,
                "json": rows_of_json, "speedscope": speedscope, "chrome": chrome, "firefox": firefox,
                "callgrind": callgrind}
    sums, scale = decoders[name](path, metric)
    sums.show(scale)


main()
