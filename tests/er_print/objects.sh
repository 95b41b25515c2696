cp "$BUILD/tests/er_print/programs/shape" .
# A program older than the experiment: its functions have names.
touch -d @1600000000 shape
SHAPE=$PWD/shape "$TESTDIR/make-experiments" shape.er
er_print -objects -metrics e.totalcpu -fsingle leaf_b shape.er >out
# A program that changed later is a warning.
touch shape
er_print -objects shape.er >>out
# So is a missing program, and its functions have no names.
rm shape
er_print -objects -functions shape.er >>out
sed -e "s|$PWD|HERE|" -e "s|$TOP|TOP|" -e "/Size:/d" -e "/PC Address:/d" out
