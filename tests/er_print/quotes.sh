"$TESTDIR/make-experiments" shape.er
# Quotes of both kinds keep blanks, and a backslash in them takes the next quote literally.
cat >'a "file" #1' <<'END'
thread_list
END
cat >script <<'END'
script "a \"file\" #1"
script 'a "file" #1' # a comment
script a' "file" '#1
fsingle "no\such 'function'"
fsingle 'no\'such \\function'
fsingle "not closed
fsingle ""
thread_list
END
er_print -script script shape.er 2>&1
echo "status $?"
# Words for a window are ignored, with any arguments.
cat >script <<'END'
tabs functions:source
rtabs
tlmode thread : 4
TLDATA clock
timeline
mpi_metrics a b
thread_list
END
er_print -script script shape.er 2>&1
echo "status $?"
er_print -tabs functions -mpi_list x -thread_list shape.er 2>&1
