#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the calls in strace's output that change something by more than one component below a descriptor, as
CALL NAME lines. Arguments: the paths that callers may name, as regular expressions."""

import re
import sys

# name: pairs of the arguments that are a directory and a name in it; None: the current directory
NAMES = {"unlinkat": [(0, 1)], "mkdirat": [(0, 1)], "mknodat": [(0, 1)], "symlinkat": [(1, 2)], "fchownat": [(0, 1)],
         "utimensat": [(0, 1)], "linkat": [(0, 1), (2, 3)], "renameat": [(0, 1), (2, 3)],
         "renameat2": [(0, 1), (2, 3)], "fchmodat": [(0, 1)], "fchmodat2": [(0, 1)], "openat": [(0, 1)],
         "openat2": [(0, 1)]}
for name in ("open creat unlink rmdir mkdir mknod chmod chown lchown truncate utime utimes setxattr lsetxattr "
             "removexattr lremovexattr").split():
    NAMES[name] = [(None, 0)]
for name in ("rename", "link"):
    NAMES[name] = [(None, 0), (None, 1)]
NAMES["symlink"] = [(None, 1)]
CALL = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+|\?)")
WRITES = re.compile(r"O_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE)\b")
SAFE = ("RESOLVE_BENEATH", "RESOLVE_NO_SYMLINKS", "RESOLVE_NO_MAGICLINKS")


def split(text):
    """The arguments; strace quotes names, and escapes quotes in them."""
    return re.findall(r'"(?:\\.|[^"\\])*"(?:\.\.\.)?|\{[^{}]*\}|\[[^\]]*\]|[^,\s][^,]*', text)


def is_open(name, arguments):
    if name not in ("open", "openat", "openat2"):
        return True
    flags = ",".join(arguments[1 if name == "open" else 2:])
    if not WRITES.search(flags):
        return False
    return name != "openat2" or not all(word in flags for word in SAFE)


def problem(call, directory, name):
    """Returns the quoted name if the call should not have been made by it."""
    name = name.strip('"')
    if re.fullmatch(r"/proc/self/fd/\d+", name):
        return None  # a descriptor all the same
    if call.startswith("fchmodat"):  # whatever has the name
        return name
    if name == "" or (directory != "AT_FDCWD" and directory is not None and "/" not in name):
        return None
    return name


def main():
    allowed = [re.compile(pattern) for pattern in sys.argv[1:]]
    found = set()
    for line in sys.stdin:
        match = CALL.match(line)
        if not match or match.group(1) not in NAMES:
            continue
        name, arguments = match.group(1), split(match.group(2))
        if not is_open(name, arguments):
            continue
        for directory, place in NAMES[name]:
            bad = problem(name, None if directory is None else arguments[directory], arguments[place])
            if bad and not any(pattern.fullmatch(bad) for pattern in allowed):
                found.add("%s %s" % (name, bad))
    print("\n".join(sorted(found)))


main()
