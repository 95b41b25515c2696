#!/bin/sh
# Every option that a program's --help shows is completed, and every kind of value is known.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/help.sh
. "$TOP/tests/lib/help.sh"

if ! command -v bash >/dev/null; then
	skip 'bash is not installed' 'completion for bash'
	done_testing
fi
cat >complete.bash <<'END'
source "$TOP/completions/erkit.bash"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_erkit
printf '%s\n' "${COMPREPLY[@]}"
END
complete=$PWD/complete.bash
completions() { # WORD...: what the last one may become, on one line
	bash "$complete" "$@" | LC_ALL=C sort -u | xargs
}

for program in "$BUILD"/bin/*; do
	program=$(basename "$program")
	options "$program" >wanted
	bash complete.bash "$program" - | LC_ALL=C sort -u >offered
	check "$program has options" [ "$(wc -l <wanted)" -ge 5 ]
	is "$(comm -23 wanted offered)" '' "all of them are completed"
	# shellcheck disable=SC2016
	is "$(bash -c '. "$TOP/completions/erkit.bash"
		_erkit_know "$1"
		sed -n "s/^-[^ ]* //p" <<<"${_erkit_help[$1]}" | while IFS= read -r kind; do
			_erkit_values "$kind" "" >/dev/null || echo "$kind"
		done' bash "$program")" '' 'with the kind of their values'
	# shellcheck disable=SC2016
	bash -c '. "$TOP/completions/erkit.bash"; complete -p "$1"' bash "$program" >/dev/null
	ok $? 'bash finds the function'
done

# The archiver lists its modes in the message about an unknown one.
modes=$(er_archive -a nonsense x.er 2>&1 | sed -n '1s/.*: use //p' | sed 's/,/ /g; s/ or / /')
completions er_archive -a '' | tr ' ' '\n' >offered
check 'there are modes' [ "$(echo "$modes" | wc -w)" -ge 3 ]
for mode in $modes; do
	check "mode $mode is completed" grep -qx -e "$mode" offered
done

mkdir here && cd here || exit
mkdir test.1.er runs
touch all.erg old.er.tar.zst thesis.tex
is "$(completions er_cp '')" 'all.erg runs test.1.er' 'operands are experiments, groups, directories'
is "$(completions er_rm t)" 'test.1.er' 'with this beginning'
is "$(completions er_export '')" 'all.erg old.er.tar.zst runs test.1.er' 'er_export: bundles, too'
is "$(completions er_print ol)" 'old.er.tar.zst' 'er_print reads bundles'
is "$(completions er_archive '')" 'all.erg runs test.1.er' 'er_archive writes to none'
is "$(completions er_archive --check '')" 'all.erg old.er.tar.zst runs test.1.er' 'but checks them'
is "$(completions er_import '')" 'old.er.tar.zst runs test.1.er' 'er_import: bundles'
is "$(completions er_import -C '')" 'runs test.1.er' 'a directory'
check 'a process' grep -qw -e $$ <<END
$(completions collect --prepare '')
END
is "$(completions er_export -o '')" 'all.erg old.er.tar.zst runs test.1.er thesis.tex' 'a file'
is "$(completions er_cp --sparse = a)" 'always auto' 'words after ='
is "$(completions er_cp --sparse al)" 'always' 'and after a blank'
is "$(completions er_mv --fix-groups a)" 'all.erg' 'groups'
is "$(completions er_export --only notes,he)" 'notes,heap' 'words after commas'
is "$(completions collect -p o)" 'off on' 'words of collect'
is "$(completions collect -p on -g '')" 'all.erg runs test.1.er' 'its groups'
is "$(completions collect -p on bas | tr ' ' '\n' | grep -x bash)" bash 'its program'
is "$(completions collect -p on bash -)" '' 'and nothing of ours after that'
is "$(completions er_print -func)" '-functions' 'commands of er_print'
done_testing
