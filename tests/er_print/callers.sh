"$TESTDIR/make-experiments" shape.er
er_print -callers-callees shape.er
er_print -csingle middle -csingle main -csingle burn shape.er
er_print -csingle nothing shape.er
