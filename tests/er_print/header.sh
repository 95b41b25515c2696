"$TESTDIR/make-experiments" messages.er shape.er
# Errors, warnings and comments of the log are in the header.
er_print -header messages.er
# A number chooses one experiment, and "all" all of them.
er_print -header 2 -notes all shape.er messages.er
# A number without an experiment is refused.
er_print -header 3 shape.er
