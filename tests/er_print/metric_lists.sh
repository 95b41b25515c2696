"$TESTDIR/make-experiments" shape.er
# Metrics that are shown for callers and callees, and for index objects, in their only flavor.
er_print -metrics size:ie.totalcpu:i%system:name -sort -i.totalcpu -cmetric_list -indx_metric_list shape.er
er_print -sort name -gmetric_list shape.er | sed -n 1,2p
# Lines with a share of the largest value are hot.
hot() {
	er_print "$@" shape.er 2>&1 | grep '^##' | sed 's/  */ /g' | cut -d ' ' -f 1,2,4
}
hot -source middle
hot -sthresh 30 -source middle
hot -sthresh 100 -source middle
hot -sthresh 1 -disasm main
hot -dthresh 100 -disasm leaf_a
for word in 0 101 -1 1.5 x ''; do
	er_print -sthresh "$word" shape.er
done
# A list with an unknown load object changes nothing.
er_print -object_select shape,none -object_list shape.er 2>&1 | sed 's,/.*,...,;/^==/d'
# Words without a meaning here are taken.
er_print -scc all -dcc none -cc basic -ifreq -sample_list shape.er
