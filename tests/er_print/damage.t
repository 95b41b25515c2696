#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# Reading a damaged experiment ends within a second. The damage is reported with file and position, and the
# readable part is shown. There is never a crash, whatever the bytes.

python3 - <<'END'
import os
import random
import resource
import shutil
import struct
import subprocess
import sys

top = os.environ["TOP"]
subprocess.run([top + "/tests/er_print/make-experiments", "shape.er", "family.er"], check=True)
random.seed(7)
number = failed = 0
slowest = 0.0


def ok(is_good, text):
    global number, failed
    number += 1
    failed += not is_good
    print("%sok %d - %s" % ("" if is_good else "not ", number, text), flush=True)


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


LIMIT = 10 if "asan" in os.environ["BUILD"] else 1


def show(path="bad.er"):
    """Returns (status, stdout, stderr) of a complete listing. A signal or a second of CPU time is a bug."""
    global slowest
    before = cpu()
    run = subprocess.run(["er_print", "-functions", "-callers-callees", "-header", "all",
                          "-statistics", "all", "-objects", path],
                         capture_output=True, timeout=60)
    used = cpu() - before
    slowest = max(slowest, used)
    error = run.stderr.decode(errors="replace")
    if run.returncode not in (0, 1) or used > LIMIT or "Sanitizer" in error:
        print("# status %d, %.2f s: %s" % (run.returncode, used, error[:2000]))
        return -1, "", error
    return run.returncode, run.stdout.decode(errors="replace"), error


def damaged(name, content, source="shape.er"):
    shutil.rmtree("bad.er", ignore_errors=True)
    shutil.copytree(source, "bad.er")
    if content is None:
        os.remove("bad.er/" + name)
    else:
        with open("bad.er/" + name, "wb") as file:
            file.write(content)


def read(name, source="shape.er"):
    with open(source + "/" + name, "rb") as file:
        return file.read()


def sampled(size):
    """All offsets near the ends, and some in between."""
    places = set(range(min(size, 20))) | {size - i for i in range(1, min(size, 20))}
    return sorted(places | {random.randrange(size) for _ in range(30)})


# Cut anywhere: the tables are shown. A cut within a packet is reported at the packet.
for name in ("log.xml", "map.xml", "profile", "data.frameinfo", "overview"):
    whole = read(name)
    bad = []
    for cut in sampled(len(whole)):
        damaged(name, whole[:cut])
        status, out, error = show()
        if status < 0:
            bad.append(cut)
        elif name == "profile" and "<Total>" not in out:
            bad.append(cut)
        elif name == "profile" and cut % 56 and \
                "%s: offset %d:" % (name, cut // 56 * 56) not in error:
            bad.append(cut)
        elif name == "log.xml" and 20 < cut < len(whole) - 1 and whole[cut - 2:cut] != b">\n" \
                and whole[cut - 1:cut] != b">" and "log.xml:" not in error:
            bad.append(cut)
    ok(not bad, "%s may be cut anywhere%s" % (name, " but at %s" % bad if bad else ""))

for name in ("log.xml", "map.xml", "profile", "data.frameinfo", "overview"):
    bad = []
    for size in (1, 100, 5000, 70000):
        for _ in range(3):
            damaged(name, random.randbytes(size))
            status, out, error = show()
            if status < 0 or (size >= 100 and name + ":" not in error):
                bad.append(size)
    ok(not bad, "%s of random bytes is named %s" % (name, bad or ""))
    whole = bytearray(read(name))
    bad = 0
    for _ in range(15):
        changed = bytearray(whole)
        for _ in range(random.randrange(1, 6)):
            changed[random.randrange(len(changed))] = random.randrange(256)
        damaged(name, bytes(changed))
        bad += show()[0] < 0
    ok(bad == 0, "%s with some bytes changed is survived" % name)
    damaged(name, None)
    ok(show()[0] >= 0, "%s may be missing" % name)

damaged("data.frameinfo", None)
os.mkfifo("bad.er/data.frameinfo")
status, out, error = show()
ok(status == 1 and "<Total>" in out and "'data.frameinfo' is not a regular file" in error
   and "memory" not in error, "the total is shown where the file of stacks is a fifo")

for name in ("log.xml", "map.xml"):
    damaged(name, b"")
    status, out, error = show()
    ok(status >= 0 and (name in error or name in out), "%s may be empty, and that is said" % name)
    damaged(name, b"<a>" * 200000)
    status, out, error = show()
    ok(status >= 0 and name + ":" in error, "%s may be nested 200,000 deep" % name)

profile = read("profile")


def total(out):
    """The exclusive time of <Total>, in 10 ms."""
    for line in out.splitlines():
        words = line.split()
        if words and words[-1] == "<Total>":
            return round(float(words[0]) * 100)
    return None


head = struct.Struct("<HH")
for size, what in ((0, "size 0"), (3, "size 3"), (65535, "size 65535")):
    damaged("profile", profile[:56 * 5] + head.pack(size, 8) + profile[56 * 5 + 4:])
    status, out, error = show()
    ok(status == 1 and "profile: offset 280:" in error and total(out) == 5,
       "a packet of %s is named, those before it count" % what)
damaged("profile", profile[:56 * 5] + bytes(16384 - 56 * 5) + profile[56 * 5:] + bytes(50000))
status, out, error = show()
ok(status == 0 and error == "" and total(out) == 49, "zeros lose nothing and are not mentioned")
damaged("profile", profile[:56 * 5] + b"\0\0\1\0" + bytes(16380 - 56 * 5) + profile[56 * 5:])
status, out, error = show()
ok(total(out) == 49 and "offset 280:" in error, "reading continues after rubbish")

damaged("data.frameinfo", None)
status, out, error = show()
ok(status == 1 and total(out) == 49 and "data.frameinfo: 6 call stacks are missing" in error,
   "events whose stacks are missing count in the total, and that is said")


def uid_packet(uid, pc, link):
    return struct.pack("<HHIQQQ", 32, 17, 0x80000000, uid, pc, link)


frames = read("data.frameinfo")
uid = struct.unpack_from("<Q", frames, 8)[0]
cycle = struct.pack("<HHIQIIQQQ", 48, 11, 16, uid, 32, 0x80000001, 900, 4096, 901)
cycle += b"".join(uid_packet(901 + i, 5000 + i, 901 + (i + 1) % 300) for i in range(300))
damaged("data.frameinfo", cycle + frames)
status, out, error = show()
ok(status == 1 and "continues in itself" in error and "data.frameinfo:" in error,
   "links in a cycle are cut and named")

shutil.rmtree("bad.er")
shutil.copytree("family.er", "bad.er")
os.remove("bad.er/_f1.er/log.xml")
status, out, error = show()
ok(status == 1 and "_f1.er" in error and "leaf_b" in out and total(out) == 3,
   "a descendant without a log is named, the others are shown")

for name in ("profile", "data.frameinfo", "overview", "map.xml"):
    damaged(name, None)
    os.mkfifo("bad.er/" + name)
    status, out, error = show()
    ok(status >= 0 and name in error, "%s may be a fifo, which is refused" % name)
damaged("log.xml", None)
os.mkfifo("bad.er/log.xml")
ok(show()[0] == 1, "an experiment whose log is a fifo cannot be read")

print("# slowest: %.2f s of CPU time" % slowest)
print("1..%d" % number)
sys.exit(failed > 0)
END
