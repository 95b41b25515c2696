#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the positions of every instruction of a program with those of addr2line.

usage: positions_compare.py POSITIONS REFERENCE INLINED OBJECT [DEBUG [COMMON]]

POSITIONS is the program of tests/libexpt/programs; it reads OBJECT. The other tools read REFERENCE: the
same code, with debug data that they can read. At least INLINED instructions must be in inlined functions.

addr2line of binutils is wrong in some places: it names a function after the symbol at its address if debug
data have no linkage name, and padding after the function before it; it mistakes files, and misses inlined
functions of clang. So an answer is right if one of the other readers gives it, too.
"""
import re
import shutil
import subprocess
import sys

SHOWN = 5  # of the wrong ones
MANY = 20000  # a program with more instructions is asked for every fifth one
OTHERS = [["eu-addr2line", "-a", "-i", "-f"],
          ["llvm-symbolizer", "--output-style=GNU", "-a", "-i", "--functions=linkage", "--no-demangle"]]


def output(command, text=None, may_fail=False):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=not may_fail).stdout


def instructions(path):
    """The symbol of each instruction by its address, and the addresses of padding."""
    symbols, padding, symbol = {}, set(), None
    for line in output(["objdump", "-d", "--no-show-raw-insn", path]).splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        instruction = re.match(r"\s+([0-9a-f]+):\s+(.*)", line)
        if head:
            symbol = head[1]
        elif instruction:
            address = int(instruction[1], 16)
            symbols[address] = symbol
            if re.search(r"nop|xchg +%ax,%ax|int3", instruction[2]):
                padding.add(address)
    return symbols, padding


def clean(line):
    """A path without dots, 0 for an unknown line, and neither discriminator nor column."""
    line = re.sub(r" \(discriminator \d+\)$", "", line)
    line = re.sub(r" inlined at .*", "", line)
    line = re.sub(r"^(/.*:\d+):\d+$", r"\1", line)
    line = re.sub(r"/\.(?=/)", "", line)
    return re.sub(r":\?$", ":0", re.sub("//+", "/", line))


def parse(text):
    """For each address its names and places."""
    answers, current = {}, None
    for line in text.splitlines():
        if line.startswith("0x"):
            current = answers.setdefault(int(line, 16), [])
        elif line:
            current.append(clean(line))
    return {address: (lines[::2], lines[1::2]) for address, lines in answers.items()}


def ask(command, addresses, may_fail=False):
    return parse(output(command, "".join(f"{address:#x}\n" for address in addresses), may_fail))


def is_same(ours, theirs, symbol):
    """Whether the places are the same, and the names, unless one is the symbol's."""
    if theirs[1][0].endswith(":0") and not theirs[1][0].startswith("/"):
        return ours[1] == ["??:0"]
    return ours[1] == theirs[1] and all(
        b in (a, symbol) or a == "??" for a, b in zip(ours[0], theirs[0]))


def other_answers(reference, addresses):
    """The answers of each of the other readers that is installed. Some fail if an answer is unknown."""
    return [ask([*command, "-e", reference], addresses, True) for command in OTHERS
            if addresses and shutil.which(command[0])]


def main():
    program, reference, inlined, *files = sys.argv[1:]
    symbols, padding = instructions(reference)
    addresses = list(symbols)[::5 if len(symbols) > MANY else 1]
    ours = ask([program, *files], addresses)
    theirs = ask(["addr2line", "-a", "-i", "-f", "-e", reference], addresses)

    def differs(address, answers):
        return not is_same(ours[address], answers[address], symbols[address])

    differing = [address for address in addresses if address not in padding and differs(address, theirs)]
    others = other_answers(reference, differing)
    wrong = [address for address in differing if all(differs(address, answers) for answers in others)]
    deep = sum(len(answer[0]) > 1 for answer in ours.values())
    print(f"{len(addresses)} instructions, {deep} in inlined functions; "
          f"{len(differing)} differ from addr2line, {len(wrong)} from all")
    for address in wrong[:SHOWN]:
        print(f"{address:#x}", ours[address], theirs[address],
              *(answers[address] for answers in others), sep="\n\t")
    return bool(wrong) or len(differing) > len(addresses) / 2 or deep < int(inlined)


sys.exit(main())
