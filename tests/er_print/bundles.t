#!/bin/sh
# A bundle is read in place like the experiments in it: with its index, without it, from gzip, from foreign
# tar archives. Damage is reported, and members that do not belong in one are refused.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

make=$TESTDIR/../er_export/make-experiment
"$make" one.er && "$make" two.er || exit
printf '%s\n' '#analyzer experiment group' two.er one.er >both.erg
er_export -q -a off one.er && er_export -q -a off both.erg || exit

# prints FILE TEXT [EXPERIMENT]: the text of FILE is that of the experiment, except for its name.
prints() {
	er_export --text "${3:-one.er}" 2>errors | grep -v '^# ' >expected
	er_export --text "$1" 2>>errors | grep -v '^# ' >got
	is "$(cat errors got)" "$(cat expected)" "$2"
}

prints one.er.tar.zst 'a bundle prints the same as the experiment'
er_print -functions one.er >expected 2>/dev/null
er_print -functions one.er.tar.zst 2>&1 | diff expected - >difference
ok $? 'er_print -functions of it, too' || cat difference
prints one.er.tar.zst/one.er 'so does the experiment named in it'
prints ./one.er.tar.zst/one.er/_f1.er 'and its descendant' one.er/_f1.er
prints both.erg.tar.zst 'the bundle of a group prints the members in their order' both.erg
er_export --text both.erg.tar.zst | grep '^# ' | head -n 2 >begin
is "$(cat begin)" "$(printf '%s\n' '# bundle "both.erg.tar.zst"' \
	'# experiment "both.erg.tar.zst/two.er"')" 'and says where it is'

# Archives can be checked in it. Nothing else is unpacked, and nothing is left.
mkdir place
cp -R one.er packed.er
cp "$BUILD/bin/er_rm" program && touch -d 2020-01-01 program
sed "s,/gone/program,$PWD/program," one.er/map.xml >packed.er/map.xml
cp packed.er/map.xml packed.er/_f1.er/map.xml
er_archive -q -a copy packed.er && er_export -q -a off packed.er
TMPDIR=$PWD/place er_archive -v --check packed.er.tar.zst >got 2>&1
is "$? $(head -n 1 got)" "0 present $PWD/program" 'er_archive --check looks into a bundle'
TMPDIR=$PWD/place er_archive --check both.erg.tar.zst/one.er >got 2>&1
is "$? $(cat got)" "1 er_archive: missing '/gone/program': not archived" \
	'and into one experiment of it'
is "$(ls -A place)" '' 'nothing is left in TMPDIR'

# If interrupted while it unpacks a large file, it ends by the signal and leaves nothing either.
cp -R one.er large.er
mkdir large.er/archives
truncate -s 512M large.er/archives/large
er_export -q -a off large.er && rm -rf large.er
TMPDIR=$PWD/place er_archive --check large.er.tar.zst >got 2>&1 &
tries=0
while [ -z "$(find place -name large)" ] && [ $tries -lt 1000 ]; do
	tries=$((tries + 1))
	sleep 0.01
done
kill -TERM $!
wait $! 2>/dev/null
is "$? $(ls -A place)" '143 ' 'er_archive --check leaves nothing when it is stopped' || cat got

# Foreign archives have no index, and some can only be read from the beginning.
tar -cf plain.tar one.er
gzip -c plain.tar >plain.tar.gz
xz -c plain.tar >plain.tar.xz
zstd -q -c plain.tar >plain.tar.zst
er_export -q -a off -z none -o none.tar one.er 2>/dev/null ||
	er_export -q -a off -o none.tar one.er
for file in plain.tar plain.tar.gz plain.tar.xz plain.tar.zst none.tar; do
	prints $file "$file is read as well"
done
(cd one.er/.. && tar -cf dots.tar ./one.er)
prints dots.tar 'names with ./ in front of them are fine'
mkdir small
TMPDIR=$PWD/small er_print -functions plain.tar.gz >got 2>&1
is "$(ls -A small)" '' 'nothing is left in TMPDIR'
TMPDIR=absent er_print -functions plain.tar.gz 2>&1 | sed 's,: [^:]*$,,' >got
is "$(cat got)" "er_print: 'plain.tar.gz': cannot create a temporary file in 'absent'" \
	'an unusable TMPDIR is reported'

# The first page of gzip is fine, the rest is missing.
head -c 600 plain.tar.gz >cut.tar.gz
er_print -functions cut.tar.gz >got 2>&1
is $? 1 'a cut archive is an error'
check 'which is reported' grep -q "^er_print: 'cut.tar.gz'" got

# spoil FROM TO: change bytes in the middle of the first frame.
cp one.er.tar.zst spoilt.tar.zst
printf 'XXXXXXXX' | dd of=spoilt.tar.zst bs=1 seek=300 conv=notrunc 2>/dev/null
er_print -functions spoilt.tar.zst >got 2>&1
is $? 1 'a damaged frame is an error'
grep -q "cannot read 'one.er/[^']*' from 'spoilt.tar.zst': .*frame of .* at byte 0 is damaged" got
ok $? 'that names member and place' || cat got

# The index is compared with the archive: "profile" is given the place of another file.
python3 - <<'END'
import struct, subprocess
bundle = open('one.er.tar.zst', 'rb').read()
count, = struct.unpack('<I', bundle[-9:-5])
table = bundle[-9 - 8 * count:-9]
sizes = [struct.unpack_from('<II', table, 8 * i) for i in range(count)]
start = sum(size for size, _ in sizes[:-1])
text = subprocess.run(['zstd', '-dc'], input=bundle[start + 8:start + sizes[-1][0]],
                      stdout=subprocess.PIPE, check=True).stdout


def write(name, text, checksum=True):
    packed = subprocess.run(['zstd', '-c', '--stream-size=%d' % len(text)], input=text,
                            stdout=subprocess.PIPE, check=True).stdout
    frame = struct.pack('<II', 0x184D2A5B, len(packed)) + packed
    entries = sizes[:-1] + [(len(frame), 0)]
    with open(name, 'wb') as file:
        file.write(bundle[:start] + frame)
        file.write(struct.pack('<II', 0x184D2A5E, 8 * count + 9))
        for entry in entries:
            file.write(struct.pack('<II', *entry))
        file.write(struct.pack('<IBI', count, 0, 0x8F92EAB1))


write('same.tar.zst', text)
write('swapped.tar.zst', text.replace(b'one.er/profile', b'one.er/XX').replace(
    b'one.er/heaptrace', b'one.er/profile').replace(b'one.er/XX', b'one.er/heaptrace'))
write('outside.tar.zst', text.replace(b'one.er/profile', b'../profile'))
write('cut.tar.zst', text[:-5])
END
prints same.tar.zst 'an index packed by another zstd is read'
er_export -l same.tar.zst >got
tar --zstd -tf one.er.tar.zst >expected
is "$(awk '{ print $NF }' got)" "$(cat expected)" 'which lists what tar does'
check 'and passes its check' er_export --check same.tar.zst
er_export --check swapped.tar.zst >got 2>&1
is "$? $(grep -c 'differs from the index' got)" '1 2' 'an index that is wrong does not'
er_print -functions swapped.tar.zst >got 2>&1
is $? 1 'an index that is wrong is an error'
grep -q "cannot read 'one.er/profile' .*another member is at byte" got
ok $? 'that names the member' || cat got
er_print -functions outside.tar.zst >got 2>&1
check 'a name that leads outside is refused' grep -q "refused the member '../profile'" got
er_print -functions cut.tar.zst >got 2>&1
check 'a cut index is damage' grep -q 'the index of the bundle is damaged at line' got

# A checksum differs from the manifest's: a file was changed, and the archive made again with tar.
er_import -q -C small one.er.tar.zst
tar --zstd -xf one.er.tar.zst
printf 'other' | dd of=one.er/notes bs=1 conv=notrunc 2>/dev/null
tar -cf changed.tar one.er
er_print -header changed.tar >got 2>&1
grep -q "'one.er/notes' from 'changed.tar': its checksum does not match the manifest" got
ok $? 'a file that has changed since is named' || cat got

mkdir -p other/dir
tar -cf other.tar other
er_print -header other.tar >got 2>&1
check 'a file that is not an experiment is refused' grep -q "refused the member 'other/*'" got
er_print -header "$TESTDIR/bundles.t" >got 2>&1
check 'and a text is not a bundle' grep -q "neither an experiment nor a bundle" got
done_testing
