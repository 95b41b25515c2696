"$TESTDIR/make-conflicts" races.er second.er deadlocks.er odd.er
# Races, and the call stacks of their accesses.
er_print -functions -races -rdetail 2 races.er
er_print -metrics i+raccess:name -functions -callers-callees -rdetail all races.er
er_print -races races.er second.er
# Deadlocks: locks by thread, what is held first.
er_print -functions -deadlocks -ddetail 2 -dsummary 1 deadlocks.er
# Every list where there are no data of its own.
er_print -races -rdetail all deadlocks.er
er_print -deadlocks -ddetail all races.er
echo "-- odd data:"
er_print -functions -races -rdetail all -deadlocks -ddetail all odd.er
# Numbers begin at 1.
er_print -rdetail 3 -rdetail 0 -rdetail x -ddetail 1 races.er
