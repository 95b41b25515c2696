#!/bin/sh
# cat one.tar two.tar >both.tar: a file of several bundles counts as all of them, in every tool, from a file
# and from a pipe, as with tar -i. No data after a bundle is ignored.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

for name in a b; do
	"$TESTDIR/make-experiment" $name.er || exit
	sed -i 's,/gone/program,/proc/version,' $name.er/map.xml $name.er/_f1.er/map.xml
	for method in zstd gzip xz none; do
		er_export -q -a off -z $method -o $name.$method $name.er || exit
	done
done
er_export --text a.er b.er >text

# said STATUS PATTERN COMMAND...: the command ends with the status, and its messages match the pattern.
said() {
	wanted=$1
	pattern=$2
	shift 2
	"$@" >got 2>&1
	status=$?
	[ $status = "$wanted" ] && { [ -z "$pattern" ] || grep -q "$pattern" got; } && return
	note "$*: status $status"
	sed 's/^/# /' got
	return 1
}

# imported STATUS PATTERN FILE: from a file and from a pipe; both experiments appear, or the second does not.
imported() {
	for from in "$3" -; do
		rm -rf in
		mkdir in
		said "$1" "$2" er_import -C in "$from" <"$3" || return 1
		if [ "$1" = 0 ]; then
			diff -r a.er in/a.er && diff -r b.er in/b.er || return 1
		else
			left=$(find in -mindepth 1 -maxdepth 1 ! -name a.er)
			[ -z "$left" ] || return 1
		fi
	done
}

for method in zstd gzip xz none; do
	cat a.$method b.$method >both
	imported 0 '' both
	ok $? "$method: er_import writes what both hold"
	er_export -l both >list
	{
		er_export -l a.$method
		er_export -l b.$method
	} | diff - list
	ok $? "$method: er_export -l lists both"
	check "$method: er_export --check looks at both" er_export --check both
	said 1 "" er_archive --check both
	is "$(grep -c "'/proc/version'" got)" 2 "$method: so does er_archive --check"
	{
		er_export --text both/a.er
		er_export --text both/b.er
	} | sed 's,both/,,' | diff text -
	ok $? "$method: and er_export --text"
	said 0 'b\.er'  er_print -header both
	ok $? "$method: and er_print"
	[ $method = none ] && option= || option=--$method
	mkdir -p tar
	# shellcheck disable=SC2086 # nothing, or an option
	tar -i $option -xf both -C tar && diff -r b.er tar/b.er -x EXPORT.manifest
	ok $? "$method: and tar -i"
	rm -rf tar

	cat a.$method a.$method >twice
	imported 1 "refused the member 'a.er.*': duplicate name" twice
	ok $? "$method: the same twice is refused"
	for other in zstd gzip xz none; do
		[ $other = $method ] && continue
		cat a.$method b.$other >mixed
		imported 1 "er_import: '\(mixed\|-\)': " mixed && said 1 "'mixed'" er_export -l mixed &&
			said 1 "'mixed'" er_export --check mixed &&
			said 1 "'mixed'" er_archive --check mixed &&
			said 1 "'mixed'" er_print -header mixed
		ok $? "$method followed by $other is an error in every tool"
	done
done

# Three, the middle one of a group; then cut and padded ones.
printf '%s\n' '#analyzer experiment group' b.er >group.erg
cp -R a.er c.er
er_export -q -a off group.erg && er_export -q -a off c.er || exit
cat a.zstd group.erg.tar.zst c.er.tar.zst >three
rm -rf in
mkdir in
er_import -q -C in three
is "$? $(cd in && echo *)" '0 a.er b.er c.er group.erg' 'three, one of them a group, are all there'
head -c -1500 b.zstd | cat a.zstd - >cut.tar
imported 1 'is truncated\|is damaged' cut.tar
ok $? 'a cut second one is an error'
head -c -600 b.none | cat a.none - >cut.tar
imported 1 'cut off\|[Tt]runcated' cut.tar
ok $? 'and without its end, too'
{
	cat a.none
	head -c 1048576 /dev/zero
	cat b.none
	head -c 10240 /dev/zero
} >padded
imported 0 '' padded
ok $? 'zeros between and after them are padding'
prints=$(er_export --text padded/b.er | sed 's,padded/,,' | diff - text | grep -c '^<')
is "$prints" 0 'and are skipped when read in place'
{
	cat a.none
	printf 'and more' | dd bs=512 conv=sync 2>/dev/null
	head -c 10240 /dev/zero
} >trailing
imported 1 'amaged tar archive' trailing
ok $? 'data that is not a member is an error'
{
	cat a.none
	truncate -s 400M hole
	cat hole
} | zstd -q >endless
imported 1 'the tar archive has no end-of-archive marker' endless
ok $? 'zeros without an end are an error'
rm hole
done_testing
