#!/bin/sh
# -i, and what it records with.
for value in on off x ""; do
	collect -n -i "$value" true >settings 2>message
	echo "$value: $? $(grep I/O settings)$(cat message)"
done
collect -i on -p off -A off -o io.er cat /dev/null 2>/dev/null
er_print -header io.er | grep -i tracing
ls io.er
