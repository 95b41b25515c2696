# SPDX-License-Identifier: Apache-2.0
"""Function rows compared with gprofng's: the same names and sums by name where its rules are right, and
every kind of difference where they are not. Prints TAP; gprofng.t runs it."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from experiment import Experiment  # noqa: E402

BASE = 0x7F0000000000
count = failed = 0


def ok(fact, text, detail=""):
    global count, failed
    count += 1
    failed += not fact
    print("%s %d - %s" % ("ok" if fact else "not ok", count, text))
    if not fact and detail:
        print("\n".join("# " + line for line in str(detail).splitlines()[:40]))


def rows(reader, path, form="long", folded=False):
    """Exclusive CPU time by name, <Total> included. gprofng has a row for each part of a function."""
    outline = ["-outline", "on"] if reader == "er_print" and not folded else []
    text = subprocess.run([reader, *outline, "-limit", "0", "-name", form, "-metrics",
                           "e.totalcpu", "-functions", path],
                          check=True, capture_output=True, text=True).stdout
    sums = {}
    for line in text.splitlines():
        match = re.match(r" *(\d+\.\d*) +(\S.*)$", line)
        if match:
            # gprofng chooses either of the two symbols of a constructor or destructor.
            name = re.sub(r"(?<=[CD])2(?=E)", "1", match[2])
            sums[name] = sums.get(name, 0) + round(float(match[1]) * 1000)
    return sums


def both(path, offsets, size=None):
    """Returns (gprofng's rows, ours) of one packet per image offset of the object at path."""
    experiment = Experiment("rows.er")
    size = size or (os.path.getsize(path) + 0xfff) & ~0xfff
    experiment.segment(os.path.abspath(path), address=BASE, size=size, offset=0)
    for offset in offsets:
        # A frame below, because a PLT stub alone is not a whole stack.
        experiment.clock([BASE + offset, BASE + 0xF0000000])
    experiment.write()
    return rows("gp-display-text", "rows.er"), rows("er_print", "rows.er")


def build(name, source, *flags):
    with open(name + ".cc", "w", encoding="utf-8") as file:
        file.write(source)
    language = "assembler" if "-nostdlib" in flags else "c++"
    subprocess.run(["g++", "-x", language, name + ".cc", "-x", "none", "-o", name, *flags],
                   check=True)


def functions(*names, size=16):
    return ".text\n" + "".join(".globl %s\n.type %s,@function\n%s: .skip %d\n.size %s,%d\n"
                               % (name, name, name, size, name, size) for name in names)


def text_of(path):
    """(image offset, size) of .text."""
    lines = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True,
                           text=True).stdout
    match = re.search(r" \.text +PROGBITS +\S+ (\S+) (\S+)", lines)
    return int(match[1], 16), int(match[2], 16)


def named(sums):
    return {name: value for name, value in sums.items() if not name.startswith("<static>")}


def names_all():
    """True if gprofng names all functions. Since 2.44 it treats those without a size, and others, as gaps."""
    text = subprocess.run(["gp-display-text", "--version"], check=True, capture_output=True,
                          text=True).stdout
    return tuple(int(part) for part in re.search(r"(\d+)\.(\d+)", text).groups()) < (2, 44)


def agree(text, theirs, ours):
    """Equal rows, or at least those of functions that gprofng names."""
    missing = set(theirs.items()) - set(ours.items())
    more = set(ours.items()) - set(theirs.items())
    if not names_all():
        missing = named(dict(missing))
        more = ()
    ok(not missing and not more, text,
       "gprofng: %s\nerkit: %s" % (sorted(missing), sorted(more)))


# ---- the same rows ------------------------------------------------------------------

PROGRAM = r"""
#include <map>
#include <string>
#include <vector>
#include <cstdio>
#include <cstdlib>
namespace ns { struct C { int v; C(); ~C(); int get() const; template <class T> T tm(T); }; }
ns::C::C() : v(std::rand()) {} ns::C::~C() { std::puts("end"); } int ns::C::get() const { return v; }
template <class T> T ns::C::tm(T t) { return t + v; }
namespace { __attribute__((noinline)) int anonf(int x) { return std::rand() + x; } }
int operator*(const ns::C &a, const ns::C &b) { return a.get() * b.get(); }
int thr(int x) { if (x > 5) throw std::string("five"); return x; }
static int all() { auto f = [](int x) { return anonf(x) + 1; };
	std::map<std::string, std::vector<std::string>> m; m["a"].push_back("b"); return f(m.size()); }
int main() { ns::C a, b; try { thr(std::rand()); } catch (std::string &s) { return s.size(); }
	return a * b + all() + a.tm<int>(3) + a.tm<double>(2.5); }
"""


def check_same():
    build("program", PROGRAM, "-O2", "-g", "-Wl,-z,noseparate-code")
    start, size = text_of("program")
    theirs, ours = both("program", range(start, start + size, 3))
    ok(len(theirs) > 25, "a C++ program has many rows", theirs)
    agree("its functions have the names and sums of gprofng", named(theirs), named(ours))
    agree("so have the gaps between them", theirs, ours)
    for form in "short", "mangled":
        theirs, ours = (rows(reader, "rows.er", form) for reader in ("gp-display-text",
                                                                     "er_print"))
        agree("their %s names are the same" % form, theirs, ours)


def libraries():
    text = subprocess.run(["ldd", "program"], check=True, capture_output=True, text=True).stdout
    return sorted({os.path.realpath(path) for path in re.findall(r"(/\S+) \(", text)})


def ifuncs(path):
    """Names of IFUNCs, without versions."""
    text = subprocess.run(["readelf", "--dyn-syms", "-W", path], check=True, capture_output=True,
                          text=True).stdout
    return {name.split("@")[0] for name in re.findall(r" IFUNC .* (\S+)$", text, re.M)}


def check_system():
    """Any objects installed here. If there are debug files, we have more rows."""
    for path in libraries():
        start, size = text_of(path)
        step = max(size // 4000, 1) | 1
        theirs, ours = both(path, range(start, start + size, step))
        differ = {name: (value, ours.get(name)) for name, value in named(theirs).items()
                  if value != ours.get(name) and
                  (value > ours.get(name, 0) or name not in ifuncs(path))}
        ok(len(theirs) > 9 and not differ, "what gprofng can name of %s has the same sums"
           % os.path.basename(path), differ)


# ---- where the rows differ, and why -------------------------------------------------

NAMELESS = " --  no functions found"
ASSEMBLE = ("-shared", "-nostdlib", "-Wl,-z,noseparate-code")


def differs(text, path, offset, theirs, ours):
    """One packet at an offset of .text, or of the image: the two names of its row. Each version of
    gprofng has its own name."""
    if offset >= 0:
        offset += text_of(path)[0]
    got = [[name for name in sums if name not in ("<Total>", "<Unknown>")]
           for sums in both(path, [abs(offset)])]
    ok(got[0] in [[name] for name in theirs] and got[1] == [ours], text,
       "gprofng %s, erkit %s" % tuple(got))


def gap(path, offset, nameless=""):
    return "<static>@0x%x (<%s>)%s" % (offset, os.path.basename(path), nameless)


def code_size(path):
    text = subprocess.run(["readelf", "-lW", path], check=True, capture_output=True,
                          text=True).stdout
    return int(re.search(r" LOAD .* (\S+) R E ", text)[1], 16)


def check_differences():
    build("ifunc", functions("f") + ".globl chosen\n.type chosen,@gnu_indirect_function\n"
          "chosen: .skip 16\n.size chosen,16\n" + functions("g"), *ASSEMBLE)
    start = text_of("ifunc")[0]
    differs("an IFUNC is a function", "ifunc", 20,
            [gap("ifunc", start + 16), gap("ifunc", start + 48)], "chosen")

    build("partly", functions("exported", "other"), *ASSEMBLE)
    subprocess.run(["strip", "-N", "exported", "partly"], check=True)
    differs("a name that only .dynsym has counts beside a .symtab", "partly", 3,
            [gap("partly", 0)], "exported")

    build("sizeless", functions("f") + ".globl last\n.type last,@function\nlast: .skip 40\n",
          *ASSEMBLE)
    start = text_of("sizeless")[0]
    differs("the last function needs no size", "sizeless", 30,
            [gap("sizeless", start + 16)], "last")

    build("separate", functions("f") + ".skip 64\n", "-shared", "-nostdlib")
    start = text_of("separate")[0]
    differs("a gap behind the size of the code is named like others", "separate", 40,
            [gap("separate", code_size("separate"), NAMELESS), gap("separate", start + 16)],
            gap("separate", start + 16))

    build("stripped", "int main() { return 0; }\n", "-s", "-static-pie", "-nostartfiles",
          "-Wl,-e,main")
    differs("an object without functions is one row", "stripped", 2,
            [gap("stripped", code_size("stripped"), NAMELESS), gap("stripped", 0)],
            gap("stripped", 0, NAMELESS))


PARTS = ("f", "f.cold", "f.part.0", "f.part.0.cold", "f.isra.0", "f.constprop.1", "f.cold.1",
         "f.specialized.2", "f.lto_priv.3", "f.llvm.4", "_Z1gi.constprop.0.cold", "_Z1gi.constprop.0")


def check_parts():
    """gprofng keeps all parts of functions apart, and so do we if asked to."""
    build("parts", functions(*PARTS), *ASSEMBLE)
    start = text_of("parts")[0]
    theirs, ours = both("parts", range(start, start + 16 * len(PARTS), 8))
    ok(len(theirs) == len(PARTS) + 2 and theirs == ours, "parts of functions are rows with outline on",
       "gprofng %s, erkit %s" % (theirs, ours))
    folded = named(rows("er_print", "rows.er", folded=True))
    ok(folded == {"<Total>": 240, "<Unknown>": 0, "f": 200, "g(int)": 40},
       "they count for their function else", folded)
    folded = named(rows("er_print", "rows.er", "mangled", folded=True))
    ok(folded == {"<Total>": 240, "<Unknown>": 0, "f": 160, "f.lto_priv.3": 20, "f.llvm.4": 20,
                  "_Z1gi": 40}, "but functions that only the linker's numbers tell apart are not added",
       folded)


def callees(outline, *stack):
    """The callees of f in a stack of main, f, and f.part.0."""
    start = text_of("calls")[0]
    experiment = Experiment("calls.er")
    experiment.segment(os.path.abspath("calls"), address=BASE, size=0x2000, offset=0)
    experiment.clock([BASE + start + 16 * ("main", "f", "f.part.0").index(name) + 4 for name in stack])
    experiment.write()
    text = subprocess.run(["er_print", "-outline", outline, "-metrics", "e.totalcpu", "-csingle", "f",
                           "calls.er"], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^ *[\d.]+ +(\S+)$", text.split("Callees")[1], re.M)


def check_calls_of_parts():
    """A function that calls its own part does not call itself."""
    build("calls", functions("main", "f", "f.part.0"), *ASSEMBLE)
    got = [callees("on", "f.part.0", "f", "main"), callees("off", "f.part.0", "f", "main"),
           callees("off", "f", "f", "main"), callees("off", "f.part.0", "f", "f.part.0", "f", "main")]
    ok(got == [["f.part.0"], [], ["f"], ["f"]], "calls of parts are no recursion", got)


def sections_of(path, prefix):
    """Maps the names of sections to (image offset, size)."""
    lines = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True,
                           text=True).stdout
    return {match[1]: (int(match[2], 16), int(match[3], 16)) for match in
            re.finditer(r" (%s\S*) +PROGBITS +\S+ (\S+) (\S+)" % re.escape(prefix), lines)}


def stub_rows(path, offset):
    """The rows, by both readers, of a stub as the leaf, and below another frame."""
    answers = []
    for pcs in [BASE + offset, BASE + 0xF0000000], [BASE + 0xF0000000, BASE + offset]:
        experiment = Experiment("rows.er")
        experiment.segment(os.path.abspath(path), address=BASE, size=1 << 20, offset=0)
        experiment.clock(pcs)
        experiment.write()
        for reader in "gp-display-text", "er_print":
            sums = rows(reader, "rows.er")
            answers.append([name for name in sums if name not in ("<Total>", "<Unknown>")])
    return answers


def check_stubs():
    """gprofng knows only .plt, as one function; we name the stubs of all tables, and drop all at the leaf."""
    for flags in ("-Wl,-z,lazy",), ("-fcf-protection", "-Wl,-z,ibtplt"):
        build("stubs", "#include <cstdio>\nint main() { return std::puts(\"\"); }\n", "-O2", *flags)
        plts = sections_of("stubs", ".plt")
        kind = ".plt.sec" if ".plt.sec" in plts else ".plt"
        offset = plts[kind][0] + (0 if kind == ".plt.sec" else 16)
        leaf_theirs, leaf_ours, theirs, ours = stub_rows("stubs", offset)
        ok(leaf_ours == [] and (leaf_theirs == [] or kind == ".plt.sec"),
           "a stub of %s is dropped at the leaf" % kind, (leaf_theirs, leaf_ours))
        ok(ours == ["puts@plt"] and (theirs == ["@plt"] or kind == ".plt.sec"),
           "a stub of %s has the name of its target" % kind, (theirs, ours))


def separate_debug(directory, source):
    """Makes a stripped object in the directory, and its debug file beside it."""
    os.makedirs(directory, exist_ok=True)
    build("whole", source, *ASSEMBLE, "-Wl,--build-id=sha1")
    for command in ("objcopy --only-keep-debug whole %s/object.debug",
                    "strip -o %s/object whole",
                    "cd %s && objcopy --add-gnu-debuglink=object.debug object"):
        subprocess.run(command % directory, shell=True, check=True)
    return directory + "/object"


HIDDEN = ".text\n.type %s,@function\n%s: .skip 16\n.size %s,16\n"


def check_debug_files():
    path = separate_debug("beside", HIDDEN % (("hidden",) * 3))
    start = text_of(path)[0]
    differs("a debug file beside the object names its functions", path, 3, ["hidden"], "hidden")
    path = separate_debug("below", HIDDEN % (("hidden",) * 3))
    os.makedirs("below/.debug", exist_ok=True)
    os.rename("below/object.debug", "below/.debug/object.debug")
    differs("so does one in the .debug directory", path, 3,
            [gap(path, 0, NAMELESS), gap(path, 0)], "hidden")
    path = separate_debug("wrong", HIDDEN % (("hidden",) * 3))
    build("whole", HIDDEN % (("wrong",) * 3), *ASSEMBLE, "-Wl,--build-id=sha1")
    subprocess.run("objcopy --only-keep-debug whole wrong/object.debug", shell=True, check=True)
    differs("a debug file of another build does not", path, 3, ["wrong"], gap(path, 0, NAMELESS))


check_same()
check_system()
check_differences()
check_parts()
check_calls_of_parts()
check_stubs()
check_debug_files()
print("1..%d" % count)
sys.exit(failed > 0)
