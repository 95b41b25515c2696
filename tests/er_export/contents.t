#!/bin/sh
# The contents of a bundle beyond the files of one experiment: groups, load objects that are not archived,
# links of a common archive, the archives of a founder; and what is left out.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

make_experiment() { # DIRECTORY [OBJECT...]
	mkdir -p "$1/archives"
	echo '<collector></collector>' >"$1/log.xml"
	map=$1/map.xml
	echo '<event kind="unmap" tstamp="0.0" vaddr="0x1000"/>' >"$map"
	shift
	for object; do
		printf '<event kind="map" object="segment" tstamp="0.000000000" vaddr="0x400000" size="4096" pagesz="4096" foffset="0x0" modes="0x005" chksum="0xFFFFFFFF" name="%s"/>\n' \
			"$object" >>"$map"
	done
}

members() {
	er_export -l "$1" | cut -c 45-
}

# ---- load objects ----

sh=$(readlink -f /bin/sh)
ls=$(readlink -f "$(command -v ls)")
make_experiment plain.er "$sh" "$ls"
make_experiment archived.er "$sh" "$ls"
cp plain.er/map.xml before
er_archive -a copy archived.er || exit 1
mkdir in
check "load objects that are not archived are taken along" er_export plain.er
is "$(ls plain.er/archives)" "" "the experiment is only read"
check "the bundle is imported" er_import -C in plain.er.tar.zst
is "$(diff -r archived.er/archives in/plain.er/archives)" "" \
	"its archives are what er_archive would have made, manifest included"
check "er_archive finds them complete" er_archive --check in/plain.er
check "-a off takes nothing along" er_export -f -a off plain.er
is "$(members plain.er.tar.zst)" "plain.er/log.xml
plain.er/map.xml
plain.er/archives/
plain.er/
plain.er/EXPORT.manifest" "but the existing files, sorted by kind"
er_export -f -a on plain.er
is "$(members plain.er.tar.zst | grep -c '\.archive$')/$(members plain.er.tar.zst | grep -c 'archives/.')" \
	"2/3" "-a on takes descriptions along"
er_archive -a copy plain.er || exit 1
er_export -o a.tar.zst plain.er
er_export -a off -o b.tar.zst plain.er
check "complete archives give the same bundle in any mode" cmp a.tar.zst b.tar.zst

make_experiment hostile.er /etc/passwd ../../x /nonexistent/object "$sh"
er_export hostile.er 2>err
is "$? $(sort err)" "1 er_export: missing '/nonexistent/object'
er_export: refused '../../x': not an absolute path
er_export: refused '/etc/passwd': not an ELF program or library" \
	"names that are not load objects are refused, the rest is exported"
is "$(members hostile.er.tar.zst | grep -c 'archives/.')" 3 "with its description and the manifest"

# ---- common archives ----

make_experiment linked.er
mkdir store
cp /bin/sh store/123_sh
ln -s "$PWD/store/123_sh" linked.er/archives/sh_UHyILZt997d
ln -s ../../store/123_sh linked.er/archives/sh2_UHyILZt997d
er_export linked.er
check "links of a common archive" er_import -C in linked.er.tar.zst
check "are files in the bundle" sh -c '[ ! -h in/linked.er/archives/sh_UHyILZt997d ] &&
	cmp in/linked.er/archives/sh_UHyILZt997d store/123_sh &&
	cmp in/linked.er/archives/sh2_UHyILZt997d store/123_sh'
ln -s /etc/passwd linked.er/archives/evil_UHyILZt997d
ln -s "$PWD/store/124_gone" linked.er/archives/gone_UHyILZt997d
er_export -f linked.er 2>err
is "$? $(sed "s|$PWD|.|" err)" "1 er_export: refused 'archives/evil_UHyILZt997d': it links to '/etc/passwd', which is not in a store
er_export: missing 'archives/gone_UHyILZt997d': it links to './store/124_gone': No such file or directory" \
	"other links are refused, missing files are named"
is "$(members linked.er.tar.zst | grep -c 'archives/.')" 2 "the rest is there"

# ---- descendants ----

make_experiment founder.er
make_experiment founder.er/_f1.er
rmdir founder.er/_f1.er/archives
cp /bin/sh founder.er/archives/sh_UHyILZt997d
check "a descendant can be exported by itself" er_export founder.er/_f1.er
is "$(members _f1.er.tar.zst)" "_f1.er/log.xml
_f1.er/map.xml
_f1.er/notes
_f1.er/archives/sh_UHyILZt997d
_f1.er/archives/
_f1.er/
_f1.er/EXPORT.manifest" "with the founder's archives"

er_import -C in _f1.er.tar.zst
is "$(cat in/_f1.er/notes)" "descendant _f1.er of founder.er, exported separately" \
	"and says what it is"
ln -s founder.er latest.er
check "a link to an experiment is as good" er_export -o link.tar.zst latest.er
er_export -o real.tar.zst founder.er
check "and gives the same" cmp link.tar.zst real.tar.zst

# ---- groups ----

mkdir runs runs/other
make_experiment runs/a.er
make_experiment runs/other/b.er
printf '#analyzer experiment group\na.er\nother/b.er\n' >runs/all.erg
check "a group is one bundle" er_export runs/all.erg
is "$(members all.erg.tar.zst)" "all.erg
a.er/log.xml
a.er/map.xml
a.er/archives/
a.er/
a.er/EXPORT.manifest
b.er/log.xml
b.er/map.xml
b.er/archives/
b.er/
b.er/EXPORT.manifest" "the group first, then its members"
mkdir group
check "it passes the check" er_export --check all.erg.tar.zst
check "it is imported" er_import -C group all.erg.tar.zst
is "$(cat group/all.erg; ls group)" "#analyzer experiment group
a.er
b.er
a.er
all.erg
b.er" "and its members stand beside it"
er_import -C group all.erg.tar.zst 2>err
is "$? $(cat err)" "1 er_import: 'all.erg.tar.zst': cannot create 'group/all.erg': File exists" \
	"taken names are not replaced"
mkdir numbered numbered/a.er foreign
mkdir -p t/z.er && cp runs/a.er/log.xml t/z.er
printf '#analyzer experiment group\n\n# z\n/else/z.er \n%s/runs/a.er\n../runs/a.er' "$PWD" >t/z.erg
tar -C t -cf z.tar z.erg z.er
er_import -C foreign z.tar 2>err
is "$(cat foreign/z.erg; sed "s|$PWD|PWD|" err)" "#analyzer experiment group

# z
z.er
er_import: warning: 'z.tar': not verified: it has no manifest
er_import: warning: 'z.erg': left out 'PWD/runs/a.er': it is in the group but not in the bundle
er_import: warning: 'z.erg': left out '../runs/a.er': it is in the group but not in the bundle" \
	"a group from elsewhere names nothing that is here"
make_experiment n/test.1.er
printf '#analyzer experiment group\ntest.1.er\n' >n/n.erg
er_export n/n.erg
mkdir numbered/test.1.er
check "members take other numbers" er_import --rename -C numbered n.erg.tar.zst
is "$(tail -n 1 numbered/n.erg)" "test.2.er" "and the group knows"
make_experiment again/a.er
er_export -o x.tar.zst runs/a.er again/a.er 2>err
is "$? $(cat err)" "1 er_export: 'runs/a.er' and 'again/a.er' would have the same name in the bundle" \
	"two experiments cannot have one name"
check "one experiment named twice is taken once" er_export -o x.tar.zst runs/a.er runs/all.erg
is "$(members x.tar.zst | grep -c 'a.er/log.xml')" 1 "as a member and by itself"
rm -r runs/other
er_export -f runs/all.erg 2>err
is "$? $(cat err)" "1 er_export: missing 'runs/other/b.er': no such experiment" \
	"a missing member is named"
is "$(members all.erg.tar.zst | grep -c log.xml)" 1 "the others are exported"

# ---- while recording ----

make_experiment live.er
sleep 60 &
recorded=$!
cat >live.er/log.xml <<X
<experiment version="12.4">
</experiment>
<collector>
<system hostname="$(uname -n)" arch="x86_64" os="Linux" pagesz="4096" npages="1"></system>
<process pid="$recorded" ppid="1" pgrp="1" sid="1" wsize="64"></process>
</collector>
X
seq 1 100000 >live.er/profile
(while echo more >>live.er/profile; do :; done) 2>/dev/null &
writer=$!
er_export live.er 2>err
status=$?
kill $writer $recorded
wait 2>/dev/null
is "$status $(cat err)" "0 er_export: warning: 'live.er': still being recorded: the bundle contains its current state" \
	"an experiment can be exported while it is being recorded"
check "and the bundle is whole" er_import -C in live.er.tar.zst
size=$(stat -c %s in/live.er/profile)
check "its data are those of one moment" sh -c "head -c $size live.er/profile | cmp - in/live.er/profile"
done_testing
