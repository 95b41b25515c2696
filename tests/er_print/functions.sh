"$TESTDIR/make-experiments" shape.er empty.er
er_print -functions -limit 3 -functions shape.er
er_print -functions empty.er
