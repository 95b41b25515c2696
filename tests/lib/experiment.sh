# shellcheck shell=sh
# Experiments for tests that carry them around. Source this file.

# make_experiment NAME.er: make a small one with every kind of entry, and fixed times.
make_experiment() {
	mkdir -p "$1/_f1.er" "$1/archives" "$1/jdynclasses/org/example"
	for experiment_dir in "$1" "$1/_f1.er"; do
		cat >"$experiment_dir/log.xml" <<-'END'
			<?xml version='1.0' encoding='UTF-8' ?>
			<experiment version="12.4">
			<system hostname="elsewhere" arch="x86_64"/>
			<event kind="run" tstamp="0.000000000" time="1706933045"/>
			<event kind="exit" tstamp="1.000000000"/>
			</experiment>
		END
		truncate -s 65536 "$experiment_dir/log.xml"
		echo '<?xml version="1.0"?>' >"$experiment_dir/map.xml"
		head -c 1008 /dev/zero >"$experiment_dir/overview"
		: >"$experiment_dir/profile"
	done
	echo 'a note' >"$1/notes"
	head -c 300000 /dev/urandom >"$1/data.frameinfo"
	printf 'start' >"$1/heaptrace"
	truncate -s 2M "$1/heaptrace"
	printf 'end' >>"$1/heaptrace"
	echo 'object' >"$1/archives/prog_UHyILZt997d"
	chmod 444 "$1/archives/prog_UHyILZt997d"
	ln -s prog_UHyILZt997d "$1/archives/link_UHyILZt997d"
	echo 'class' >"$1/jdynclasses/org/example/A.class"
	find "$1" -exec touch -h -d '2024-02-03 04:05:06.789012345 UTC' {} +
}

# list_tree NAME: list everything that a copy must keep: names, types, modes, sizes, times, targets, and
# bytes.
list_tree() {
	(cd "$1" && find . -printf '%P %y %m %s %T@ %l\n' | sed 's/ d \([0-9]*\) [0-9]* / d \1 /' |
		LC_ALL=C sort && find . -type f -exec cksum {} + | LC_ALL=C sort -k 3)
}

# same_tree A B
same_tree() {
	list_tree "$1" >"${TMPDIR:-/tmp}/erkit-tree.$$" &&
		list_tree "$2" | diff "${TMPDIR:-/tmp}/erkit-tree.$$" - >&2
	set -- $?
	rm -f "${TMPDIR:-/tmp}/erkit-tree.$$"
	return "$1"
}

# hidden DIRECTORY: list files that operations left under hidden names.
hidden() {
	find "$1" -maxdepth 1 \( -name '.*.part' -o -name '.*.del' -o -name '.*.lock' \)
}

# as_user COMMAND...: root is not bound by permissions, so tests of them run as nobody.
as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# as_second COMMAND...: run it as one more ordinary user.
as_second() {
	setpriv --reuid=1234 --regid=1234 --clear-groups "$@"
}

# several_users WHAT [PROGRAM]: for tests in which root makes files of several users. Other users can then
# reach the test's directory. Ends a test that cannot have them, or whose users cannot run PROGRAM; WHAT names
# the facts that are skipped.
several_users() {
	if [ "$(id -u)" != 0 ]; then
		skip 'this needs several users' "$1"
		done_testing
	fi
	chmod 755 .. .
	umask 022
	if ! as_user test -x "${2:-$BUILD/bin/er_rm}" 2>/dev/null; then
		skip 'another user cannot run our programs here' "$1"
		done_testing
	fi
}

# attacked_directories WHAT: make several users, and directories: private/ is root's alone, every user may
# write in shared/, and nothing may be written to outside/.
attacked_directories() {
	several_users "$1" "$BUILD/tests/lib/programs/exchanger"
	mkdir -m 700 private
	mkdir shared outside
	chmod 777 shared
}

# start_exchanger DIRECTORY MICROSECONDS: until stop_exchanger, another user exchanges experiments that appear
# in DIRECTORY, within that time, for something that leads to outside/ (programs/exchanger.c).
start_exchanger() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/tests/lib/programs/exchanger" \
		"$PWD/$1" "$PWD/outside" "$2" &
	exchanger=$!
}

stop_exchanger() {
	kill "$exchanger"
	wait "$exchanger" 2>/dev/null
}

# mixed_experiments OWNER: in mine/, a user's directory, x.er has a descendant of OWNER's, and new.er has
# none. before lists mine/.
mixed_experiments() {
	make_experiment original.er
	cp -a original.er mine/x.er
	chown -R 65534:65534 mine
	cp -a mine/x.er mine/new.er
	chown -R "$1:$1" mine/x.er/_f1.er
	list_tree mine >before
}

# refuses MESSAGE COMMAND...: it fails with that message, and mine/ is unchanged.
refuses() {
	refuses_said=$1
	shift
	"$@" >out 2>err
	is "$? $(cat err)" "1 $refuses_said" "$*"
	list_tree mine | diff before - >&2
	is "$? $(hidden mine)" '0 ' 'nothing is gone, or left behind'
}

# user_directory NAME PROGRAM: make a directory where that user can work with PROGRAM, or end the test.
user_directory() {
	mkdir "$1"
	[ "$(id -u)" = 0 ] || return 0
	chmod 755 .. .
	chown 65534:65534 "$1"
	if ! as_user true 2>/dev/null || ! as_user test -x "$BUILD/bin/$2" -a -w "$1"; then
		skip 'another user cannot run our programs here' 'permissions'
		done_testing
	fi
}

# work_in_memory: continue a test that makes thousands of files in a directory in memory, if there is one.
# Disks without a journal are slow to reuse space that was just freed.
work_in_memory() {
	if memory=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null); then
		trap 'cd /; chmod -R u+rwx "$memory"; rm -rf "$memory"' EXIT
		mkdir "$memory/dir" && cd "$memory/dir" || exit 1
	fi
}

# refused_both_ways MESSAGE COMMAND...: it fails with that message, and a dry run says the same.
refused_both_ways() {
	refused_message=$1
	refused_program=$2
	shift 2
	for refused_option in '' -n; do
		refused_said=$("$refused_program" $refused_option "$@" 2>&1)
		is "$?-$refused_said" "1-$refused_program: $refused_message" \
			"$refused_program $refused_option $*"
	done
}
