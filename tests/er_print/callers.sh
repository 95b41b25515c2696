"$TESTDIR/make-experiments" shape.er
# Every function has its callers above it and its callees below.
er_print -callers-callees shape.er
# A single function, at the top, at the bottom, and in between.
er_print -csingle middle -csingle main -csingle burn shape.er
# A name that no function has is an error.
er_print -csingle nothing shape.er
