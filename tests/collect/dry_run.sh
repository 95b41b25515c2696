#!/bin/sh
# -n shows the settings and makes nothing.
cp /bin/true program
# Options appear as settings, the program with its arguments.
collect -n -p hi -S off -L unlimited -A copy -F =cc1 -t 1-2m ./program a 'b c'
# Signals of samples and of pauses, by name and number.
collect -n -l SIGUSR1 -y RTMIN+3,r ./program | grep signal
collect -n -y 12 ./program | grep signal
# A clock rate in microseconds, and the name of the experiment.
collect -nv -p 20u -o x.7.er ./program | sed -n '/clock/p; /experiment/p'
# Leading zeros do not matter, and a window that ends at 0 has no end.
collect -n -s 0000000000000005 -t 5-0 ./program | grep -e sync -e window
# Comments add up; a group gets the experiment; -x stops the program at its start.
collect -nx -C 'first words' -C second -g set.erg ./program | grep -e comment -e group -e start
# The depth of stacks comes from the environment, within its limits.
for depth in 5000 1 '' 300x -7; do
	GPROFNG_MAX_CALL_STACK_DEPTH=$depth collect -n ./program | grep depth
done
SP_COLLECTOR_STACKBUFSZ=800 collect -n ./program | grep depth
# The next free number is one above the largest that is taken.
mkdir test.1.er test.3.er x.1.er x.9.er dir
collect -n ./program | grep experiment
collect -n -o x.1.er ./program | grep experiment
collect -n -d dir -g set.erg ./program | grep experiment
# A name without a number is taken as it is, once.
collect -n -o plain.er ./program | grep experiment
mkdir plain.er
collect -n -o plain.er ./program
echo $?
# Nothing was made.
rm -r test.?.er x.?.er plain.er dir program message 2>/dev/null
ls -A
