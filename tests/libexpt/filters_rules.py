# SPDX-License-Identifier: Apache-2.0
"""Expressions compared with other programs: which events gp-display-text keeps, with the intended
differences one by one, and the values that C++ computes. Prints TAP; filters.t runs it."""

import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from experiment import Experiment, symbols  # noqa: E402

FILTER = os.path.join(os.environ["BUILD"], "tests/libexpt/programs/filter")
TICKS, EVENTS = 8, 4  # of the clock, and of a counter
STACKS = ["alpha main _start", "beta main _start", "alpha beta main _start", "beta alpha main _start",
          "gamma alpha beta main _start", "gamma beta alpha beta main _start", "delta _start",
          "main _start"]
count = failed = 0


def ok(fact, text, detail=""):
    global count, failed
    count += 1
    failed += not fact
    print("%s %d - %s" % ("ok" if fact else "not ok", count, text))
    if not fact and detail:
        print("\n".join("# " + line for line in str(detail).splitlines()[:40]))


# ---- the experiment ----


def make_experiment():
    """Event i lasts 2^i ticks, or has 2^i events: a total shows which of them were kept."""
    names = "alpha beta gamma delta main _start".split()
    with open("shape.s", "w", encoding="utf-8") as file:
        file.write(".text\n" + "".join(
            ".globl %s\n.type %s,@function\n%s: .skip 16,0x90\n.size %s,16\n" % (name, name, name, name)
            for name in names))
    subprocess.run(["gcc", "-nostdlib", "-static", "-o", "shape", "shape.s"], check=True)
    experiment = Experiment("rules.er", kinds=("profile", "hwcounters"), counters=[("cycles", 0x203)])
    base = experiment.segment(os.path.abspath("shape"))
    address = {name: value + base + 4 for name, value in symbols("shape").items()}
    for i in range(TICKS):
        experiment.clock([address[name] for name in STACKS[i].split()], ticks=1 << i,
                         thread=1 + i % 4, cpu=i % 2)
    for i in range(EVENTS):
        experiment.count([address[name] for name in STACKS[i].split()], 0, 1 << i,
                         address=(0, 5, 0x1000, 0xFFFFFFFFFFFFF000)[i], pc=address[STACKS[i].split()[0]],
                         thread=2 + i, cpu=i % 2)
    experiment.write()


def kept_by_gprofng(expressions):
    """For each, (the number of the clock events kept, of the counter's), or None if it is refused."""
    words = [word for text in expressions for word in ("-filters", text, "-functions")]
    result = subprocess.run(["gp-display-text", "-limit", "1", "-metrics", "e.totalcpu:e.+cycles"] + words
                            + ["rules.er"], check=True, capture_output=True, text=True)
    bad = set(re.findall(r"Invalid filter specification `(.*)'$", result.stderr, re.M))
    text = result.stdout
    # 2.44 has the seconds of the cycles, too.
    totals = re.findall(r"^ *(\d+\.\d*) +(?:\d+\.\d* +)?(\d+) +<Total>$", text, re.M)
    if len(totals) != len(expressions):
        raise ValueError("%d totals of %d filters" % (len(totals), len(expressions)))
    return [None if expression in bad else (round(float(ticks) * 100), int(events))
            for expression, (ticks, events) in zip(expressions, totals)]


def values(expressions):
    """The values of each for all events, as texts, or None if it is refused."""
    lines = subprocess.run([FILTER, "rules.er"], input="".join(text + "\n" for text in expressions),
                           check=True, capture_output=True, text=True).stdout.splitlines()
    return [None if line.startswith("-") else line.split() for line in lines]


def kept_by_us(expressions):
    def bits(kept):
        return sum(1 << i for i, value in enumerate(kept) if value != "0")
    return [row and (bits(row[:TICKS]), bits(row[TICKS:])) for row in values(expressions)]


# ---- rules, one by one ----

SAME = """
THRID==1; thrid == 1; THRID!=1; THRID<=2; THRID>=3; THRID<2; !(THRID==1); CPUID; 0; -1; ~-1; 0x10==16
010==8; 08; 0b1==1; 1u; 1.5; 18446744073709551615==-1; 'a'; "1"; FOO; _FOO; THRID1; 1 2; THRID==; (; ); ((1)
(); THRID=1; THRID<>1; THRID===1; THRID and 1; 1 NOT IN 2; 1 SOMEIN 1; # 1
-1<0; -1>0; THRID-3>0; THRID>-1; (-1>>63)==1; (0-4)/2==-2; (1<<63)/-1==0; 1/0; 1%0; (1<<65)==2; THRID/0==0
(1<<(0-1))==(1<<63); THRID==1||1/0; 2*3+1==7; 8/4/2==1; (1-2-3)==-4; 3&1==1; 2&2==2; !0==1; !1+1; !THRID==1
0?1:0?2:0; 1?2:0; THRID==1?CPUID==0:CPUID==1; 1||0&&1; 1,0; 0,1; (1,0); (1,2)==2; (1,2)+1==3; (1,0)?1:0
THRID IN (1,2); THRID IN 1,2; THRID IN 1; 1,2 IN THRID; (1,2) IN (2,1); (1,2) SOME IN (2,3); (1,1) IN 1
(1,4) IN (1,2,3); (1,4) SOME IN (1,2,3); (1,2) ORDERED IN (1,2,3); (1,3) ORDERED IN (1,2,3); 1 some  in 1
(3,2) ORDERED IN (1,2,3); (1,1,2) ORDERED IN (1,1,1,2); (1,2) ORDERED IN 1; 2 ORDERED IN (1,2,3)
((1,2),3) IN (1,2,3); (1,(2,3)) ORDERED IN (1,2,3); (THRID,CPUID) IN (1,0); THRID IN (CPUID,7); THRID IN (THRID,7)
THRID IN (1,; THRID IN (,1); THRID IN (); 1 IN 2; ! 1 IN 2; !(1 IN 2); 1+1 IN 2; 3 SOME IN THRID
VADDR; VADDR==0; !VADDR; VADDR>255; VADDR==5; VADDR<256; VADDR-VADDR; VADDR&&0; 0&&VADDR; VADDR==5&&THRID==1
VADDR==5||THRID==1; THRID==1||VADDR==5; VADDR?0:1; 0?VADDR:0; VADDR IN 5; 5 IN VADDR; (0,VADDR) IN 0; HWCINT==2
VADDR>0x7fffffffffffffff; VADDR>>12; VADDR>255?VADDR/4096==1:-1; VIRTPC; MSTATE==10; NTICK==4; HWCTAG==0
FNAME("alpha") IN USTACK; FNAME("alpha") SOME IN USTACK; FNAME("alph") IN USTACK; FNAME("ALPHA") IN USTACK
FNAME("^alpha$") IN USTACK; FNAME("al(ph|x)a") SOME IN USTACK; fname ( "alpha" ) some in ustack; FNAME("") IN LEAF
FNAME("alpha|beta") IN USTACK; FNAME("alpha|beta") SOME IN USTACK; FNAME(".*ta") SOME IN USTACK
FNAME("nothing") IN USTACK; FNAME("nothing") SOME IN USTACK; !(FNAME("nothing") IN USTACK); FNAME("alp.*") IN LEAF
USTACK SOME IN FNAME("alpha"); USTACK IN FNAME("alpha"); LEAF IN USTACK
FNAME("alpha") IN XSTACK; FNAME("alpha") IN MSTACK; FNAME("alpha") IN STACK; FNAME(alpha) IN LEAF; FNAME("a
LEAF IN FNAME("alpha"); LEAF SOME IN FNAME("alpha|beta"); LEAF==FNAME("alpha"); FNAME("alpha")==LEAF
LEAF!=FNAME("alpha"); USTACK IN USTACK; USTACK ORDERED IN XSTACK; FNAME("alpha|beta") IN LEAF; USTACK IN LEAF
(FNAME("alpha") IN USTACK)&&(FNAME("beta") IN USTACK); (FNAME("delta") IN USTACK)||THRID==1; TSTAMP>30000000
FNAME("alpha") IN USTACK; TSTAMP==10000000; TSTAMP/10000000==3; (TSTAMP/20000000) IN (1,3); FNAME("a\\|b") IN LEAF
"""

# The intended differences. Both sides are evaluated, so that one that goes away is noticed.
DIFFERENT = {
    "* binds like + there": "1+2*3==7",
    "<< binds like + there": "(1<<2+1)==8",
    "& binds like | there": "(1|2&4)==1",
    "&& binds like || there": "1||0&&0",
    "IN binds loosest there": "1 IN 2 == 0",
    "comparisons do not chain there": "1==1==1",
    "there is no unary + there": "+1",
    "0X is refused there": "0X10==16",
    "several names in one list match nothing there": '(FNAME("beta"),FNAME("main")) SOME IN USTACK',
    "names of several functions equal the last of them there": 'LEAF==FNAME("alpha|beta")',
    "names of several functions are a fragment there": 'FNAME("beta|alpha") ORDERED IN USTACK',
    "more than 64 bits wrap around there": "99999999999999999999",
    "no digits after 0x are 0 there": "0x==0",
    "a regular expression that is not one matches nothing there": 'FNAME("(") IN USTACK',
    "names alone are the last function there": 'FNAME("alpha")',
    "a stack alone is its leaf there": "USTACK",
    "<Total> is in each stack there": 'USTACK IN FNAME("alpha|main|_start")',
}


def same_rules():
    expressions = [text for line in SAME.strip().splitlines() for text in line.split("; ")]
    theirs, ours = kept_by_gprofng(expressions), kept_by_us(expressions)
    wrong = ["%s: %s, gprofng %s" % row for row in zip(expressions, ours, theirs) if row[1] != row[2]]
    ok(not wrong, "%d expressions keep the same events" % len(expressions), "\n".join(wrong))
    ok(len({kept for kept in ours if kept}) > 25 and None in ours, "their results vary")


def different_rules():
    expressions = list(DIFFERENT.values())
    theirs, ours = kept_by_gprofng(expressions), kept_by_us(expressions)
    for reason, mine, other in zip(DIFFERENT, ours, theirs):
        ok(mine != other, reason, mine)


# ---- rules, combined at random ----


class Writer:
    """Writes expressions. In gprofng's form all operators have parentheses, as its precedence is its own."""

    def __init__(self, seed, is_gprofng):
        self.random, self.is_gprofng = random.Random(seed), is_gprofng

    def pick(self, *items):
        return self.random.choice(items)

    def close(self, text):
        return "(%s)" % text if self.is_gprofng or self.random.random() < 0.3 else text

    def scalar(self, depth):
        if depth == 0 or self.random.random() < 0.1:
            return self.pick("THRID", "CPUID", "NTICK", "MSTATE", "TSTAMP", str(self.random.randrange(5)),
                             hex(self.random.getrandbits(self.pick(3, 64))))
        kind = self.random.randrange(10)
        if kind == 0:
            return self.close(self.pick("!", "~", "- ") + self.close(self.scalar(depth - 1)))
        if kind == 1:
            return self.close("%s?%s:%s" % tuple(self.close(self.scalar(depth - 1)) for i in range(3)))
        if kind == 2 and self.is_gprofng:
            return self.close(self.pick(self.names, self.lists)(depth - 1))
        return self.close("%s %s %s" % (self.scalar(depth - 1), self.pick(
            *"+ - * / % << >> < > <= >= == != & | ^ && ||".split()), self.scalar(depth - 1)))

    def names(self, depth):
        name = self.pick("alpha", "be.*|main", "(gamma|delta)", "[^a]*", "none")
        return 'FNAME("%s") %s %s' % (name, self.pick("IN", "SOME IN"), self.pick("USTACK", "LEAF"))

    def lists(self, depth):
        return "%s %s %s" % (self.list(depth), self.pick("IN", "SOME IN", "ORDERED IN"), self.list(depth))

    def list(self, depth):
        elements = []
        while not elements or (len(elements) < 3 and self.random.random() < 0.6):
            element = self.scalar(depth)
            if "FNAME" not in element:  # which is ignored in lists there
                elements.append(element)
        return "(%s)" % ",".join(elements)


def random_filters():
    writer = Writer(1, True)
    expressions = [writer.scalar(4) for i in range(500)]
    # A property that only counters have.
    expressions += [text.replace("CPUID", "VADDR") for text in expressions][:200]
    theirs, ours = kept_by_gprofng(expressions), kept_by_us(expressions)
    wrong = ["%s: %s, gprofng %s" % row for row in zip(expressions, ours, theirs) if row[1] != row[2]]
    ok(not wrong, "%d random filters keep the same events" % len(expressions), "\n".join(wrong))
    ok(len({kept for kept in ours if kept}) > 40, "their results vary")


# The values are a class, whose operators have the precedence and the rules for operands of C.
CLASS = r"""
#include <cstdint>
#include <cstdio>
struct U {
	uint64_t v;
	U(uint64_t v) : v(v) {}
	explicit operator bool() const { return v; }
};
#define OP(sign, result) static inline U operator sign(U a, U b) { return U(result); }
OP(+, a.v + b.v) OP(-, a.v - b.v) OP(*, a.v * b.v) OP(/, b.v ? a.v / b.v : 0) OP(%, b.v ? a.v % b.v : 0)
OP(<<, a.v << (b.v & 63)) OP(>>, a.v >> (b.v & 63)) OP(&, a.v & b.v) OP(|, a.v | b.v) OP(^, a.v ^ b.v)
OP(<, a.v < b.v) OP(>, a.v > b.v) OP(<=, a.v <= b.v) OP(>=, a.v >= b.v) OP(==, a.v == b.v) OP(!=, a.v != b.v)
OP(&&, a.v && b.v) OP(||, a.v || b.v)
static inline U operator!(U a) { return U(!a.v); }
static inline U operator~(U a) { return U(~a.v); }
static inline U operator-(U a) { return U(-a.v); }
int main()
{
	U THRID(3), CPUID(0), NTICK(4), MSTATE(10), TSTAMP(30000000);
"""


def values_in_cxx(expressions):
    with open("oracle.cc", "w", encoding="utf-8") as file:
        file.write(CLASS)
        for text in expressions:
            text = re.sub(r"\b(0x)?[0-9a-f]+\b", r"U(\g<0>u)", text)
            file.write('\tprintf("%%llu\\n", (unsigned long long)(U(%s)).v);\n' % text)
        file.write("}\n")
    subprocess.run(["g++", "-w", "-O0", "-o", "oracle", "oracle.cc"], check=True)
    return subprocess.run(["./oracle"], check=True, capture_output=True, text=True).stdout.split()


def random_values():
    writer = Writer(2, False)
    expressions = [writer.scalar(4) for i in range(1000)]
    ours = [row and row[2] for row in values(expressions)]  # of the third event
    theirs = values_in_cxx(expressions)
    wrong = ["%s: %s, C++ %s" % row for row in zip(expressions, ours, theirs) if row[1] != row[2]]
    ok(not wrong, "%d random expressions have the values of C++" % len(expressions), "\n".join(wrong))
    ok(len(set(ours)) > 100, "their results vary")


make_experiment()
same_rules()
different_rules()
random_filters()
random_values()
print("1..%d" % count)
sys.exit(failed > 0)
