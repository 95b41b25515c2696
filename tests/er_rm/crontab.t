#!/bin/sh
# The line for cron in the manual works in cron's environment, with little in its PATH.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

# The test's own paths replace those of `make install` and of the directories to clean.
sed -n '/^\.Sh CLEANING/,/^\.Ed$/p' "$TOP/er_rm/er_rm.1" | sed '1,/^\.Bd/d;/^\.Ed$/d' |
	sed "s|/usr/local/bin|$BUILD/bin|;s|/data/runs|runs|" >table
grep '^[A-Z]*=' table >settings
sed '/^[A-Z]*=/d;s/^[^ ]* [^ ]* [^ ]* [^ ]* [^ ]*  *//' table >line
is "$(wc -l <line)" 1 'one command is in the manual'

make_experiment original.er
mkdir runs
for number in 1 2 3 4 5; do
	cp -a original.er runs/test.$number.er
done
find runs -exec touch -d '60 days ago' {} +
# shellcheck disable=SC2046 # each line is a setting without blanks
env -i PATH=/usr/bin:/bin $(cat settings) sh -c "$(cat line)" >out 2>&1
is "$? $(cat out)" '0 ' 'cron finds the program, which prints nothing'
is "$(find runs -name 'test.*.er' | wc -l)" 3 'and removes old experiments'
done_testing
