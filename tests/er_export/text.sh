# The text of an experiment with a descendant, and of a group.
"$TESTDIR/make-experiment" test.1.er || exit
# A founder comes with its descendants.
er_export --text test.1.er
printf '%s\n' '#analyzer experiment group' test.1.er/_f1.er >all.erg
# A group is all its experiments.
er_export --text all.erg | grep '^#'
