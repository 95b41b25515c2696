#!/bin/sh
# The sampler of statically linked programs runs with its own rights: it does not give any user more than
# before.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

if [ "$(id -u)" != 0 ]; then
	skip "not root" "programs that give up rights"
	done_testing
fi
chmod 755 .. .
cat >drops.c <<'END_OF_C'
/* drops MODE DIRECTORY SECRET: a program of root that an attacker takes over after it has given up its rights */
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void burn(void)
{
	for (volatile long i = 0; i < 100000000; i++)
		;
}

static int map_code(const char *name)
{
	int fd = open(name, O_RDONLY);
	void *code = fd < 0 ? MAP_FAILED
			    : mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	return code == MAP_FAILED ? -1 : 0;
}

/* Maps a file of its own, whose name then leads to something else. */
static int exchange(const char *secret)
{
	return map_code("mine") < 0 || unlink("mine") < 0 ||
	       (strcmp(secret, "fifo") == 0 ? mkfifo("mine", 0666) : symlink(secret, "mine")) < 0;
}

int main(int argc, char *argv[])
{
	if (strcmp(argv[1], "keeps") == 0 && map_code(argv[3]) < 0)
		return 1;
	if (setgroups(0, NULL) < 0 || setregid(65534, 65534) < 0 || setreuid(65534, 65534) < 0 ||
	    chdir(argv[2]) < 0)
		return 2;
	if (strcmp(argv[1], "executes") == 0) {
		burn();
		execl(argv[3], argv[3], "as", "root", NULL);
		return 3;
	}
	/* The process is gone when its map is read. */
	if (strcmp(argv[1], "short") == 0 && fork() == 0)
		_exit(exchange(argv[3]) ? 4 : 0);
	if (strcmp(argv[1], "short") == 0)
		wait(NULL);
	else if (strcmp(argv[1], "keeps") != 0 && exchange(argv[3]))
		return 5;
	burn();
	return 0;
}
END_OF_C
if ! cc -static -O1 -o drops drops.c 2>/dev/null || ! "$programs/sampled" has_events; then
	skip "no static libc, or no events of the kernel" "programs that give up rights"
	done_testing
fi
mkdir theirs secret
chmod 700 secret
echo 'int secret(void) { return 1; }' >secret.c
cc -shared -Wl,--build-id -o secret/object.so secret.c
build_id=$(readelf -n secret/object.so | sed -n 's/^ *Build ID: //p')
chown 65534:65534 theirs

# drop MODE SECRET: record the program, with archives of the objects that its map names.
drop() {
	rm -rf theirs/mine recorded.er
	cp /bin/true theirs/mine
	chown 65534:65534 theirs/mine
	timeout 60 collect -A copy -o recorded.er sh -c './drops "$@"; exit $?' sh "$1" "$PWD/theirs" "$2" \
		>out 2>&1
	is $? 0 "$1 ${2##*/}: it runs"
	for _ in $(seq 50); do
		grep -aq 'kind="exit"' recorded.er/_f1_x1.er/log.xml 2>/dev/null && break
		sleep .1
	done
	check "$1 ${2##*/}: and is sampled" test -e recorded.er/_f1_x1.er/map.xml
}

# The parts of the secret object that others may read.
seen() {
	as_user grep -arl "$build_id" recorded.er
	find recorded.er/archives -type f -exec readelf -n {} + 2>/dev/null | grep "$build_id"
}

for mode in exchange short; do
	drop $mode "$PWD/secret/object.so"
	is "$(seen)" '' "$mode: the experiment has nothing that only root may read"
	check "$mode: its map says that the name leads elsewhere" \
		grep -aqr 'name="[^"]*/theirs/mine (deleted)"' recorded.er --include=map.xml
done
drop exchange fifo
drop exchange /dev/zero
drop keeps "$PWD/secret/object.so"
check "objects mapped as root are named" grep -aq "buildid=\"$build_id\".*/secret/object.so\"" \
	recorded.er/_f1_x1.er/map.xml

# A set-user-id program that the process becomes may not be watched.
cat >gains.c <<'END_OF_C'
#include <unistd.h>
int main(void)
{
	for (volatile long i = 0; i < 100000000; i++)
		;
	return geteuid() == 0 ? 0 : 1;
}
END_OF_C
cc -static -O1 -o gains gains.c && chmod 4755 gains
drop executes "$PWD/gains"
is "$(grep -al 'name="[^"]*/gains"' recorded.er/*/map.xml)" '' "a set-user-id program is not watched"

# By hand, as a user who may not look at the process.
sleep 60 &
sleeper=$!
mkdir open.er && chmod 777 open.er
for right in "$sleeper" 1; do
	as_user env SP_COLLECTOR_EXPNAME="$PWD/open.er" SP_COLLECTOR_PARAMS='F:3;p:1000;a:off;' \
		SP_COLLECTOR_LINEAGE=_x1 "$BUILD/lib/erkit/erkit-sampler" "$right" "$right" /bin/sleep sleep 3>word
	is "$? $(od -An -td4 word | tr -d ' ')" "1 13" "a process of root is not sampled by other users"
done
kill $sleeper
is "$(ls open.er)" '' "and nothing is written"
done_testing
