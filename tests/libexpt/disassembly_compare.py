# SPDX-License-Identifier: Apache-2.0
"""Instructions compared with objdump's, in whole programs and in one of rare instructions. Prints TAP;
disassembly.t runs it.

Code is what the unwind tables name; data between functions is left out. Three things are compared: where
instructions begin, mnemonics (with prefixes), and operands. objdump differs, by design or because the text
comes from capstone, in:

	prefixes without effect		some that compilers do not emit, such as REX before MMX
	moves to debug registers	"%db0" is "%dr0"
	ud0, ud1, nop with registers	(bad), or without operands
	fields of EVEX that are illegal	"{bad}" is not written
	vpermil2pd, AMX's tilezero	capstone 4 does not know them, or swaps operands
	unknown bytes			(bad) is one opcode; where objdump goes on may differ
	shifts by 1			objdump 2.41 and later write "$1", earlier ones and erkit nothing
"""

import glob
import os
import re
import shutil
import subprocess
import sys

LIMIT = int(os.environ.get("DISASSEMBLY_LIMIT", "300000"))
LEAST = 0.9999
OURS = os.path.join(os.environ["BUILD"], "tests/libexpt/programs/disassemble")
count = failed = 0

SHIFT = re.compile(r"^((?:sh[lr]|sa[rl]|ro[lr]|rc[lr])[bwlq]?) \$(?:0x)?1,")


def ok(fact, text, detail=()):
    global count, failed
    count += 1
    failed += not fact
    print("%s %d - %s" % ("ok" if fact else "not ok", count, text), flush=True)
    if not fact:
        print("\n".join("# " + line for line in list(detail)[:40]))


def run(*command, text=None, check=True):
    return subprocess.run(command, input=text, check=check, capture_output=True, text=True).stdout


def section(path, name):
    """Start and end of a section."""
    for line in run("readelf", "-SW", path).splitlines():
        fields = line.replace("[ ", "[").split()
        if len(fields) > 5 and fields[1] == name:
            return int(fields[3], 16), int(fields[3], 16) + int(fields[5], 16)
    return 0, 0


def functions(path, start, end):
    """Ranges of code with unwind rules, in order."""
    ranges = set()
    for low, high in re.findall(r" pc=([0-9a-f]+)\.\.([0-9a-f]+)", run("readelf", "-wF", path, check=False)):
        low, high = int(low, 16), int(high, 16)
        if start <= low < high <= end:
            ranges.add((low, high))
    return sorted(ranges)


def normal(text):
    """Without names of addresses and alignment."""
    text = re.sub(r"\s+#.*| <.*", "", text)
    return SHIFT.sub(r"\1 ", " ".join(text.split()))


def theirs(path, start, end):
    listing = {}
    text = run("objdump", "-dz", "--no-show-raw-insn", "--start-address=%d" % start,
               "--stop-address=%d" % end, path)
    for line in text.splitlines():
        head, colon, rest = line.partition(":\t")
        if colon:
            listing[int(head, 16)] = normal(rest)
    return listing


def ours(path, ranges):
    listing = {}
    text = run(OURS, path, text="".join("%x %x\n" % pair for pair in ranges))
    for line in text.splitlines():
        address, rest = line.split("\t")
        listing[int(address, 16)] = normal(rest)
    return listing


def mnemonic(text, other):
    """The words before the operands; both have the same number of words if those are equal."""
    words = text.split(" ")
    return words if len(words) < 2 or "%" not in words[-1] and "$" not in words[-1] and \
        not re.match(r"^[0-9a-fx*(]", words[-1]) else words[:-1]


def compare(path, ranges, least):
    name = os.path.basename(path)
    if not ranges:
        return ok(False, "%s has code" % name)
    start, end = ranges[0][0], ranges[-1][1]
    their = theirs(path, start, end)
    known = [pair for pair in ranges if pair[0] in their]
    our = ours(path, known)
    wanted = {}
    addresses = sorted(their)
    at = 0
    for low, high in known:
        while at < len(addresses) and addresses[at] < low:
            at += 1
        while at < len(addresses) and addresses[at] < high:
            wanted[addresses[at]] = their[addresses[at]]
            at += 1
    boundaries = [a for a in wanted if a not in our] + [a for a in our if a not in wanted]
    both = [a for a in wanted if a in our and wanted[a] != our[a]]
    names = [a for a in both if mnemonic(wanted[a], our[a]) != mnemonic(our[a], wanted[a])]
    detail = ["%x: %s | %s" % (a, wanted.get(a, "-"), our.get(a, "-")) for a in boundaries + both]
    print("# %s: %d instructions of %d functions (objdump is elsewhere at the start of %d); differ: "
          "%d boundaries, %d mnemonics, %d operands" %
          (name, len(wanted), len(known), len(ranges) - len(known), len(boundaries), len(names),
           len(both) - len(names)))
    for line in detail[:5]:
        print("#   " + line)
    ok(len(wanted) > 0 and len(boundaries) + len(names) <= (1 - least) * len(wanted),
       "%s: boundaries and mnemonics are objdump's" % name, detail)
    ok(len(both) <= (1 - least) * len(wanted), "%s: operands are objdump's" % name, detail)


def program(path):
    if not path or not os.path.exists(path):
        count_skip(path or "a program")
        return
    start, end = section(path, ".text")
    if LIMIT and end - start > LIMIT:
        end = start + LIMIT
    compare(path, functions(path, start, end), LEAST)


def count_skip(path):
    global count
    count += 1
    print("ok %d - %s # SKIP it is not installed" % (count, path))


def rare():
    """Instructions that are rare, each of which must be right."""
    source = os.path.join(os.environ["TESTDIR"], "disassembly_rare.s")
    subprocess.run(["gcc", "-c", "-o", "rare.o", source], check=True)
    subprocess.run(["gcc", "-shared", "-nostdlib", "-o", "rare.so", "rare.o"], check=True)
    compare("rare.so", [section("rare.so", ".text")], 1)


def hostile():
    text = run(OURS, "--random", os.environ.get("DISASSEMBLY_RANDOM", "400000"))
    ok(re.match(r"\d+ instructions", text), "random bytes are disassembled: " + text.strip())


def find(*patterns):
    for pattern in patterns:
        for path in sorted(glob.glob(pattern)):
            return os.path.realpath(path)
    return None


rare()
hostile()
program(find("/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6"))
program(find("/usr/lib/x86_64-linux-gnu/libcrypto.so.3", "/usr/lib64/libcrypto.so.3"))
program(find("/usr/lib/x86_64-linux-gnu/libstdc++.so.6"))
program(find("/usr/bin/python3"))
program(find("/bin/bash"))
program(shutil.which("gdb"))
cc1 = run("gcc", "-print-prog-name=cc1").strip() if shutil.which("gcc") else None
program(cc1 if cc1 and os.path.isabs(cc1) else None)
print("1..%d" % count)
sys.exit(failed > 0)
