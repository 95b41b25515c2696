"$TESTDIR/make-experiments" shape.er second.er family.er waits.er
printf '#analyzer experiment group\nshape.er\nsecond.er\n' >both.erg
# Experiments can be added and dropped; metrics and order stay as far as there are data.
er_print -limit 3 - shape.er 2>&1 <<'END'
metrics i.user:e.%totalcpu
sort -i.user
functions
add_exp second.er/
exp_list
functions
drop_exp shape.er
exp_list
functions
metrics
END
echo "status $?"
# A founder is dropped with its descendants.
er_print - family.er 2>&1 <<'END'
add_exp shape.er
exp_list
drop_exp family.er
exp_list
add_exp both.erg
exp_list
drop_exp both.erg
drop_exp shape.er
drop_exp shape.er
exp_list
drop_exp second.er
END
echo "status $?"
# Others can be opened instead; the metrics are those that are shown first.
er_print - shape.er 2>&1 <<'END'
metrics e.user
open_exp waits.er
exp_list
metrics
open_exp missing.er
add_exp missing.er
exp_list
END
echo "status $?"
# Not on the command line.
er_print -add_exp second.er shape.er
echo "status $?"
# Descendants are loaded as en_desc says.
er_print -en_desc off -exp_list family.er
er_print -en_desc =^_f1 -exp_list family.er
er_print -exp_list -en_desc =2 family.er
er_print -en_desc on -exp_list family.er
er_print -en_desc '=(' -en_desc maybe -exp_list family.er 2>&1
echo "status $?"
echo exp_list | er_print -en_desc off family.er
