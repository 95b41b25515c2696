"$TESTDIR/make-experiments" shape.er empty.er
# A limit holds for the lists after it.
er_print -functions -limit 3 -functions shape.er
# An experiment without samples has an empty list.
er_print -functions empty.er
