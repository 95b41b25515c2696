"$TESTDIR/make-experiments" shape.er
# The path of the program differs from tree to tree.
folded() {
	er_print -metrics e.totalcpu:i.totalcpu:name "$@" shape.er | sed -e 's, /.*/shape *$, shape,' -e '/^====/d' -e 's/, line [0-9]* in ".*"$//'
}
folded -object_list -object_hide shape -functions -calltree
folded -object_hide '<Unknown>' -pcs -callers-callees -fsingle '<Unknown>'
folded -object_api shape -functions -objects_default -functions
folded -object_select '<Unknown>' -functions -object_show all -functions
er_print -object_hide nothing shape.er >list
