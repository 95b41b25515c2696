#!/bin/sh
# The same for zsh, and its completion system accepts our specifications.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/help.sh
. "$TOP/tests/lib/help.sh"

if ! command -v zsh >/dev/null; then
	skip 'zsh is not installed' 'completion for zsh'
	done_testing
fi
sed '$d' "$TOP/completions/_erkit" >functions.zsh

for program in "$BUILD"/bin/*; do
	program=$(basename "$program")
	options "$program" >wanted
	# shellcheck disable=SC2016
	zsh -fc 'source ./functions.zsh; _erkit_specifications $1' zsh "$program" >specifications 2>err
	is "$(cat err)" '' "$program: no complaints"
	sed 's/^\*\(-[A-Za-z_-]*\).*/\1/' specifications | LC_ALL=C sort -u >offered
	is "$(comm -23 wanted offered)" '' 'all options are completed'
	is "$(grep -c '\[\]' specifications)" 0 'all are described'
	is "$(grep ':$\|:()$' specifications)" '' 'with the kind of their values'
	head -1 "$TOP/completions/_erkit" | grep -qw -e "$program"
	ok $? 'zsh finds the function'
done

# A shell on a terminal, in which a user types and presses the tab key.
cat >type.zsh <<'END'
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f"
read_until() { # PATTERN
	local some all=
	integer i
	for ((i = 0; i < 200; i++)); do
		while zpty -rt shell some; do all+=$some; done
		[[ $all = *$~1* ]] && break
		sleep 0.05
	done
	print -r -- $all
}
zpty -w shell 'PS1=; fpath=($TOP/completions $fpath); autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste; echo rea""dy'
read_until ready >/dev/null
zpty -w -n shell "$1"$'\t'
read_until "$2"
zpty -d shell
END
completes() { # WORDS PATTERN
	zsh -f type.zsh "$1" "$2" >typed
	grep -q -e "$(echo "$2" | sed 's/\./\\./g')" typed
	ok $? "'$1' becomes $2" || sed 's/^/# /' typed
}
mkdir test.1.er
touch all.erg old.er.tar.zst thesis.tex
completes 'er_cp --spar' --sparse=
completes 'er_cp --sparse=al' always
completes 'er_cp te' test.1.er
completes 'er_mv --fix-groups a' all.erg
completes 'er_import o' old.er.tar.zst
completes 'er_archive --check o' old.er.tar.zst
completes 'er_print -func' -functions
completes 'er_archive -a usedc' usedcopy
completes 'er_export --only notes,he' heap
completes 'collect -S of' off
done_testing
