"""The reads and writes of one process: from our recording, and from strace.

usage: io_records.py calls EXPERIMENT
       io_records.py files EXPERIMENT DIRECTORY
       io_records.py strace OUTPUT DIRECTORY

calls prints "TYPE FD BYTES FUNCTION [NAME]" for each event, in the order of time. The others print
"NAME READS BYTES WRITES BYTES" for each file below the directory; strace must have run with -y.
"""
import json
import os
import re
import subprocess
import sys

READ, WRITE, OPEN, CLOSE = range(4)
NAME = 10


def add(sums, path, is_write, count):
    entry = sums.setdefault(path, [0, 0, 0, 0])
    entry[2 * is_write] += 1
    entry[2 * is_write + 1] += count


def events(experiment):
    """In time order, without those of descendants, which are dumped afterwards, and without mere names."""
    dump = subprocess.run(
        ["er_export", "--text", "--only", "io", "--format", "json", experiment],
        check=True, capture_output=True, text=True).stdout
    own = dump.split('{"kind":"experiment"')[1]
    records = [json.loads(line) for line in own.splitlines()[1:]]
    records = [record for record in records if int(record["fields"]["IOTYPE"]) != NAME]
    return sorted(records, key=lambda record: float(record["time"]))


def print_calls(experiment):
    for event in events(experiment):
        fields = event["fields"]
        words = [fields["IOTYPE"], fields["IOFD"], fields["IONBYTE"],
                 event["stack"][0]["function"], fields.get("IOFNAME", "")]
        print(*words if words[4] else words[:4])


def recorded(experiment, directory):
    """Follows descriptors as a reader does: opens bind a name, copies share it."""
    names, sums = {}, {}
    for event in events(experiment):
        fields = event["fields"]
        kind, fd = int(fields["IOTYPE"]), int(fields["IOFD"])
        if kind == OPEN:
            name = fields.get("IOFNAME") or names.get(int(fields["IOOFD"]), "")
            names[fd] = os.path.normpath(os.path.join(directory, name)) if name else ""
        elif kind == CLOSE:
            names.pop(fd, None)
        elif kind in (READ, WRITE) and names.get(fd):
            add(sums, names[fd], kind == WRITE, int(fields["IONBYTE"]))
    return sums


def traced(output):
    """Lines like "read(3</tmp/x/file>, ""..., 4096) = 12"; copies are written to their second file."""
    sums = {}
    call = re.compile(r"^(\w+)\((.*) = (\d+)$")
    for line in open(output, errors="replace"):
        match = call.match(line)
        if not match or not re.search("read|write|sendfile|copy_file_range", match[1]):
            continue
        files = re.findall(r"\d+<([^>]*)>", match[2])
        if match[1] == "copy_file_range":
            files.reverse()
        if files and match[1] not in ("readlink", "readahead"):
            add(sums, files[0], not match[1].count("read"), int(match[3]))
    return sums


def main():
    kind, source = sys.argv[1:3]
    if kind == "calls":
        return print_calls(source)
    directory = os.path.realpath(sys.argv[3])
    sums = recorded(source, directory) if kind == "files" else traced(source)
    for path in sorted(sums):
        if path.startswith(directory + "/"):
            print(path[len(directory) + 1:], *sums[path])


main()
