"$TESTDIR/make-experiments" shape.er
# Columns appear as requested, and the list of metrics agrees.
er_print -metrics e.user:i%system:name -functions -metric_list shape.er
# The name can be the first column, and another column can determine the order.
er_print -metrics name:ie.totalcpu -sort i.totalcpu -functions shape.er
# Orders by name, backwards, and by a metric.
er_print -sort name -functions -sort -name -functions -sort i.user -functions shape.er
# Unknown metrics and orders are refused.
echo "-- refused:"
er_print -metrics e.bogus -sort bogus shape.er 2>&1
