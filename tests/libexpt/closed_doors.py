#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every call of the tools that changes something is made below a descriptor of a directory. Lists the
calls in the given sources that are made by path, and are not in the list of exceptions: one line each, FILE
FUNCTION REASON."""

import re
import sys

BY_PATH = ("chmod lchmod chown lchown creat unlink rmdir remove rename mkdir symlink link mknod mkfifo truncate utime "
           "utimes lutimes futimesat setxattr lsetxattr removexattr lremovexattr mkstemp mkostemp mkstemps mkostemps "
           "mkdtemp tempnam tmpnam mktemp chdir chroot mount umount umount2 pivot_root").split()
# The arguments of these that are a directory's descriptor
BELOW = {"unlinkat": [0], "mkdirat": [0], "mknodat": [0], "mkfifoat": [0], "symlinkat": [1], "fchownat": [0],
         "utimensat": [0], "linkat": [0, 2], "renameat": [0, 2], "renameat2": [0, 2]}
# These follow a link in the last component unless told not to.
MUST_NOT_FOLLOW = {"fchownat": "AT_SYMLINK_NOFOLLOW", "utimensat": "AT_SYMLINK_NOFOLLOW"}
WRITES = re.compile(r"\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b")
STREAMS = re.compile(r'"[rwa][^"]*"')
CALL = re.compile(r"(?<![\w.>])(%s)\s*\(" % "|".join(
    sorted(BY_PATH + list(BELOW) + ["open", "open64", "openat", "fopen", "freopen", "fchmodat", "syscall"],
           key=len, reverse=True)))


def without_comments(text):
    """Keeps the length, so that offsets still correspond to lines."""
    def blank(match):
        return match.group(0) if match.group(0)[0] == '"' else re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', blank, text, flags=re.S)


def arguments(text, start):
    """The arguments of the call whose parenthesis opens before start."""
    depth, found, at = 0, [""], start
    while depth >= 0 and at < len(text):
        c = text[at]
        depth += c in "([{"
        depth -= c in ")]}"
        if c == "," and depth == 0:
            found.append("")
        elif depth >= 0:
            found[-1] += c
        at += 1
    return [" ".join(argument.split()) for argument in found]


def is_declaration(text, start):
    """A prototype, or the definition of a function of that name."""
    before = text[:start].rstrip()
    return bool(re.search(r"[\w*]$", before)) and not re.search(r"\b(return|else|do|case)$", before)


def mode_of_stream(arguments_):
    literal = STREAMS.fullmatch(arguments_[1]) if len(arguments_) > 1 else None
    return literal.group(0) if literal else "unknown"


def why(name, args):
    """Returns the reason why the call is an open door, or None."""
    if name == "fchmodat":
        return "follows links, and its mode is for whatever has the name: use fchmod()"
    if name in BY_PATH:
        return "goes by a path"
    if name in ("open", "open64") and args[0] in ('"/dev/null"', '"/dev/tty"'):
        return None
    if name in ("open", "open64"):
        return "opens a path for writing" if WRITES.search(" ".join(args[1:])) else None
    if name == "openat":
        return "opens a path for writing" if args[0] == "AT_FDCWD" and WRITES.search(" ".join(args[2:])) else None
    if name in ("fopen", "freopen"):
        mode = mode_of_stream(args)
        return "opens a path for writing" if mode == "unknown" or re.search("[wa+]", mode) else None
    if name == "syscall":
        number = args[0].replace("SYS_", "").replace("__NR_", "")
        return why(number, args[1:]) if CALL.match(number + "(") and number != "syscall" else None
    for place in BELOW[name]:
        if args[place] == "AT_FDCWD" and not args[place + 1].startswith("self"):
            return "goes by a path"
    if name in MUST_NOT_FOLLOW and not any(MUST_NOT_FOLLOW[name] in argument for argument in args):
        return "may follow a link"
    return None


def doors(path):
    with open(path) as file:
        text = without_comments(file.read())
    for match in CALL.finditer(text):
        name = match.group(1)
        if is_declaration(text, match.start()):
            continue
        reason = why(name, arguments(text, match.end()))
        if reason:
            yield text.count("\n", 0, match.start()) + 1, name, reason


def main():
    with open(sys.argv[1]) as file:
        lines = [line.split(None, 2) for line in file if line.strip() and not line.startswith("#")]
    allowed = {(words[0], words[1]) for words in lines if len(words) == 3}
    used = set()
    status = 0
    for path in sys.argv[2:]:
        for line, name, reason in doors(path):
            if (path, name) in allowed:
                used.add((path, name))
                continue
            print("%s:%d: %s() %s" % (path, line, name, reason))
            status = 1
    for path, name in sorted(allowed - used):
        print("%s: %s() is an exception that is not needed" % (path, name))
        status = 1
    if len(allowed) != len(lines):
        print("an exception without a reason")
        status = 1
    return status


sys.exit(main())
