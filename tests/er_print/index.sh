"$TESTDIR/make-experiments" shape.er second.er io.er waits.er messages.er family.er
er_print -Threads -CPUs -Samples -GCEvents -Seconds -Processes -Experiment_IDs shape.er second.er
er_print -Datasize -duration io.er
er_print -duration waits.er
er_print -datasize -sort name -threads messages.er
er_print -Processes -Experiment_IDs -samples family.er
# Types can be defined, and used in expressions.
er_print -indxobj_define Half 'THRID==1 ? -1 : 1<<40' -indxobj Half -filters 'Half>5 && Half+1' -indxobj Half \
	-indxobj_list shape.er | cut -c 1-100
printf 'indxobj_define Odd THRID & 1\nodd\nod\nmetrics i.user:size\nodd\n' | er_print shape.er 2>&1
# So they can in .er.rc.
echo 'indxobj_define Rest TSTAMP % 3' >.er.rc
er_print -indxobj Rest shape.er
rm .er.rc
# Mistakes.
er_print -indxobj_define CPUs 1 -indxobj_define functions 1 -indxobj_define 1x 1 -indxobj_define A 'XX+' \
	-indxobj_define THRID 1 -indxobj thr shape.er 2>&1
echo "status $?"
