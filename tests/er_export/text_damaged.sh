# Damage is reported with its place and makes the status 1; the rest is shown.
for damage in log map overview profile; do
	"$TESTDIR/make-experiment" "$damage.er" "$damage" || exit
	er_export --text "$damage.er" >text
	echo "$damage: status $?, $(grep -c . text) lines" >&2
done
# A missing experiment has no text.
er_export --text none.er
echo "none: status $?" >&2
