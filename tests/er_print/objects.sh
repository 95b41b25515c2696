cp "$BUILD/tests/er_print/programs/shape" .
touch -d @1600000000 shape
SHAPE=$PWD/shape "$TESTDIR/make-experiments" shape.er
er_print -objects -metrics e.totalcpu -fsingle leaf_b shape.er >out
touch shape
er_print -objects shape.er >>out
rm shape
er_print -objects -functions shape.er >>out
sed -e "s|$PWD|HERE|" -e "/Size:/d" -e "/PC Address:/d" out
