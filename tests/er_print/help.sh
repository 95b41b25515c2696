# help lists the commands by topic, here only quit, and describes one; none of it needs an experiment.
er_print -help | grep -v "^  [a-pr-z]"
er_print -help metrics -help dmet -help exit -help drop_exp -help quit
# Words that are no commands are guessed.
for word in functons metrics_list exper sorrt zzzzzz; do
	er_print -help $word
	echo "status $?"
done
# So are commands.
er_print -fucntions shape.er
echo "status $?"
# The other commands about the program, whose figures differ.
er_print -version -procstats | sed 's/  *[0-9.]\{1,\}/ N/'
