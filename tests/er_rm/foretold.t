#!/bin/sh
# er_rm -n prints, line by line, what er_rm -v then does: leftovers and groups included.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

# One experiment of each kind, groups of them, and leftovers of dead programs.
make_runs() {
	rm -rf runs
	mkdir -p runs/sub
	for name in a.1 a.2 sub/b.1 c.1; do
		make_experiment "runs/$name.er"
	done
	for hidden in .a.1.er.abcdef.del .a.1.er.bcdefg.part .gone.er.abcdef.del sub/.z.er.abcdef.part; do
		cp -a runs/c.1.er "runs/$hidden"
		rm "runs/$hidden/log.xml"
	done
	mkdir runs/.a.1.er.mine00.del
	echo thesis >runs/.a.1.er.mine00.del/thesis.tex
	echo text >runs/plain.er
	mkdir runs/dir.er
	echo thesis >runs/dir.er/thesis.tex
	ln -s a.1.er runs/link.er
	printf '#analyzer experiment group\na.1.er\na.2.er\nmissing.er\n' >runs/a.erg
	printf '#analyzer experiment group\na.1.er\nsub/b.1.er\n' >runs/ab.erg
}

# foretold COMMAND...: -n prints the same as -v, with the same status, and changes nothing.
foretold() {
	make_runs
	find runs | sort >before
	"$@" -n >would 2>would.err
	status=$?
	find runs | sort | diff before - >&2
	is $? 0 "$* -n changes nothing"
	"$@" -v >did 2>did.err
	is "$? $(cat did did.err)" "$status $(sed 's/^would remove/removed/' would would.err |
		sed 's/would be removed/was removed/')" "and says what is done"
	find runs | sort >after
	sed -n "s/^removed '\([^']*\)'.*/\1/p" did | while IFS= read -r name; do
		grep -v "^$name\(/\|\$\)" before >left
		mv left before
	done
	is "$(cat after)" "$(cat before)" "all of which is gone, and nothing else"
}

foretold er_rm -r runs
check 'with leftovers' grep -qx \
	"removed 'runs/.gone.er.abcdef.del' (left over from an interrupted operation)" did
check 'a file with the name of an experiment is reported' grep -qx \
	"er_rm: warning: 'runs/plain.er' is not an experiment: it is not a directory" did.err
check 'as a directory is' grep -q "warning: 'runs/dir.er' is not an experiment: " did.err
is "$(grep -c link did did.err)" "did:0
did.err:0" 'a link is not'
foretold er_rm -r --name='a.*' runs runs/a.erg
check 'the group goes with its experiments' grep -qx "removed 'runs/a.erg'" did
foretold er_rm --keep=1 runs/a.erg runs/ab.erg
is "$(grep -c 'erg' did)" 0 'and stays with them'
foretold er_rm runs/a.1.er runs/c.1.er
is "$(grep -c 'left over' did)" 2 'leftovers beside an operand are removed with it'
foretold er_rm runs/gone.er
is "$(cat did did.err)" "removed 'runs/.gone.er.abcdef.del' (left over from an interrupted operation)
removed 'runs/gone.er'" 'a removal is finished'
foretold er_rm runs/a.erg runs/link.er
foretold er_rm -f runs/ab.erg runs/missing.er runs/plain.er runs/dir.er
is "$(cat did.err)" "er_rm: 'runs/plain.er' is not an experiment: it is not a directory
er_rm: 'runs/dir.er' is not an experiment: 'thesis.tex' does not belong to an experiment" \
	'operands that are not experiments are refused in one form'

# All tools give the same messages about operands that are not experiments.
make_runs
for command in er_rm 'er_cp -f' 'er_mv -f' er_export er_archive; do
	target=
	case $command in *-f) target=new.er ;; esac
	# shellcheck disable=SC2086
	$command runs/plain.er $target 2>err
	is "$? $(cat err)" "1 ${command%% *}: 'runs/plain.er' is not an experiment: it is not a directory" \
		"$command of a plain file"
done
for command in 'er_cp -f' 'er_mv -f'; do
	# shellcheck disable=SC2086
	$command runs/c.1.er runs/plain.er 2>err
	is "$? $(cat err runs/plain.er)" "1 ${command%% *}: 'runs/plain.er' is not an experiment: it is not a directory
text" "$command does not replace one"
done
done_testing
