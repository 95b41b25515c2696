"""Recordings killed at random moments: compares the calls counted by the program with those recorded.

usage: kills.py PROGRAM KILLS SEED; KEEP names a directory for faulty experiments

PROGRAM is programs/counted. Prints a line for each kill after which calls are missing or
too many, or a reader complains, and at the end "KILLS kills, N calls done, M recorded, P under way, D descendants".
"""
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

CALLS = ("malloc", "free", "realloc", "mmap", "munmap", "lock", "read", "write")
SLOT = struct.Struct("2q%dq%dq" % (len(CALLS), len(CALLS)))
HEAP = {"0": "malloc", "1": "free", "2": "realloc", "3": "mmap", "4": "munmap"}
IO = {"0": "read", "1": "write"}
RECORD = ["-A", "off", "-p", "on", "-H", "on", "-s", "all", "-i", "on"]
DAMAGE = re.compile(r"error|warning|damage|cannot|missing|truncated", re.I)
FINE = re.compile(r"^No (errors|warnings)$")


def counted(path):
    """Returns {pid: {thread: {call: (begun, done)}}} from the file of counts."""
    with open(path, "rb") as file:
        data = file.read()
    (used,) = struct.unpack_from("q", data)
    processes = {}
    for i in range(used):
        values = SLOT.unpack_from(data, 8 + i * SLOT.size)
        pid, thread, begun, done = values[0], values[1], values[2:10], values[10:]
        processes.setdefault(pid, {})[thread] = dict(zip(CALLS, zip(begun, done)))
    return processes


def call_of(line):
    kind = line.split(" ", 1)[0]
    if kind == "heaptrace":
        return HEAP.get(line.split(" HTYPE=", 1)[1].split(" ", 1)[0].strip())
    if kind == "iotrace":
        return IO.get(line.split(" IOTYPE=", 1)[1].split(" ", 1)[0])
    return "lock" if kind == "synctrace" else None


def recorded(experiment, faults):
    """The same of an experiment and its descendants, {pid: {thread: {call: count}}}."""
    dump = subprocess.run(["er_export", "--text", experiment], capture_output=True, text=True,
                          errors="replace")
    if dump.returncode != 0 or dump.stderr:
        faults.append("er_export: %d %s" % (dump.returncode, dump.stderr.strip()))
    processes, threads, wants_stack = {}, None, False
    for line in dump.stdout.splitlines():
        if wants_stack and not line.startswith("\t"):
            faults.append("a stack is missing")
        wants_stack = False
        if line.startswith("info "):
            threads = processes.setdefault(int(line.split(" pid=", 1)[1].split(" ", 1)[0]), {})
        call = call_of(line)
        if call is None:
            continue
        wants_stack = " FRINFO=0x" in line and " FRINFO=0x0 " not in line
        calls = threads.setdefault(int(line.split(" ", 4)[3]), {})
        calls[call] = calls.get(call, 0) + 1
    return processes


def complaints(reader, experiment):
    """The complaints of a reader that prints the header and the functions."""
    run = subprocess.run([reader, "-header", "all", "-functions", experiment],
                         capture_output=True, text=True, errors="replace")
    said = run.stdout.split("Functions sorted")[0] + run.stderr
    found = [line for line in said.splitlines()
             if DAMAGE.search(line) and not FINE.search(line.strip())]
    if run.returncode != 0 or "<Total>" not in run.stdout:
        found.append("status %d" % run.returncode)
    return ["%s: %s" % (reader, line) for line in found]


def wait_for_work(program, path):
    while True:
        if program.poll() is not None:
            raise SystemExit("the program ended by itself")
        try:
            with open(path, "rb") as file:
                if file.read(8) > bytes(8):
                    return
        except FileNotFoundError:
            pass
        time.sleep(.0005)


def kill_one(words, delay, has_counters):
    shutil.rmtree("killed.er", ignore_errors=True)
    if os.path.exists("counts"):
        os.remove("counts")
    options = RECORD + (["-h", "page-faults"] if has_counters else [])
    program = subprocess.Popen(["collect"] + options + ["-o", "killed.er"] + words,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    wait_for_work(program, "counts")
    time.sleep(delay)
    os.killpg(program.pid, signal.SIGKILL)
    program.wait()


def compare(done, found, faults, sums):
    for pid, threads in done.items():
        for thread, calls in threads.items():
            for call, (begun, ended) in calls.items():
                count = found.get(pid, {}).get(thread, {}).get(call, 0)
                sums["done"] += ended
                sums["recorded"] += count
                sums["under way"] += begun - ended
                if not ended <= count <= begun:
                    faults.append("process %d, thread %d: %d of %d to %d %s" % (
                        pid, thread, count, ended, begun, call))


def main():
    program, kills, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(seed)
    sums = {"done": 0, "recorded": 0, "under way": 0, "descendants": 0}
    has_counters = subprocess.run(["collect", "-n", "-h", "page-faults", "true"],
                                  capture_output=True).returncode == 0
    readers = ["er_print"] + (["gp-display-text"] if shutil.which("gp-display-text") else [])
    for i in range(kills):
        words = [program, "counts", str(chance.choice((1, 2, 4, 9))), "0"]
        if i % 3 == 0:
            words.append("forks")
        faults = []
        kill_one(words, chance.choice((.002, .02, .15)) * chance.random(), has_counters)
        compare(counted("counts"), recorded("killed.er", faults), faults, sums)
        for reader in readers:
            faults += complaints(reader, "killed.er")
        sums["descendants"] += sum(name.endswith(".er") for name in os.listdir("killed.er"))
        for fault in faults[:5]:
            print("kill %d (%s): %s" % (i + 1, " ".join(words[2:]), fault))
        if faults and os.environ.get("KEEP"):
            shutil.copytree("killed.er", "%s/%d.er" % (os.environ["KEEP"], i + 1))
    print("%d kills, %d calls done, %d recorded, %d under way, %d descendants" % (
        kills, sums["done"], sums["recorded"], sums["under way"], sums["descendants"]))


main()
