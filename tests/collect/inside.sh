#!/bin/sh
# Nothing is recorded into an experiment: it would be none any more.
collect -A off -o a.er true 2>/dev/null
ls a.er >before
collect -o a.er/b.er true
echo $?
collect -d a.er/archives true
echo $?
er_print -outfile a.er/log.xml -functions a.er >/dev/null
ls a.er | diff before -
rm -r a.er before
ls -A
