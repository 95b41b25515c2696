"$TESTDIR/make-experiments" shape.er
er_print -FUNC shape.er | head -1
er_print -gprof shape.er | head -2
cat >script <<END
# a comment
limit 2
 functions
csingle \
  "leaf_a"
unknown
m
thread_list 1
quit
functions
END
er_print -script script shape.er
echo "status $?"
echo functions | er_print shape.er | head -1
echo functions | er_print - -sample_list shape.er | tail -1
er_print -outfile out -functions -appendfile out -sample_list -outfile - -cpu_list shape.er
wc -l <out
for words in "-f" "-bogus" "-metrics" ""; do
	er_print $words shape.er
	echo "status $?"
done
er_print -functions missing.er
echo "status $?"
er_print -exp_list missing.er shape.er
echo "status $?"
er_print
echo "status $?"
