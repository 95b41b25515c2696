"$TESTDIR/make-experiments" shape.er family.er io.er
mkdir home
HOME=$PWD/home
export HOME
exec 2>&1
# Defaults of the current directory come before those at home, and those before the standard.
printf 'dmetrics i.user\ndsort i.user\n' >home/.er.rc
printf '# mine\ndmetrics e.system:e!totalcpu\nDMETRICS i.bogus:i%%user\n' >.er.rc
er_print -metrics default -sort default shape.er
# dsort takes the first key that is shown; a later file comes first.
echo 'dsort e.bogus:-e.system' >>.er.rc
er_print -metrics default shape.er
# The command line has the last word, and the prompt as well.
er_print -metrics e.user -sort name -metrics default shape.er
printf 'dmetrics size\nmetrics default\n' | er_print shape.er
# Of settings, the last one wins.
echo 'name short:soname' >home/.er.rc
echo 'name mangled' >.er.rc
er_print -name shape.er
rm .er.rc
er_print -name shape.er
echo 'en_desc off' >home/.er.rc
er_print -exp_list family.er
# Lines that are wrong are named; they are no failure.
cat >.er.rc <<'END'
bogus 1
functions
name
name wide
limit 3
en_desc =[
dmetrics "i.user
ignore_no_xhwcprof
tabs functions
scc basic
pathmap one
END
er_print -name shape.er
echo "status $?"
# A file that others can change is not read.
chmod go+w .er.rc
er_print -name shape.er
# All metrics of a pattern.
rm .er.rc home/.er.rc
for spec in any e.all i%any:size '!any' i!any:e.user hwc e.bit ei+user user %user ee.user a.user d.user \
	e!user e!user:ie.user name:i.any ::e.user:; do
	echo "== $spec"
	er_print -metrics "$spec" shape.er | head -n 3
done
er_print -metrics i.any io.er
for key in user any -i.any hwc size '!user' e.totalcpu:user; do
	echo "== $key"
	er_print -sort "$key" shape.er | head -n 2
done
