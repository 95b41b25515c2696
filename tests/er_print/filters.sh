"$TESTDIR/make-experiments" shape.er second.er io.er messages.er family.er
# Filters by thread, function and experiment; what is unknown is kept.
er_print -limit 4 -filters 'THRID==2' -functions -filters 'LEAF IN FNAME("leaf_.*")' -functions \
	-filters 'EXPID==2 && (FNAME("leaf_b"),FNAME("middle")) SOME IN USTACK' -functions -filters 'HSIZE>5' \
	-filters '1' -functions shape.er second.er 2>/dev/null
# Words of a filter need no quotes at the prompt; without any, the filter is shown.
printf 'filters\nfilters TSTAMP >= 100 && CPUID == 1\nthread_list\nThreads\n' | er_print shape.er
# Allocations and transfers.
er_print -filters 'HSIZE>100' -heap -heapstat messages.er
er_print -filters 'IONBYTE>20' -ioactivity -iostat io.er
# Selections are combined with the filter.
er_print -limit 3 -thread_select 1:1 -functions -exp_list -sample_select 1 -cpu_select 0 -lwp_select 2 \
	-filters EXPID==1 -functions -thread_select all -CPUs shape.er second.er 2>/dev/null
# Mistakes leave the filter as it was.
er_print -filters 'EXPID==1' -filters 'XX+' -filters '(1' -cpu_select 3- -indxobj nothing -filters 1 shape.er 2>&1
echo "status $?"
