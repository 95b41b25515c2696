# SPDX-License-Identifier: Apache-2.0
"""The file of a program: whether libraries can be preloaded into it."""
import os
import struct

import gdb

PT_INTERP = 3
ELF_64, X86_64 = b"\x7fELF\x02\x01", 62  # 64 bits, little-endian; the machine


def name():
    """Of the process, or of the next one; for messages."""
    try:
        return os.readlink("/proc/%d/exe" % gdb.selected_inferior().pid)
    except OSError:
        return gdb.current_progspace().filename or "the program"


def is_child_of_gdb():
    """Whether gdb has started the process."""
    try:
        with open("/proc/%d/stat" % gdb.selected_inferior().pid, encoding="utf-8") as stat:
            return int(stat.read().rsplit(")", 1)[1].split()[1]) == os.getpid()
    except OSError:
        return False


def has_interpreter(head):
    offset = struct.unpack_from("Q", head, 32)[0]
    size, count = struct.unpack_from("HH", head, 54)
    return any(
        struct.unpack_from("I", head, offset + i * size)[0] == PT_INTERP for i in range(count)
    )


def why_not(path):
    """Why the program cannot be recorded; None if it can, or is none."""
    try:
        with open(path, "rb") as file:
            head = file.read(65536)
    except (OSError, TypeError):
        return None
    if not head.startswith(b"\x7fELF"):
        return None
    try:
        if not head.startswith(ELF_64) or struct.unpack_from("H", head, 18)[0] != X86_64:
            return "it is not a 64-bit program of this machine"
        return None if has_interpreter(head) else "it is statically linked"
    except struct.error:
        return None
