"$TESTDIR/make-experiments" shape.er second.er family.er
er_print -functions -exp_list -thread_list -sample_list shape.er second.er
er_print -functions -exp_list -lwp_list -cpu_list family.er
er_print -exp_list -functions family.er/_f10.er
printf "#analyzer experiment group\nshape.er\n# and\nsecond.er\n" >both.erg
er_print -exp_list both.erg
