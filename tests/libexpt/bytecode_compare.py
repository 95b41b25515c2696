# SPDX-License-Identifier: Apache-2.0
"""Compare bytecode with javap's: bytecode_compare.py FILE.class..."""
import os
import re
import subprocess
import sys

NUMBER = re.compile(r"// (float|double) (\S+)[fd]$")


def words(text):
    """Without its layout; javap writes some numbers with more digits than needed."""
    text = re.sub(r"\s+", " ", text).strip()
    number = NUMBER.search(text)
    if number and number[2] not in ("NaN", "Infinity", "-Infinity"):
        text = NUMBER.sub("// %s %r" % (number[1], nearest(number[1], float(number[2]))), text)
    return text


def nearest(kind, value):
    import struct

    return struct.unpack("f", struct.pack("f", value))[0] if kind == "float" else value


def name_of(declaration, own):
    if declaration.startswith("static {}"):
        return "<clinit>"
    found = re.search(r"([^\s(]+)\(", declaration)
    return "<init>" if found[1] == own.replace("/", ".") else found[1]


def methods_of(path):
    """What javap says: (name, signature, instructions) of each method with code."""
    text = subprocess.run(
        ["javap", "-J-Dfile.encoding=UTF-8", "-J-Dstdout.encoding=UTF-8", "-p", "-c", "-s", "-v", path],
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    own = re.search(r"this_class: #\d+\s+// (\S+)", text)[1].strip('"')
    methods, name, signature, code = [], None, None, None
    lines = iter(text.split("\n{\n", 1)[1].split("\n"))
    for line in lines:
        if re.match(r"^  \S.*;$", line):
            name = name_of(line.strip(), own) if "(" in line or "{}" in line else None
            code = None
        elif line.startswith("    descriptor: "):
            signature = line.split()[1]
        elif line == "    Code:":
            code = []
            methods.append((name, signature, code))
        elif code is not None and re.match(r"^ *\d+: \S", line) and line.index(":") == 10:
            if "switch" in line:
                parts = []
                for part in lines:
                    if part.strip() == "}":
                        break
                    parts.append(part)
                line = line.split("{")[0] + "{ " + ", ".join(map(words, parts)) + " }"
            code.append(words(line))
        elif code is not None and re.match(r"^ {0,6}\S", line) and not line.startswith("      stack="):
            code = None
    return methods


def ours(path, methods):
    program = os.environ["BUILD"] + "/tests/libexpt/programs/bytecode"
    questions = "".join("%s %s\n" % (name, signature) for name, signature, _code in methods)
    answer = subprocess.run(
        [program, path], input=questions, capture_output=True, encoding="utf-8", check=True
    )
    found = []
    for line in answer.stdout.splitlines():
        if line.startswith("== "):
            found.append([])
        else:
            found[-1].append(words(line))
    return found


def main():
    compared = 0
    for path in sys.argv[1:]:
        methods = methods_of(path)
        differ = 0
        for (name, signature, code), found in zip(methods, ours(path, methods)):
            compared += len(code)
            if code == found:
                continue
            differ += 1
            for one, other in zip(code + [""] * len(found), found + [""] * len(code)):
                if one != other:
                    print("# %s %s:\n#   javap: %s\n#   erkit: %s" % (name, signature, one, other))
                    break
        print("%s - %s: %d methods" % ("ok" if differ == 0 else "not ok", os.path.basename(path), len(methods)))
    print("%s - %d instructions are compared" % ("ok" if compared > 10000 else "not ok", compared))
    print("1..%d" % len(sys.argv))


main()
