#!/bin/sh
# -i, and the data it records. Only on and off are values.
for value in on off x ""; do
	collect -n -i "$value" true >settings 2>message
	echo "$value: $? $(grep I/O settings)$(cat message)"
done
# The log declares the data, and its file is there.
collect -i on -p off -A off -o io.er cat /dev/null 2>/dev/null
er_print -header io.er | grep -i tracing
ls io.er
