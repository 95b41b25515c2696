# shellcheck shell=sh
# An option that does not apply to the requested action is refused before anything is written.
exec 2>&1
"$TESTDIR/make-experiment" test.1.er || exit
er_export -q -a off test.1.er
before=$(find . | sort)
refused() {
	echo "$ $*"
	said=$("$@" 2>&1)
	status=$?
	echo "$said" | head -n 1
	echo "status $status"
	[ "$(find . | sort)" = "$before" ] || echo "something was written"
}
# --text does not accept options for bundles.
for option in --anonymize -n --dry-run '-a off' --no-archives --no-sources --no-descendants \
	'-z none' --level=3 --threads=2 --check -l --import --rename --verify '-C .'; do
	# shellcheck disable=SC2086
	refused er_export --text $option -o new test.1.er
done
# A bundle does not accept options for text, for viewers, or for unpacking.
for option in --only=log --metric=user '-C .' --rename --verify --max-bytes=1G --max-entries=9 \
	--max-depth=9 --max-expansion=9; do
	# shellcheck disable=SC2086
	refused er_export $option -o new test.1.er
done
# A file for a viewer does not accept options for bundles or for text.
for option in --anonymize -n '-a off' --no-descendants '-z gzip' --only=log --check -l '-C .'; do
	# shellcheck disable=SC2086
	refused er_export --format=csv $option -o new test.1.er
done
refused er_export --text --metric=user -o new test.1.er
# Actions on bundles do not accept options for making one.
for mode in -l --check --import; do
	for option in '-o new' --format=json --anonymize '-z gzip'; do
		# shellcheck disable=SC2086
		refused er_export $mode $option test.1.er.tar.zst
	done
done
# -l and --check do not accept options for unpacking, nor each other.
for option in -f '-C .' -n --threads=1; do
	# shellcheck disable=SC2086
	refused er_export $option -l test.1.er.tar.zst
	# shellcheck disable=SC2086
	refused er_export --check $option test.1.er.tar.zst
done
refused er_export --max-depth=9 -l test.1.er.tar.zst
refused er_export -l --check test.1.er.tar.zst
refused er_export --check --list test.1.er.tar.zst
refused er_import --anonymize test.1.er.tar.zst

# Options that do apply are accepted.
er_export --text --only=log --format=json -q -v test.1.er | head -c 1
er_export -q -l -v test.1.er.tar.zst | wc -l
er_export --format=csv --metric=totalcpu -q -v test.1.er | head -n 1
er_export --check -q test.1.er.tar.zst && echo checked
limits='--max-bytes=1G --max-entries=99 --max-expansion=9'
# shellcheck disable=SC2086
{
	er_export --check --max-depth=9 $limits test.1.er.tar.zst && echo checked
	er_export -l $limits test.1.er.tar.zst | wc -l
	er_export --text --only=notes --max-depth=9 $limits test.1.er.tar.zst | wc -l
}
er_export --import -q -n --rename --threads=1 --max-depth=9 test.1.er.tar.zst && echo taken
