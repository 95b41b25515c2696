"$TESTDIR/make-experiments" shape.er second.er family.er
# Each operand has columns of its own; a founder comes with its descendants.
er_print -compare on -functions -compare delta -functions shape.er second.er family.er
er_print -compare ratio -csingle middle -pcs -calltree shape.er second.er | sed 's/, line [0-9]* in ".*"$//'
# A group is one operand.
printf "#analyzer experiment group\nshape.er\nsecond.er\n" >both.erg
er_print -compare on -metrics e.totalcpu:name -functions both.erg shape.er
# There is nothing to compare.
er_print -compare on -metrics e.totalcpu:name -functions shape.er
# Experiments come and go.
printf 'compare delta\nmetrics e.totalcpu:name\nadd_exp second.er\nfunctions\ndrop_exp shape.er\nfunctions\n' |
	er_print - shape.er
# In every form, differences and ratios are what is asked for.
for comparison in delta ratio; do
	er_print -compare $comparison -printmode , -metrics e.totalcpu:e.%user:name -limit 4 -functions shape.er second.er
	er_print -compare $comparison -printmode html -metrics e.totalcpu:name -functions shape.er second.er |
		grep -A 12 '<table>' | sed 's/ class="[^"]*"//g'
done
er_print -compare sideways shape.er
