#!/bin/sh
# Experiments recorded by gprofng: archived by us, and read by gprofng.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

if ! command -v gp-collect-app >/dev/null || ! command -v gp-archive >/dev/null; then
	skip "gprofng is not installed" "archiving its experiments"
	done_testing
fi
functions() {
	gp-display-text -metrics e.%user:name -functions "$1" 2>&1 | sed 1,2d
}

cp "$BUILD/tests/er_archive/programs/spin" spin
gp-collect-app -a off -p hi -o test.1.er ./spin 400 >/dev/null 2>&1
cp -a test.1.er theirs.er
cp -a test.1.er damaged.er
functions test.1.er >before
check "the program's functions have names" grep -qE "short_work|long_work" before

er_archive -v test.1.er >out 2>err
is "$? $(cat err)" "0 " "the experiment is archived"
is "$(grep -c ': unverified$' out)" "$(grep -vc '\.debug$' out)" \
	"all of it unverified: the objects have no recorded identity"
is "$(grep -c "^unverified $PWD/spin " test.1.er/archives/manifest)" 1 "the manifest says so"
cp -p spin spin.away
rm spin
functions test.1.er >after
is "$(cat after)" "$(cat before)" "gp-display-text reads our archive"
is "$(functions damaged.er | grep -cE "short_work|long_work")" 0 "and without one has no names"
is "$(er_archive test.1.er 2>&1)" "" "a complete archive no longer needs the objects"
er_archive --check test.1.er
is $? 0 "and is complete"

mv spin.away spin
gp-archive theirs.er >/dev/null 2>&1
copies=$(cd theirs.er/archives && ls)
er_archive -v theirs.er >out 2>err
is "$? $(cat err)" "0 " "an archive of gprofng is adopted"
is "$(grep -v '\.debug$' out | grep -vc '^present')" 0 "its copies stay"
is "$(cd theirs.er/archives && ls -I '*.archive' -I '*.debug_*' -I manifest)" "$copies" "under their names"
is "$(find theirs.er/archives -name '*.archive' | wc -l)" "$(echo "$copies" | wc -l)" \
	"and get their descriptions"
rm spin
functions theirs.er >after
is "$(cat after)" "$(cat before)" "gp-display-text still reads it"
er_archive --check theirs.er
is $? 0 "the checksums are recorded"

cp "$BUILD/tests/er_archive/programs/spin" spin
touch -d '+1 hour' spin
cp -a damaged.er later.er
er_archive later.er 2>err
is "$? $(cat err)" \
	"1 er_archive: changed '$PWD/spin': modified after the start of the run" \
	"a program that is newer than the run is not archived"
for damage in 'rm -f damaged.er/log.xml' 'echo "<experiment" >damaged.er/log.xml' \
	'head -c 70000 /dev/urandom >damaged.er/log.xml'; do
	rm -rf damaged.er/archives
	sh -c "$damage"
	er_archive damaged.er 2>err
	is "$? $(cat err)" "0 " "the log is not needed ($damage)"
done
rm damaged.er/log.xml damaged.er/map.xml
er_archive damaged.er 2>err
is "$? $(cat err)" "1 er_archive: 'damaged.er' is not an experiment: it has no 'map.xml'" \
	"the map is"
done_testing
