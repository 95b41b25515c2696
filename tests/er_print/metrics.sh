"$TESTDIR/make-experiments" shape.er
er_print -metrics e.user:i%system:name -functions -metric_list shape.er
er_print -metrics name:ie.totalcpu -sort i.totalcpu -functions shape.er
er_print -sort name -functions -sort -name -functions -sort i.user -functions shape.er
echo "-- refused:"
er_print -metrics e.bogus -sort bogus shape.er 2>&1
