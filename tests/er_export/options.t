#!/bin/sh
# The effects of -z, --level, --no-sources, --no-descendants, --anonymize and the limits of er_import.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment test.1.er
rm test.1.er/archives/link_*
chmod 644 test.1.er/archives/*
touch -r test.1.er/notes test.1.er/archives
mkdir in

members() {
	er_export -l "$1" | cut -c 45- | sort
}

# ---- compression ----

# packed FILE MAGIC OPTION...: the bundle made with the options can be unpacked by er_import and by tar.
packed() {
	file=$1
	magic=$2
	shift 2
	er_export -q -f "$@" test.1.er || note "er_export failed"
	is "$(head -c 4 "$file" | od -An -tx1 | tr -d ' ')" "$magic" "$* writes $file"
	rm -rf in/* && er_import -C in "$file"
	check "$file comes back" same_tree test.1.er in/test.1.er
	rm -rf in/* && tar -C in -xf "$file"
	check "$file is complete without our tools" \
		sh -c 'cd in && sha256sum --quiet --strict -c test.1.er/EXPORT.manifest'
}

packed test.1.er.tar.gz 1f8b0800 -z gzip
packed test.1.er.tar.xz fd377a58 -z xz
packed test.1.er.tar.zst 28b52ffd -z zstd
packed test.1.er.tar 74657374 -z none
packed a.tgz 1f8b0800 -o a.tgz
packed a.tar.xz fd377a58 -o a.tar.xz --level=1
packed a.txz 28b52ffd -z zstd -o a.txz
for suffix in tar.gz tar.xz; do
	cp test.1.er.$suffix before
	(umask 077 && TZ=Asia/Tokyo er_export -q -f --threads=3 -o after.$suffix test.1.er)
	check "the same bytes in $suffix with another umask, time zone and number of threads" \
		cmp before after.$suffix
done
check "gzip reads it" gzip -t test.1.er.tar.gz
check "xz reads it" xz -t test.1.er.tar.xz
tar -cjf foreign.tar.bz2 test.1.er
rm -rf in/* && er_import -q -C in foreign.tar.bz2
check "bzip2 is read, too" diff -r test.1.er in/test.1.er
er_export -z gzip --level=10 test.1.er 2>err
is "$? $(cat err)" "2 er_export: invalid compression level for gzip: 10" "each method has its levels"
seq 1 300000 >test.1.er/profile
er_export -q -f --level=1 -o 1.tar.zst test.1.er
er_export -q -f --level=19 -o 19.tar.zst test.1.er
check "a higher level packs better" \
	[ "$(stat -c %s 19.tar.zst)" -lt "$(stat -c %s 1.tar.zst)" ]
: >test.1.er/profile

# ---- omitted parts ----

echo 'int main(void) {}' >test.1.er/archives/main.c_UHyILZt997d
cp "$(readlink -f /bin/true)" test.1.er/archives/true_UHyILZt997d
er_export -q -f --no-sources -a off -o a.tar.zst test.1.er
is "$(members a.tar.zst | grep archives/.)" 'test.1.er/archives/true_UHyILZt997d' \
	"--no-sources takes what programs are made of"
er_export -q -f -a off -o a.tar.zst test.1.er
is "$(members a.tar.zst | grep -c archives/.)" 3 "which is not all that there is"
er_export -q -f --no-archives -o a.tar.zst test.1.er
is "$(members a.tar.zst | grep -c archives)" 0 "--no-archives leaves all of them out"
er_export -q -f --no-descendants -o a.tar.zst test.1.er
is "$(members a.tar.zst | grep -c '_f1.er')" 0 "--no-descendants leaves sub-experiments out"
check "its manifest lists the remaining files" er_export --check a.tar.zst

# ---- anonymous bundles ----

cat >test.1.er/log.xml <<'X'
<?xml version='1.0' encoding='UTF-8' ?>
<experiment version="12.4">
</experiment>
<system hostname='profile' arch="x86_64"/>
<process cwd="/home/alice/a &amp; b"></process>
<process>/bin/sh -c /home/alice/a &amp; b/run alice malice profile /home/amp</process>
<profile name="profile"></profile>
<setting collenv='HOST=profile &amp; &#97;lice'/>
<event kind="exit" tstamp="1.0" msg="on profile"/>
X
cp test.1.er/log.xml log
echo 'profile: /home/alice/a & b/x, /home/alice/c, profiles' >test.1.er/notes
echo '# profile/a &amp; b' >test.1.er/archive.log
echo "<id name='alice' hostname=\"profile\"/>" >test.1.er/labels.xml
echo '<x by="alice"/>' >test.1.er/metadata.alice.xml
cat >test.1.er/_f1.er/map.xml <<'X'
<event kind="map" object="segment" name="/home/bob/run" modes="0x005" vaddr="0x1000" size="10"/>
<event kind="map" object="segment" name="/home/O'N/run" modes="0x005" vaddr="0x2000" size="10"/>
X
echo "for bob and O'N" >>test.1.er/notes
er_export -q --anonymize -a off -f -o a.tar.zst test.1.er
rm -rf in/* && er_import -C in a.tar.zst
is "$(cat in/test.1.er/log.xml)" "<experiment version=\"12.4\"/>
<system hostname=\"host\" arch=\"x86_64\"/>
<process cwd=\"/directory\"/>
<process>/bin/sh -c /directory/run user malice host /home/user</process>
<profile name=\"profile\"/>
<setting collenv=\"HOST=host &amp; user\"/>
<event kind=\"exit\" tstamp=\"1.0\" msg=\"on host\"/>" \
	"--anonymize replaces host, user and directory where a log has free text"
is "$(cat in/test.1.er/notes)" 'host: /directory/x, /home/user/c, profiles
for user and user' "and in notes"
is "$(cat in/test.1.er/archive.log in/test.1.er/labels.xml in/test.1.er/metadata.alice.xml)" \
	'# host/a &user; b
<id name="user" hostname="host"/>
<x by="user"/>' "and in other texts of tools"
check "the experiment itself is not changed" cmp log test.1.er/log.xml
is "$(grep -c elsewhere in/test.1.er/_f1.er/log.xml)" 0 "sub-experiments are anonymous, too"
check "paths by which load objects are found stay" \
	cmp in/test.1.er/_f1.er/map.xml test.1.er/_f1.er/map.xml
is "$(er_export --text --only=log in/test.1.er 2>/dev/null | grep -c 'directory="/directory" command="/bin/sh -c /dir')" \
	1 "an anonymous experiment can be read"
er_export -q -f --anonymize -a off -o b.tar.zst --threads=1 test.1.er
check "the same bytes again" cmp a.tar.zst b.tar.zst
er_export -f --anonymize -a off -o b.tar.zst test.1.er 2>err
is "$? $(cat err)" "0 er_export: warning: 'test.1.er': not anonymous: paths of load objects and \
names of files are kept, and contain words replaced elsewhere, in 'metadata.alice.xml' and others" \
	"kept names are reported"
er_export -q -f -a off -o a.tar.zst test.1.er
rm -rf in/* && er_import -C in a.tar.zst
check "without it nothing is replaced" cmp log in/test.1.er/log.xml

printf '%s\n' '<event kind="x" msg=alice/>' 'alice' '<event msg="alice' >>test.1.er/log.xml
er_export -q -f --anonymize -a off -o a.tar.zst test.1.er 2>err
is "$? $(cat err)" "1 er_export: changed 'log.xml': left out 3 unparsable parts, which \
cannot be anonymized; the first is at line 10: element 'event': AttValue: \" or ' expected" \
	"damage is left out, and said"
rm -rf in/* && er_import -C in a.tar.zst
is "$(grep -cw alice in/test.1.er/log.xml) $(tail -n 1 in/test.1.er/log.xml)" \
	'0 <event kind="exit" tstamp="1.0" msg="on host"/>' "and names no user"
cp log test.1.er/log.xml
rm test.1.er/labels.xml test.1.er/metadata.alice.xml test.1.er/archive.log
echo '<?xml version="1.0"?>' >test.1.er/_f1.er/map.xml

# ---- limits ----

truncate -s 1G test.1.er/iotrace
er_export -q -f -o a.tar.zst test.1.er
rm -rf in/*
check "holes do not count for --max-bytes" er_import --max-bytes=3M -C in a.tar.zst
rm -rf in/*
er_import --max-bytes=100k -C in a.tar.zst 2>err
is "$? $(cat err)" "1 er_import: 'a.tar.zst': refused the member 'test.1.er/iotrace': more bytes than --max-bytes allows" \
	"data is"
truncate -s 3G test.1.er/iotrace
er_export -q -f -o a.tar.zst test.1.er
er_import -n -C in a.tar.zst 2>err
is "$? $(cat err)" "1 er_import: 'a.tar.zst': refused the member 'test.1.er/iotrace': it expands to more than --max-expansion allows" \
	"there may not be more holes than are credible"
check "unless that is wanted" er_import --max-expansion=10000 -C in a.tar.zst
er_import --max-depth=3 --max-expansion=10000 -n --rename -C in a.tar.zst >out 2>err
is "$? $(cat err)" "1 er_import: 'a.tar.zst': refused the member 'test.1.er/jdynclasses/org/example/A.class': it is deeper than --max-depth allows" \
	"the depth can be limited"
rm test.1.er/iotrace

# ---- groups, and the other name of the program ----

mkdir runs
mv test.1.er runs
cp -a runs/test.1.er runs/test.2.er
printf '#analyzer experiment group\ntest.1.er\ntest.2.er\n' >runs/night.erg
er_export -q runs/night.erg
is "$(er_export -l night.erg.tar.zst | head -n 1 | cut -c 45-)" night.erg \
	"the group file is the first member of its bundle"
rm -rf in/*
check "er_export --import unpacks" er_export --import -C in night.erg.tar.zst
is "$(find in -maxdepth 1 | sort | tr '\n' ' ')" "in in/night.erg in/test.1.er in/test.2.er " \
	"a group with its members"
rm in/night.erg
er_export -q --anonymize -z gzip -o - runs/night.erg | er_import --rename -C in -
is "$(cat in/night.erg)" "#analyzer experiment group
test.3.er
test.4.er" "from a pipe, under new names"
done_testing
