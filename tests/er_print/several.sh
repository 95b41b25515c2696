"$TESTDIR/make-experiments" shape.er second.er family.er
# Two founders are added up, and their threads and samples listed for each.
er_print -functions -exp_list -thread_list -sample_list shape.er second.er
# A founder comes with its descendants.
er_print -functions -exp_list -lwp_list -cpu_list family.er
# A descendant can be named alone.
er_print -exp_list -functions family.er/_f10.er
# A group is all its experiments.
printf "#analyzer experiment group\nshape.er\n# and\nsecond.er\n" >both.erg
er_print -exp_list both.erg
