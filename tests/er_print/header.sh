"$TESTDIR/make-experiments" messages.er shape.er
er_print -header messages.er
er_print -header 2 -notes all shape.er messages.er
er_print -header 3 shape.er
