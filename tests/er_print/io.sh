"$TESTDIR/make-experiments" io.er io_second.er io_odd.er shape.er
# The four lists of one experiment.
er_print -functions -ioactivity -iodetail -iostat io.er
# Calls of two experiments are added up.
er_print -ioactivity -iodetail -iostat io.er io_second.er
# The stacks of the calls, without their numbers, which vary.
echo "-- stacks:"
er_print -iocallstack io.er | sed 's/^Stack 0x[0-9a-f]*$/Stack/'
# -metrics, -sort and -limit apply to the lists.
echo "-- other columns and orders:"
er_print -metrics e.%ioreadtime:i+ioothercnt:e%iowritebytes:e.totalcpu -ioactivity -iodetail io.er
er_print -metrics name:e+ioreadbytes -sort i+iowritecnt -iodetail -sort -e+ioreadbytes -iodetail io.er
er_print -sort name -ioactivity -limit 3 -ioactivity -iocallstack io.er | sed 's/^Stack 0x[0-9a-f]*$/Stack/'
er_print -metrics e.totalcpu -ioactivity io.er
# Calls without a file are counted, too.
echo "-- calls that belong to no file:"
er_print -functions -ioactivity -iodetail -iostat io_odd.er
# An experiment without I/O says so in each list.
echo "-- without I/O:"
er_print -ioactivity -iodetail -iocallstack -iostat shape.er
