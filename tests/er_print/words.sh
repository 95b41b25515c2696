"$TESTDIR/make-experiments" shape.er
# Commands can be abbreviated, in capitals, and have second names.
er_print -FUNC shape.er | head -1
er_print -gprof shape.er | head -2
# A script has comments and continued lines, goes on after errors, and ends with quit.
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
# Without a command on the line, commands come from the standard input.
echo functions | er_print shape.er | head -1
echo functions | er_print - -sample_list shape.er | tail -1
# Output goes to files, is appended, and returns to the standard output.
er_print -outfile out -functions -appendfile out -sample_list -outfile - -cpu_list shape.er
wc -l <out
# Wrong commands are usage errors. Without a command, commands are read from the input.
for words in "-f" "-bogus" "-metrics" ""; do
	er_print $words shape.er
	echo "status $?"
done
# A missing experiment fails; the others are shown all the same.
er_print -functions missing.er
echo "status $?"
er_print -exp_list missing.er shape.er
echo "status $?"
# Without operands there is a usage error.
er_print
echo "status $?"
