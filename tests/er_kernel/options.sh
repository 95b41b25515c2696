#!/bin/sh
# Words that er_kernel refuses, and its settings. Nothing is recorded.
run() {
	echo "$ er_kernel $*"
	er_kernel "$@" >said 2>&1
	status=$?
	head -n 2 said
	echo "-> $status"
	rm said
}
er_kernel | head -n 2
er_kernel --help | head -n 1
er_kernel -h | sed -n "/^Well-known/,/^ *cpu-clock/p"
er_kernel -V
run -p
run -p never
run -p 2000
run -p on -p off
run -h no-such-counter
run -h watch
run -h
run -x maybe
run -q 1.5
run -q 90000
run -t 5-2
run -F maybe
run -F ='('
run -o name
run -A all-of-it -t 1
run -H on
run -pon
run --overwrite -t 1
run no-such-program
run ./options.sh
run /
ls -A
