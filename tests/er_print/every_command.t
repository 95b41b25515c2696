#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# Every command of help over experiments of every kind of data that were damaged in all files, code and debug
# data in the archives included: each run ends within ten seconds of CPU time, without a crash.

cat >prog.c <<-END
	#include <pthread.h>
	#include <stdio.h>
	#include <stdlib.h>

	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static volatile double sink;

	static inline __attribute__((always_inline)) double deep(double x)
	{
		return x * 1.0001 + 0.5;
	}

	static void *work(void *file)
	{
		char byte[100];

		for (int i = 0; i < 300; i++) {
			pthread_mutex_lock(&mutex);
			for (int j = 0; j < 20000; j++)
				sink = deep(sink);
			free(malloc(100));
			rewind(file);
			sink += fread(byte, 1, 100, file);
			pthread_mutex_unlock(&mutex);
		}
		return malloc(10);
	}

	int main(void)
	{
		FILE *file = fopen("prog.c", "r");
		pthread_t thread;

		pthread_create(&thread, NULL, work, file);
		work(file);
		pthread_join(thread, NULL);
		return 0;
	}
END
gcc -g -gz=none -O1 -pthread -o prog prog.c
collect -A copy -H on -s all -i on -o recorded.er ./prog 2>/dev/null
"$TESTDIR/make-conflicts" races.er second.er deadlocks.er odd.er
"$TESTDIR/make-omp" "$BUILD/tests/er_print/programs/shape" omp.er linux.er
"$TESTDIR/make-java" "$BUILD/tests/er_print/programs/shape" java.er names.er plain.er again.er collections.er
SHAPE='' "$TESTDIR/make-counters" counters.er

python3 - <<'END'
import os
import random
import re
import resource
import shutil
import subprocess

ROUNDS = int(os.environ.get("ROUNDS", "18"))
LIMIT = 100 if "asan" in os.environ["BUILD"] else 10
number = failed = 0
random.seed(11)


def ok(is_good, text):
    global number, failed
    number += 1
    failed += not is_good
    print("%sok %d - %s" % ("" if is_good else "not ", number, text), flush=True)


def lines_of_help(*command):
    return subprocess.run(["er_print", "-help", *command], capture_output=True, text=True).stdout.splitlines()


# Those that write files, or end, are left out; a word that is needed comes from the example.
LEFT_OUT = {"outfile", "appendfile", "script", "quit", "help", "version", "add_exp", "open_exp", "drop_exp"}
names = [re.match(r"  ([A-Za-z_]+)", line)[1] for line in lines_of_help() if re.match(r"  [A-Za-z_]", line)]
commands = []
for name in names:
    if name in LEFT_OUT:
        continue
    text = lines_of_help(name)
    examples = [line[2:] for line in text[text.index("Example:") + 1:]
                if line.startswith("  ")] if "Example:" in text else []
    commands += examples or [name]
lists = ["functions", "lines", "pcs", "calltree", "callers-callees", "source main", "disasm main", "source work",
         "fsummary", "lsummary", "psummary", "leaks", "allocs", "heap", "iodetail", "iocallstack"]
commands = lists + commands + lists + ["filters 'FNAME ~ \"wor\"'"] + lists
with open("script", "w") as file:
    file.write("\n".join(commands) + "\n")


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(path):
    before = cpu()
    done = subprocess.run(["er_print", "-script", "script", path], capture_output=True, timeout=600)
    error = done.stderr.decode(errors="replace")
    is_good = done.returncode in (0, 1) and cpu() - before < LIMIT and "Sanitizer" not in error
    if not is_good:
        print("# status %d, %.1f s: %s" % (done.returncode, cpu() - before, error[-1500:].replace("\n", "\n# ")))
    return is_good, done.stdout


def change(content):
    content = bytearray(content)
    way = random.randrange(4)
    if way == 0:
        return content[:random.randrange(len(content) + 1)]
    if way == 1:
        start = random.randrange(len(content) + 1)
        return content[:start] + content[start + random.randrange(100):]
    for _ in range(random.choice((1, 10, 300)) if content else 0):
        place = random.randrange(len(content))
        content[place] = random.choice((0, 0xff, 0x80, random.randrange(256)))
    return content


ok(len(commands) > 100, "there are commands")
experiments = ["recorded.er", "races.er", "deadlocks.er", "omp.er", "java.er", "collections.er",
               "counters.er"]
for path in experiments:
    is_good, out = run(path)
    ok(is_good and len(out) > 5000, "%s: every command" % path)
    files = sorted(os.path.join(where, name) for where, _, some in os.walk(path) for name in some)
    bad = []
    for name in files:
        # Code and debug data have more that can be wrong.
        for i in range(ROUNDS if "/archives/prog" in name else max(1, ROUNDS // 6)):
            shutil.rmtree("bad.er", ignore_errors=True)
            shutil.copytree(path, "bad.er")
            copy = "bad.er" + name[len(path):]
            with open(name, "rb") as file:
                content = change(file.read())
            os.chmod(copy, 0o644)
            with open(copy, "wb") as file:
                file.write(content)
            if not run("bad.er")[0]:
                kept = "%s/bad-%s-%d" % (os.environ.get("KEEP", "."), os.path.basename(name), i)
                shutil.copytree("bad.er", kept, dirs_exist_ok=True)
                bad.append(kept)
    ok(not bad, "%s: each of its %d files damaged %s" % (path, len(files), bad or ""))
print("1..%d" % number)
END
