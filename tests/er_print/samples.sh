"$TESTDIR/make-experiments" shape.er second.er empty.er
# Statistics of one experiment, and its samples.
er_print -statistics 1 -sample_detail shape.er
# Two experiments: sums first, then each.
er_print -statistics shape.er second.er
# Without samples there are no statistics.
er_print -statistics empty.er
