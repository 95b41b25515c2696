#!/bin/sh
# The cost of reading a bundle is limited: the limits of an import apply to checks, lists, and reading in
# place, and to all decompressed data, whether it belongs to a member or not.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

python3 "$TESTDIR/make-bombs.py" || exit 1
mkdir in
TMPDIR=$PWD/in
export TMPDIR

# refuses FILE MESSAGE COMMAND...: the command, given the file, says so and leaves nothing. After a minute it
# counts as endless.
refuses() {
	file=$1
	message=$2
	shift 2
	timeout -s KILL 60 "$@" "$file" >out 2>err
	status=$?
	is "$status $(grep -v '^er_[a-z]*: failed' err)" "1 $1: '$file': $message" "$* $file"
	[ -z "$(ls -A in)" ] || is "$(ls -A in)" '' "$* $file leaves nothing"
	rm -rf in/*
}

# everywhere FILE MESSAGE: every command that reads members says so.
everywhere() {
	refuses "$1" "$2" er_import -C in
	refuses "$1" "$2" er_export --check
	refuses "$1" "$2" er_export --text
	refuses "$1" "$2" er_print -header
	refuses "$1" "$2" er_archive --check
}

many="refused the member 'x.er/profile': more bytes than --max-bytes allows"
everywhere sparse.tar "$many"
timeout 60 er_export -l sparse.tar >out
is "$? $(tail -n 1 out | cut -c 11-27)" '0  1125899906842624' 'a list still shows it'

# As an experiment in it, a descendant's founder, and a member of a group.
for operand in sparse.tar/x.er sparse.tar/x.er/_f1.er; do
	timeout -s KILL 60 er_print -header "$operand" 2>err
	is "$? $(cat err)" "1 er_print: 'sparse.tar': $many" "er_print $operand"
done
printf '#analyzer experiment group\nsparse.tar/x.er\n' >group.erg
timeout -s KILL 60 er_print -header group.erg 2>err
is "$? $(cat err)" "1 er_print: 'sparse.tar': $many" 'a member of a group'

# ---- the output of decompression ----

everywhere behind.tar.bz2 'the tar archive has no end-of-archive marker'
refuses behind.tar.bz2 'the tar archive has no end-of-archive marker' er_export -l
everywhere between.tar.gz 'the tar archive has no end-of-archive marker'
refuses between.tar.gz 'the tar archive has no end-of-archive marker' er_export -l
large="refused the member 'x.er/profile': it expands to more than --max-expansion allows"
everywhere data.tar.gz "$large"
refuses data.tar.gz 'it expands to more than --max-expansion allows' er_export -l
everywhere twice.tar.gz 'it was compressed more than once'
refuses twice.tar.gz 'it was compressed more than once' er_export -l
refuses other.tar.gz "unexpected data after the compressed archive, at byte $(($(wc -c <other.tar.gz) - 11))" er_export -l
for option in -l --check; do
	er_export $option cut.tar.gz >out 2>err
	is "$? $(grep -c "^er_export: 'cut.tar.gz': " err)" '1 1' "a missing end is seen by $option"
done

refuses holes.tar "$large" er_import -C in --max-bytes=3G

# ---- memory used by other things than file contents ----

er_import -n -C in --max-bytes=8M directories.tar 2>err
is "$? $(cat err)" "1 er_import: 'directories.tar': refused the member \
'x.er/jdynclasses/32/$(printf 'd/%.0s' $(seq 60))A.class': more bytes than --max-bytes allows" \
	'directories take room, also those that are only part of a name'
er_import -q -C in directories.tar
is "$? $(find in -type d | wc -l)" "0 $((1 + 2 + 40 * 61))" 'that many would have been made'
rm -rf in/*
python3 - er_export --check names.tar.gz >out <<'END'
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stderr=subprocess.PIPE, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(done.returncode, "much memory" if used > 800 else "memory enough")
print(done.stderr[-47:], end="")
END
is "$(cat out)" "1 memory enough
nnnnnnnnn...': the names are too long in total" 'names are limited'

# ---- options ----

refuses small.tar "refused the member 'x.er/profile': more bytes than --max-bytes allows" \
	er_export --check --max-bytes=10k
refuses small.tar "refused the member 'x.er/log.xml': more members than --max-entries allows" \
	er_export --check --max-entries=1
refuses small.tar 'more members than --max-entries allows' er_export -l --max-entries=1
refuses directories.tar "refused the member 'x.er/jdynclasses/0/$(printf 'd/%.0s' $(seq 60))A.class': \
it is deeper than --max-depth allows" er_export --check --max-depth=9

# ---- higher limits, and progress ----

er_export -l --max-expansion=10000 --progress data.tar.gz >out 2>err
is "$? $(tail -n 1 out | cut -c 12-23)" '0   2415919104' 'more may be allowed: in a list'
tr '\r' '\n' <err | grep -q 'er_export: [0-9.]* of [0-9.]* [KM]iB, .*data.tar.gz'
ok $? 'which shows how far it is, when asked' || note "$(cat err)"
"$TOP/tests/lib/on-terminal" er_export --check --max-expansion=10000 data.tar.gz >out </dev/null
is "$? $(tail -n 1 out | tr '\r' '\n' | tail -n 1)" "1 er_export: failed 'data.tar.gz': has no manifest" \
	'and in a check'
tr '\r' '\n' <out | grep -q 'er_export: [0-9.]* of [0-9.]* [KM]iB, .*data.tar.gz'
ok $? 'which shows it on a terminal' || note "$(cat out)"
"$TOP/tests/lib/on-terminal" er_print -header between.tar.gz >out </dev/null
is "$? $(tr '\r' '\n' <out | tail -n 1)" "1 er_print: 'between.tar.gz': the tar archive has no end-of-archive marker" \
	'nothing is left of it'
done_testing
