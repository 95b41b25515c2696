#!/bin/sh
# Nothing is recorded into an experiment: it would be none any more.
collect -A off -o a.er true 2>/dev/null
find a.er | sort >before
# -o and -d are refused.
collect -o a.er/b.er true
echo $?
collect -d a.er/archives true
echo $?
# Other tools write nothing into it either.
er_print -outfile a.er/log.xml -functions a.er >/dev/null
find a.er | sort | diff before -
rm -r a.er before
ls -A
