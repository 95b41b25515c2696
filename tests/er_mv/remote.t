#!/bin/sh
# Moves to another host remove the source once everything there is verified, and not before.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/sshd.sh
. "$TOP/tests/lib/sshd.sh"
runs=$FAR/runs

empty() {
	rm -rf "$runs"
	mkdir "$runs"
}

# stays TEXT: the source is whole, and nothing is left over there
stays() {
	check "$1: the source is whole" same_tree original.er test.1.er
	is "$(ls -A "$runs")" '' "$1: nothing is there"
}

make_experiment test.1.er
rm test.1.er/archives/link_UHyILZt997d # a file over there, see er_cp
chmod 644 test.1.er/archives/*
find test.1.er -exec touch -h -d '2024-02-03 04:05:06.789012345 UTC' {} +
cp -a test.1.er original.er

er_mv -v test.1.er desk:runs >out 2>err
is "$?-$(cat out err)" "0-moved 'test.1.er' -> 'desk:runs/test.1.er' (13 files, 2530307 bytes)" \
	'an experiment moves to another host'
check 'it is there' same_tree original.er "$runs/test.1.er"
[ ! -e test.1.er ]
ok $? 'and gone here'

# The connection breaks after the other side has everything, and before it reports so.
cp -a original.er test.1.er
er_mv test.1.er desk:runs 2>err
is "$?-$(cat err)-$(ls -d test.1.er 2>/dev/null)" \
	"0-er_mv: warning: 'desk:runs/test.1.er': already copied: finishing an interrupted move-" \
	'a move that only lacked the removal is finished'
check 'it is there' same_tree original.er "$runs/test.1.er"
cp -a original.er test.1.er
echo more >>"$runs/test.1.er/notes"
er_mv test.1.er desk:runs 2>err
is "$?-$(cat err)" "1-er_mv: cannot create 'desk:runs/test.1.er': File exists" \
	'another experiment of that name is not mistaken for it'
is "$(tail -n 1 "$runs/test.1.er/notes")" more 'and stays'
check 'as does the source' same_tree original.er test.1.er
er_mv -f test.1.er desk:runs
check '-f replaces it' same_tree original.er "$runs/test.1.er"
cp -a original.er test.1.er
er_mv -q --rename test.1.er desk:runs
check '--rename takes the next number' same_tree original.er "$runs/test.2.er"
[ ! -e test.1.er ]
ok $? 'and moves'
cp -a original.er test.1.er
empty

# Groups of experiments.
cp -a original.er second.er
printf '#analyzer experiment group\ntest.1.er\nsecond.er\n' >all.erg
cp all.erg original.erg
er_mv -gv all.erg desk:runs >out 2>err
is "$?-$(cat out err)" "0-moved 'all.erg' -> 'desk:runs/all.erg' (2 experiments)" 'a group moves'
is "$(ls "$runs")-$(ls -d all.erg test.1.er second.er 2>/dev/null)" "all.erg
second.er
test.1.er-" 'with its members'
cp -a original.er test.1.er
cp original.erg all.erg
empty
er_mv -g all.erg desk:runs 2>err
is "$?" 1 'a member that is missing is an error'
check 'and the others stay' same_tree original.er test.1.er
[ -e all.erg ]
ok $? 'as does the group'
empty

cp -a original.er second.er
rm ssh/desk/er_import
cat >ssh/desk/er_import <<END
#!/bin/sh
'$BUILD/bin/er_import' "\$@" || exit
echo third.er >>'$PWD/all.erg'
END
chmod +x ssh/desk/er_import
er_mv -g all.erg desk:runs 2>err
is "$?-$(cat err)" "1-er_mv: failed 'all.erg': copied, but not removed: 'all.erg' has changed" \
	'a group that gets another member during the move is kept'
is "$(grep -c third all.erg)" 1 'with it'
ln -sf "$BUILD/bin/er_import" ssh/desk/er_import
cp original.erg all.erg
rm -rf test.1.er
cp -a original.er test.1.er
empty

cp original.erg "$runs/all.erg"
er_mv -gv all.erg test.1.er desk:runs >out 2>err
is "$?-$(sed 's/ (.*//' out)-$(cat err)" "1-moved 'test.1.er' -> 'desk:runs/test.1.er'-er_mv: cannot create 'desk:runs/all.erg': File exists" 'an experiment of a group that is given up moves as an operand'
[ ! -e test.1.er ] && same_tree original.er "$runs/test.1.er"
ok $? 'wholly'
cp -a original.er test.1.er
empty

# Operands that must not be moved.
er_mv test.1.er/_f1.er desk:runs 2>err
is "$?-$(cat err)" "1-er_mv: 'test.1.er/_f1.er' is part of another experiment: copy it instead" \
	'sub-experiments stay'
ln -s test.1.er link.er
er_mv link.er desk:runs 2>err
is "$?-$(cat err)" "1-er_mv: 'link.er' is a symbolic link, not an experiment" 'so do links'
er_mv desk:runs/test.1.er . 2>err
is "$?" 1 'a move from another host is refused'
ln -s ../../nowhere/1_libx.so test.1.er/archives/libx.so
cp -a test.1.er linked.er
er_mv test.1.er desk:runs 2>err
is "$?" 1 'an experiment that cannot be sent completely is an error'
check 'and the source stays' same_tree linked.er test.1.er
rm -rf test.1.er linked.er
cp -a original.er test.1.er
empty

# fails_there TEXT COMMAND: run it instead of er_import, over there.
fails_there() {
	rm -f ssh/desk/er_import
	printf '#!/bin/sh\n%s\n' "$2" >ssh/desk/er_import
	chmod +x ssh/desk/er_import
	er_mv test.1.er desk:runs 2>err
	is "$?" 1 "$1: an error"
	check "$1: the source is whole" same_tree original.er test.1.er
	rm ssh/desk/er_import
	ln -s "$BUILD/bin/er_import" ssh/desk/er_import
}
import="$BUILD/bin/er_import \"\$@\""
fails_there 'the stream is cut' "head -c 100000 | $import"
is "$(ls -A "$runs")" '' 'nothing is there'
fails_there 'it reads nothing' 'exit 3'
grep -qx "er_mv: er_import failed on 'desk', with status 3" err
ok $? 'its status is reported'
fails_there 'it fails late' "$import; exit 1"
check 'although it is there' same_tree original.er "$runs/test.1.er"
er_mv test.1.er desk:runs 2>err
is "$?-$(ls -d test.1.er 2>/dev/null)" 0- 'which the next move finds'
empty
cp -a original.er test.1.er
fails_there 'it does not report what arrived' "$import >/dev/null"
empty
fails_there 'it reports experiments that did not arrive' 'cat >/dev/null; exit 1'
is "$(ls -A "$runs")" '' 'nothing is there'
# sshd's session is killed with er_import in it: its leftovers are cleaned up later.
fails_there 'the connection is killed' "head -c 100000 | $import & sleep 0.2; kill -9 \$PPID"
grep -q "connection to 'desk' failed" err
ok $? 'which is reported'
er_mv test.1.er desk:runs
is "$?-$(hidden "$runs")-$(ls -d test.1.er 2>/dev/null)" 0-- 'the same move run again succeeds'
check 'it is there' same_tree original.er "$runs/test.1.er"
empty
cp -a original.er test.1.er

# The source changes during the move.
cat >ssh/desk/tool <<-END
	#!/bin/sh
	$import
	status=\$?
	echo late >'$PWD/test.1.er/labels.xml'
	exit \$status
END
chmod +x ssh/desk/tool
mv ssh/desk/tool ssh/desk/er_import
er_mv test.1.er desk:runs 2>err
is "$?-$(cat err)" "1-er_mv: failed 'test.1.er': copied, but not removed: it changed during the comparison" \
	'a source that changes during the move is not removed'
is "$(cat test.1.er/labels.xml)" late 'with its new contents'
rm -rf test.1.er ssh/desk/er_import
ln -s "$BUILD/bin/er_import" ssh/desk/er_import
cp -a original.er test.1.er
empty

# The other side has no erkit.
er_mv -q test.1.er poor:runs 2>err
is "$?-$(cat err)" "1-er_mv: er_import and sha256sum are missing on 'poor': cannot verify the copy \
there" 'an experiment that cannot be verified does not move'
stays 'unverified'
er_mv -q test.1.er bare:runs
is "$?-$(ls -d test.1.er 2>/dev/null)" 0- 'tar and sha256sum are enough'
check 'it is there' same_tree original.er "$runs/test.1.er"
cp -a original.er test.1.er
er_mv -q test.1.er bare:runs 2>err
is "$?" 1 'but cannot identify an existing experiment'
check 'so the source stays' same_tree original.er test.1.er
empty
printf '#!/bin/sh\ncat >/dev/null\nexit 1\n' >ssh/tool
chmod +x ssh/tool
rm ssh/bare/sha256sum
cp ssh/tool ssh/bare/sha256sum
er_mv -q test.1.er bare:runs 2>err
is "$?" 1 'wrong checksums are an error'
stays 'wrong checksums'

# The disk over there is full.
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=200k none "$runs" 2>/dev/null; then
	trap 'umount "$runs"; end_ssh' EXIT
	er_mv test.1.er desk:runs 2>err
	is "$?" 1 'a full disk is an error'
	grep -q '^er_mv: desk: er_import: .*No space left on device' err
	ok $? 'which is reported'
	stays 'full disk'
	rm ssh/bare/sha256sum
	ln -s "$(command -v sha256sum)" ssh/bare/sha256sum
	er_mv -q test.1.er bare:runs 2>err
	is "$?" 1 'the same with tar'
	stays 'full disk with tar'
	umount "$runs"
	trap end_ssh EXIT
else
	skip 'mounting needs root' 'full disks'
fi

# Several experiments, one of which fails.
mkdir mine
for name in a b c; do
	cp -a original.er "mine/$name.er"
done
mkdir "$runs/b.er"
echo text >"$runs/b.er/thesis.tex"
er_mv mine/a.er mine/b.er mine/c.er desk:runs 2>err
is "$?-$(ls mine)" 1-b.er 'the others move'
check 'and are there' same_tree original.er "$runs/c.er"
is "$(hidden "$runs")$(hidden .)" '' 'nothing hidden is left'
done_testing
