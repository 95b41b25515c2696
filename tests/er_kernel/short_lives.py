#!/usr/bin/env python3
"""short_lives.py TRUTH SPENT - compare the CPU times of processes that er_kernel has recorded, as CSV, with what the
kernel has counted for each, in microseconds. A few may differ more: from the moment that wakes up a thread, the kernel
counts the time for that one, however long it takes until the processor is given to it."""
import collections
import csv
import statistics
import sys

spent = collections.Counter()
with open(sys.argv[2], encoding="utf-8") as lines:
    for row in csv.DictReader(lines):
        spent[int(row["lwp"])] += (int(row["kcpu_ns"]) + int(row["totalcpu_ns"])) / 1000
with open(sys.argv[1], encoding="utf-8") as lines:
    truth = dict(map(int, line.split()) for line in lines if line[:1].isdigit())
total = sum(truth.values())
ratio = sum(spent[pid] for pid in truth) / total if total else 0
median = statistics.median(spent[pid] / time for pid, time in truth.items()) if truth else 0
near = sum(0.75 * time < spent[pid] < 1.33 * time for pid, time in truth.items())
print("the sum is", "right:" if 0.9 < ratio < 1.1 else "wrong:", f"{ratio:.4f}; the median is {median:.4f};", near, "of",
      len(truth), "are near:", "each is right" if near >= 0.8 * len(truth) > 0 else "they are not")
