#!/bin/sh
# An empty word on a command line comes from an unset variable: it does not name anything, and nothing is
# done.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

mkdir here && cd here || exit
"$TOP/tests/er_export/make-experiment" test.1.er || exit
echo 'a note' >test.1.er/notes
printf '#analyzer experiment group\ntest.1.er\n' >all.erg
er_export -q -a off -o old.tar.zst test.1.er
state() {
	find . -type f -exec cksum {} + | sort
}
state >../before

# refused TEXT COMMAND...: with the status of a usage error and this message; nothing is changed.
refused() {
	said=$1
	shift
	"$@" >../out 2>../err </dev/null
	is "$? $(head -n 1 ../err)" "2 $1: $said" "$*"
	state | cmp -s - ../before || ok 1 "it changes nothing"
}

for program in er_archive er_cp er_export er_html er_import er_mv er_print er_rm 'er_rm -r' 'er_rm -f' \
	'er_export -l' 'er_export --check' 'er_export --import' 'er_export --text'; do
	# shellcheck disable=SC2086
	refused 'invalid empty operand' $program '' ''
	# shellcheck disable=SC2086
	refused 'invalid empty operand' $program test.1.er ''
done

# Every option that takes a value.
for program in er_cp er_export er_html er_import er_mv er_rm; do
	for option in $($program --help | sed -n '/^ \{2,6\}-/s/^[^=]*\(--[a-z-]*\)[= ][A-Zaonw].*/\1/p'); do
		refused "invalid empty argument for option '$option'" $program "$option" '' test.1.er x.er
		refused "invalid empty argument for option '$option'" $program "$option=" test.1.er x.er
	done
done
check 'these are many' [ "$tap_count" -ge 60 ]
for letter in a s d r m; do
	refused "invalid empty argument for option '-$letter'" er_archive -$letter '' test.1.er
done
refused "invalid empty argument for option '--outfile'" er_archive --outfile= test.1.er
done_testing
