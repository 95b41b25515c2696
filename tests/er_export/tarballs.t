#!/bin/sh
# Malicious tarballs: each is refused, with the member and the reason, and leaves nothing, inside or outside.
. "$TOP/tests/lib/tap.sh"

python3 "$TESTDIR/make-tarballs.py" || exit 1
mkdir in

# refused NAME MESSAGE: er_import prints it, with the pattern MESSAGE, and leaves nothing.
refused() {
	file=$1.tar
	[ -e "$file" ] || file=$1.tar.zst
	timeout 10 er_import -C in "$file" >out 2>err
	status=$?
	# shellcheck disable=SC2254 # MESSAGE is a pattern
	case $(cat err) in
	"er_import: '$file': "$2) said=0 ;;
	*) said=1 ;;
	esac
	if [ $status = 1 ] && [ $said = 0 ] && [ -z "$(ls -A in)" ] && [ ! -e escaped ] &&
		[ ! -e ../escaped ] && [ ! -s out ]; then
		ok 0 "$1 is refused"
	else
		ok 1 "$1 is refused"
		note "status $status, left: $(ls -A in)"
		sed 's/^/# /' err
		rm -rf in escaped
		mkdir in
	fi
}

refused dotdot "refused the member 'x.er/../../escaped': '..' in its name"
refused absolute "refused the member '/*/escaped': its name is absolute"
refused linkthrough "refused the member 'x.er/archives': a link that points outside the experiment"
refused linkoutside "refused the member 'x.er/archives/a': a link that points outside the experiment"
refused linkinside "refused the member 'x.er/archives/a/escaped': an experiment has no such entry"
refused hardlink "refused the member 'x.er/notes': a hard link"
refused device "refused the member 'x.er/notes': a device"
refused fifo "refused the member 'x.er/notes': a fifo"
refused setid "refused the member 'x.er/notes': a set-id bit"
refused duplicate "refused the member 'x.er/log.xml': duplicate name"
refused control "refused the member 'x.er/archives/a\\\\033\[2Jb': control characters in its name"
refused newline "refused the member 'x.er/archives/a\\\\nb': control characters in its name"
refused otherfile "refused the member 'x.er/.bashrc': an experiment has no such entry"
refused othertop "refused the member 'bin/sh': it is not inside a '\*.er' directory"
refused deep "refused the member 'x.er/jdynclasses/a/*': it is deeper than --max-depth allows"
refused longname "refused the member 'x.er/archives/aaa*': its name is too long"
refused secondexperiment "refused the member 'y.er/_f1.er/_f1.er/log.xml': an experiment has no such entry"
refused group "refused the member 'x.erg': it is not a group"
refused groups "more than 256 groups"
refused behindmanifest "refused the member 'x.er/notes': it follows the manifest"
refused unlisted "'x.er/notes': not in the manifest"
refused wrongsum "'x.er/log.xml': its checksum does not match the manifest"
refused notthere "'x.er/notes': in the manifest but not in the bundle"
refused badmanifest "EXPORT.manifest:1: improperly formatted line"
refused petabyte "refused the member 'x.er/profile': more bytes than --max-bytes allows"
refused sparse "refused the member 'x.er/profile': more bytes than --max-bytes allows"
refused bomb "refused the member 'x.er/profile': it expands to more than --max-expansion allows"
refused cut "*"
refused cutbetween "the tar archive is truncated"
refused random "*"
refused empty "*"
refused nothing "it contains no experiment"

# The size of a pipe's input is not known: the bytes read so far count.
timeout 20 er_import -C in - <bomb.tar.zst 2>err
is "$? $(cat err)" "1 er_import: '-': refused the member 'x.er/profile': it expands to more than --max-expansion allows" \
	"a bomb is refused"
# shellcheck disable=SC2002 # it must be a pipe
cat bomb.tar.zst | timeout 20 er_import -C in - 2>err
is "$? $(cat err)" "1 er_import: '-': refused the member 'x.er/profile': it expands to more than --max-expansion allows" \
	"a bomb in a pipe is refused"
er_import --max-entries 1 -C in dotdot.tar 2>err
is "$? $(cat err)" "1 er_import: 'dotdot.tar': refused the member 'x.er/log.xml': more members than --max-entries allows" \
	"the number of members can be limited"
er_import --max-bytes 10 -C in dotdot.tar 2>err
is "$? $(cat err)" "1 er_import: 'dotdot.tar': refused the member 'x.er/': more bytes than --max-bytes allows" \
	"the number of bytes can be limited"
is "$(ls -A in)" "" "nothing of all that is left"

# Listing writes nothing, so it shows the names, made harmless.
er_export -l control.tar >out
is "$(tail -n 1 out | cut -c 45-)" 'x.er/archives/a\033[2Jb' "control characters are listed as numbers"

# Endless input is not read forever.
er_import /dev/zero 2>err
is "$? $(cat err)" "1 er_import: '/dev/zero': the tar archive has no end-of-archive marker" "a tarball of nothing but zeros"
done_testing
