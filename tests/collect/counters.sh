#!/bin/sh
# Errors in the words of -h are reported.
for words in "" "page-faults/0,minor-faults/0" "+task-clock" "+context-switches~u" "page-faults,0" "page-faults/x" "a|b" \
	"no_such_counter_anywhere" "page-faults,,,x|"; do
	collect -n -h "$words" true >/dev/null 2>message
	echo "$words: $? $(head -n 1 message)"
done
# Data addresses, whatever the counter is called.
collect -n -h +page-faults~u,5,+minor-faults,+major-faults true 2>&1 | grep counter
# off cannot be combined with counters.
collect -n -h page-faults -h off true 2>&1
collect -n -h off -h page-faults true 2>&1
# Counters of time have the same limits as the clock.
collect -n -h task-clock,1,page-faults,1,cpu-clock,100000,task-clock~u,99999 true 2>&1 | grep -e warn -e counter
rm message
