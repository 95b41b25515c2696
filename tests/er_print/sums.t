#!/bin/sh
# The tables of an experiment agree with each other: see sums.py.

shape=$BUILD/tests/er_print/programs/shape
"$TESTDIR/make-experiments" shape.er second.er family.er waits.er io.er
"$TESTDIR/make-heap" heap.er more.er none.er
"$TESTDIR/make-omp" "$shape" omp.er linux.er
"$TESTDIR/make-java" "$shape" java.er names.er plain.er again.er collections.er
SHAPE='' "$TESTDIR/make-counters" counters.er
collect -A copy -p 1000u -H on -s all -i on -o recorded.er sh -c \
	'for i in 1 2 3; do sort -R /etc/services | sort >/dev/null; done' >recorded 2>&1
exec python3 -B "$TESTDIR/sums.py" shape.er family.er waits.er io.er heap.er omp.er java.er counters.er recorded.er
