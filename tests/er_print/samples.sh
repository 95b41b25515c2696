"$TESTDIR/make-experiments" shape.er second.er empty.er
er_print -statistics 1 -sample_detail shape.er
er_print -statistics shape.er second.er
er_print -statistics empty.er
