#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""commands.py EXPERIMENT... - each command of gp-display-text over each experiment, compared with er_print.

Prints "same EXPERIMENT COMMAND: LINES" or "different ...", with the lines that differ, "failed ..." if er_print
fails, and "new COMMAND" for each command of gprofng's help that neither COMMANDS nor LEFT_OUT has. Every difference
that is meant is a rule below, with its reason; a rule is applied to the lines of both programs.
"""

import difflib
import html
import re
import subprocess
import sys

# ---- rules for all commands ----

# gprofng looks up no names in debug files, and none in .dynsym of a file that has .symtab: there it has a row for
# a gap, which may also swallow functions. functions.py compares their values. Here only rows of the program are
# compared, and frames elsewhere have no name.
OWN = set("burn left right keep allocate files work main leaf_a leaf_b leaf_with_a_long_name middle top_one "
          "top_two <Total> <Unknown> <Truncated-stack>".split())
ROW = re.compile(r"^((?:##)?[ *+|-]*(?:(?:[\d.]+%?|\d+:0x[0-9a-f]+) +)+[ *+|-]*)([A-Za-z_<].*)$")
FRAME = re.compile(r"^( +)([A-Za-z_<(].*?) \+ 0x[0-9A-F]{8,16}(, line .*)?$")


def is_own(name):
    name = re.sub(r"^<Function: (.*), instructions without line numbers>$", r"\1", name)
    return re.split(r" \+ 0x|, line | \[|\(|\\", name)[0].strip() in OWN


def general(line):
    line = re.sub(r"^Stack 0x.*", "Stack", line.rstrip())  # a memory address, other in each run
    # gprofng counts times in microseconds: shorter ones are nothing, and shares of small ones differ.
    line = re.sub(r"(?<![\d.])0\.000 +\( *[\d.]+ *%\)", "0. ( 0. %)", line)
    line = re.sub(r"(?<![\d.\"])0\.000(?!\d)", "0.   ", line)
    frame = FRAME.match(line)
    return frame[1] + "<outside>" if frame and not is_own(frame[2]) else line


def own_rows(lines):
    return [line for line in lines if not ROW.match(line) or is_own(ROW.match(line)[2])]


# ---- rules for some commands ----


def in_any_order(lines):
    """Rows with the same value: gprofng has them in the order of its memory."""
    return sorted(lines)


def without_lines(*patterns):
    """Lines that only er_print prints."""
    return lambda lines: [line for line in lines if not any(re.search(pattern, line) for pattern in patterns)]


def only_line(pattern):
    return lambda lines: [line for line in lines if re.search(pattern, line)]


def replaced(pattern, text):
    return lambda lines: [re.sub(pattern, text, line) for line in lines]


# A selection of all that there is; gprofng says so, or has a number of its own.
SELECTED = replaced(r"^( *\d+) (all|\d+) +", r"\1 all ")


def without_paragraph(pattern):
    """Without the lines from the one that matches to the next empty one."""
    def remove(lines):
        kept, is_in = [], False
        for line in lines:
            is_in = bool(re.search(pattern, line)) or (is_in and bool(line))
            if not is_in:
                kept.append(line)
        return [line for i, line in enumerate(kept) if line or (i and kept[i - 1])]
    return remove


def blocks(is_wanted):
    """Texts between empty lines, only those that are wanted, in any order."""
    def keep(lines):
        text = "\n".join(lines)
        found = [own_rows(block.split("\n")) for block in re.split(r"\n\n+", text) if is_wanted(block)]
        return sorted("\n".join([block[0], *sorted(block[1:])]) for block in found)
    return keep


def has_own_center(block):
    center = re.search(r"^[\d. %]+ \*(\S.*)$", block, re.M)
    return not center or is_own(center[1])


def has_own_head(block):
    head = block.split("\n")[0]
    return head.startswith(("\t", " ", "Objects sorted", "Functions sorted")) or is_own(head)


def depths(lines):
    """In a tree: how deep a row is, not the strokes, which depend on those after it."""
    def row(match):
        return "%s%d %s" % (match[1].split("+-")[0].rstrip(" |"), len(match[1].rstrip()), match[2])
    return [ROW.sub(row, line) for line in lines]


def fields(lines):
    """Times in separated fields have all nanoseconds; gprofng rounds them, and leaves nothing of the small ones."""
    def number(match):
        return '"%.3f"' % float(match[1]) if float(match[1]) >= 0.0005 else '"0."'
    return [re.sub(r'"(\d+\.\d{3,9})"', number, line) for line in lines
            if not line.startswith('"') or is_own(line.split('","')[-1].rstrip('"'))]


def cells(lines):
    """A page of its own form has the same cells in its rows."""
    text = html.unescape("\n".join(lines).replace("&nbsp;", " "))
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", text, re.S)
    found = [[re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)]
             for row in rows]
    return [" ".join(row) for row in found if row and is_own(row[-1])]


def types(lines):
    """Names and expressions; gprofng has more parentheses."""
    return [re.sub("[()]", "", " ".join(line.split()[:2])) for line in lines if line.startswith("  ")]


SUMMARY = (
    # gprofng says "Objects" for lines and addresses.
    replaced(r"^(Objects|Lines|PCs|Functions) sorted", "Rows sorted"),
    # The source is that in the debug data; er_print adds the directory of the compilation, if there is none.
    replaced(r"(Source File: ).*/", r"\1"),
)
# gprofng has no sizes of lines and addresses, and prints negative numbers; the address of a line is any of its.
WITHOUT_SIZES = (*SUMMARY, without_lines(r"^\s*Size: "))
WITHOUT_PLACES = (*SUMMARY, without_lines(r"^\s*(Size|PC Address): "))
# These have the CPU time that was recorded, and its part in samples.
EXPERIMENTS = (
    replaced(r"CPU sec\. +Sampled ", ""),
    replaced(r"======== ======= ", ""),
    replaced("=+", "="),
    replaced(r"^( *\d+ \w+ +-?\d+) +(?:[\d.]+ +[\d.]+%|-? +-?) ", r"\1 "),
)
# What is unknown has no lines, like other functions without.
UNKNOWN = replaced(r"<Function: <Unknown>, instructions without line numbers>", "<Unknown>")
# Threads are numbered as they are met, and gprofng reads the kinds of data in another order.
THREADS = replaced(r", Thread \d+$", ", Thread")
LISTING = (
    # Only er_print says so.
    without_lines("^Warning: .* is newer than the experiment"),
    # Shares are always 0 in gprofng's listings.
    replaced(r"^(##)? *([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+ ", r"\1 \2 \3 "),
    replaced(r"^(Source file|Object file|Load Object): .*/", r"\1: "),
    replaced(r" +", " "),
)
TOTALCPU = "-metrics e.%totalcpu:i.%totalcpu:name"

# Messages that a log has by number only are in words of our own.
MESSAGES = replaced(r"^(\*\*\* Collector \w+: ).*", r"\1")

# Experiments without some kinds of data: both readers print nothing of these.
WITHOUT_SOME = ("shape.er", "family.er", "waits.er", "messages.er", "io.er", "io_second.er", "heap.er", "heap_more.er",
                "counters.er", "omp.er", "theirs.er")
# The commands of gprofng, with the rules for each, in order.
COMMANDS = [
    ("-functions", [own_rows, in_any_order]),
    ("-metrics all -functions", [own_rows, in_any_order]),
    ("-sort name -functions", [own_rows]),
    ("-limit 3 -functions", [own_rows, in_any_order]),
    ("-fsummary", [*SUMMARY, blocks(has_own_head)]),
    ("-fsingle main 1", [*SUMMARY, in_any_order]),
    ("-callers-callees", [blocks(has_own_center)]),
    ("-gprof", [blocks(has_own_center)]),
    ("-csingle main 1", [own_rows, in_any_order]),
    ("-calltree", [own_rows, depths, in_any_order]),
    ("-ctree", [own_rows, depths, in_any_order]),
    ("-leaks", [in_any_order]),
    ("-allocs", [in_any_order]),
    ("-heap", [in_any_order]),
    ("-heapstat", []),
    ("-ioactivity", []),
    ("-iodetail", []),
    ("-iocallstack", [in_any_order]),
    ("-iostat", []),
    ("-pcs", [own_rows, in_any_order]),
    ("-psummary", [*WITHOUT_SIZES, blocks(has_own_head)]),
    ("-lines", [UNKNOWN, own_rows, in_any_order]),
    ("-lsummary", [UNKNOWN, *WITHOUT_PLACES, blocks(has_own_head)]),
    (TOTALCPU + " -source main 1", [*LISTING]),
    # gprofng's targets are relative to the function; tests/libexpt/disassembly.t compares with objdump.
    (TOTALCPU + " -disasm main 1", [*LISTING, replaced(r"((?:call|j\w+|#) ).*", r"\1")]),
    ("-indxobj Threads", [THREADS, in_any_order]),
    ("-indxobj CPUs", [in_any_order]),
    ("-indxobj Samples", [in_any_order]),
    ("-indxobj Seconds", [in_any_order]),
    ("-indxobj Processes", [in_any_order]),
    ("-Threads", [THREADS, in_any_order]),
    # Regions and tasks of OpenMP are commands here, not types; gprofng knows nothing of MPI.
    ("-indxobj_list", [types, without_lines("^OpenMP", "^(Communicators|Partner_Ranks|Message_Tags) ")]),
    ("-experiment_list", [*EXPERIMENTS]),
    ("-exp_list", [*EXPERIMENTS]),
    ("-sample_list", []),
    ("-lwp_list", []),
    ("-thread_list", []),
    ("-cpu_list", []),
    ("-filters LWPID==1 -functions", [own_rows, in_any_order]),
    # gprofng knows what there is only after a list of it.
    ("-sample_list -sample_select 1 -functions", [SELECTED, own_rows, in_any_order]),
    ("-lwp_list -lwp_select 1 -functions", [SELECTED, own_rows, in_any_order]),
    ("-thread_list -thread_select 1 -functions", [SELECTED, own_rows, in_any_order]),
    ("-cpu_list -cpu_select 0 -functions", [SELECTED, own_rows, in_any_order]),
    ("-object_list", []),
    ("-metric_list", []),
    # gprofng names another metric than the one that it sorts by, and lists only what is shown; metrics of
    # index objects it lists in scripts only.
    ("-cmetric_list", [only_line(r"^Current caller-callee metrics")]),

    ("-name short -functions", [own_rows, in_any_order]),
    ("-name long:soname -functions", [own_rows, in_any_order]),
    ("-name mangled -functions", [own_rows, in_any_order]),
    ("-viewmode machine -functions", [own_rows, in_any_order]),
    ("-viewmode expert -functions", [own_rows, in_any_order]),
    ("-compare on -functions", [own_rows, in_any_order]),
    ("-printmode html -functions", [cells, in_any_order]),
    ("-printmode , -functions", [fields, in_any_order]),
    # gprofng takes the resolution of the clock for its interval, and does not count packets.
    ("-header 1", [without_lines(r"^  Clock-profiling, interval"), replaced(r"(size limit, \d+) MB", r"\1"),
                   without_paragraph(r"^Packets recorded"), MESSAGES]),
    ("-objects", [without_lines("is newer than the experiment"), in_any_order]),
    # The kinds of data are in another order, below other titles, and other metrics are called hot.
    ("-overview", [without_lines(r"^ *[A-Z][A-Za-z ]*$"), replaced(r"\[\*", "["), in_any_order]),
    ("-sample_detail 1", []),
    # That is in the list of experiments, too.
    ("-statistics 1", [without_lines("CPU Time Recorded", "With Samples")]),
]


# Commands of gprofng's help that are not compared, and why.
LEFT_OUT = {
    "other tests compare them": "source disasm cprepend cappend crmfirst crmlast filters compare printmode "
                                "object_select object_show object_hide object_api objects_default setpath addpath "
                                "pathmap viewmode name limit sort metrics",
    "the texts are our own": "describe version help procstats ifreq deadlocks dsummary indx_metric_list",
    "views of a graphical program, in later versions": "tabs rtabs tlmode tldata timeline callflame dsrc srcdis",
    "they print no figures": "scc sthresh dcc cc dthresh preload_libdirs indxobj_define outfile appendfile open_exp "
                             "add_exp drop_exp dmetrics dsort en_desc script quit",
}

# A log without the end of the program ends with its last event, not nowhere; an exec
# that failed did not start, and does not end the experiment.
ENDS = (without_lines(r"^Experiment Ended", r"^Data Collection Duration"), replaced("^Started ( *execve.*err)", r"Failed \1"))
# gp-collect-app records fclose without its descriptor; only the statistics of gprofng leave such calls out.
WITHOUT_ENDS = ("family.er", "waits.er", "io.er", "io_second.er", "messages.er", "heap.er", "heap_more.er",
                "counters.er", "omp.er")
OTHER_TIME = replaced(r"^( *\S+ +\S+ +)\S+( .*<(Total|Other IO activity)>)", r"\1\2")
# Rules for single experiments.
MORE_RULES = {
    ("theirs.er", "-iostat"): [without_paragraph(r"^Other I/O")],
    # Of all calls without a descriptor gprofng's files have the time of the last one only; its functions have all.
    ("theirs.er", "-ioactivity"): [OTHER_TIME],
    ("theirs.er", "-iodetail"): [OTHER_TIME],
    ("theirs.er", "-iocallstack"): [lambda lines: lines[:3]],
    # gprofng has several rows of one unknown address.
    ("counters.er", "-pcs"): [without_lines("<Unknown>")],
    ("counters.er", "-psummary"): [without_lines("^<Unknown>")],
    # Each counter is in a line of its own; recorders do not agree about the rest.
    ("counters.er", "-header 1"): [without_lines("HW counter", "^ +[a-z]+, tag")],
    ("omp.er", "-header 1"): [without_lines("OpenMP tracing")],
    ("messages.er", "-overview"): [without_lines(r"Duration")],
}


def run(reader, words):
    """gprofng now and then hangs at its start: try again."""
    for _ in range(4 if reader == "gp-display-text" else 0):
        try:
            return subprocess.run([reader, *words], capture_output=True, text=True, timeout=20).stdout
        except subprocess.TimeoutExpired:
            pass
    done = subprocess.run([reader, *words], capture_output=True, text=True, timeout=300)
    if reader == "er_print" and (done.returncode not in (0, 1) or "Sanitizer" in done.stderr):
        print("failed er_print %s: status %d, %s" % (" ".join(words), done.returncode, done.stderr))
    return done.stdout


def output(reader, command, path, rules):
    lines = [general(line) for line in run(reader, [*command.split(" "), path]).splitlines()]
    for rule in rules:
        lines = rule(lines)
    # How wide a column is depends on rows that were left out.
    return [re.sub(r" +", " ", line) for line in lines]


def is_close(a, b):
    """gprofng cuts each time to microseconds: sums may end in another thousandth, shares in another hundredth. Nothing is
    "0."."""
    a, b = (re.split(r"([\s\"()%[\]]+)", text) for text in (a, b))

    def is_same(x, y):
        if x == y or not all(re.fullmatch(r"-?\d+\.\d*", text) for text in (x, y)):
            return x == y
        is_time = any(re.search(r"\.\d{3}$", text) for text in (x, y))
        return abs(float(x) - float(y)) < (0.0011 if is_time else 0.11)

    return len(a) == len(b) and all(map(is_same, a, b))


def without_pairs(ours, theirs):
    """The lines that the other has not, not even with close figures; their order was compared by the rules."""
    left = list(theirs)
    ours_only = []
    for line in ours:
        place = left.index(line) if line in left else next(
            (i for i, other in enumerate(left) if is_close(line, other)), None)
        if place is None:
            ours_only.append(line)
        else:
            del left[place]
    return ours_only, left


def compare(command, path, rules):
    ours, theirs = (output(reader, command, path, rules) for reader in ("er_print", "gp-display-text"))
    is_same = ours == theirs or (len(ours) == len(theirs) and without_pairs(ours, theirs) == ([], []))
    if is_same and (ours or path in WITHOUT_SOME):
        print("same %s %s: %d lines" % (path, command, len(ours)))
        return
    print("different %s %s" % (path, command))
    ours, theirs = ("\n".join(lines).split("\n") for lines in (ours, theirs))
    for line in list(difflib.unified_diff(theirs, ours, n=0, lineterm=""))[2:]:
        print("  " + line)


def report_new(path):
    """The commands of gprofng's help, which an experiment must be given for, that neither list has."""
    text = run("gp-display-text", ["-help", path])
    names = re.findall(r"^     ([A-Za-z_-]+)", text, re.M)
    known = {word.lstrip("-") for command, _ in COMMANDS for word in command.split()}
    known |= {word for words in LEFT_OUT.values() for word in words.split()}
    for name in names:
        if name not in known:
            print("new %s" % name)
    return len(names)


if report_new(sys.argv[1]) < 50:
    print("there is no help of gprofng")
for path in sys.argv[1:]:
    for command, rules in COMMANDS:
        more = MORE_RULES.get((path, command), [])
        more = [*more, *ENDS] if command.startswith("-header") and path in WITHOUT_ENDS else more
        compare(command, path, [*rules, *more])
