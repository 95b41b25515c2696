#!/bin/sh
# Nothing is recorded into an experiment, because that would spoil it.
collect -A off -o a.er true 2>/dev/null
find a.er | sort >before
# -o and -d are refused.
collect -o a.er/b.er true
echo $?
collect -d a.er/archives true
echo $?
# Other tools do not write into it either.
er_print -outfile a.er/log.xml -functions a.er >/dev/null
find a.er | sort | diff before -
# Nothing else was made.
rm -r a.er before
ls -A
