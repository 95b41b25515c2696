#!/bin/sh
# er_rm removes its operands, if they are experiments, and touches nothing else.
# shellcheck disable=SC2016 # names that would do harm in a shell
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment original.er
# Everything except the time of the directory itself.
listed() {
	list_tree . | tail -n +2
}

mkdir around around/dir around/dir/sub.er
echo text >around/dir/file
echo text >around/file
cp -a original.er around/kept.er
ln -s dir around/dir_link
ln -s kept.er around/kept_link
cd around || exit 1
listed >../expected

refused() { # TEXT OPERAND...
	text=$1
	shift
	er_rm "$@" >../out 2>&1
	status=$?
	listed | diff ../expected - >../difference && [ "$status" = 1 ] && [ -s ../out ]
	ok $? "$text" || sed 's/^/# /' ../out ../difference
}

for operand in / . .. ./ // ../ kept.er/. kept.er/.. kept.er/../ kept.er//. dir file dir/file \
	dir_link dir_link/ kept_link nothing.er nothing.er/ dir/nothing.er kept.er/log.xml \
	kept.er/archives '*' '*.er' '?' '~' "'" '"' '`' '$HOME' '; rm -rf .' '|' '
' '-' '--'; do
	refused "'$operand' is refused" -- "$operand"
	refused "'$operand' is refused with -f, or not there" -f -- "$operand" plain.txt/x.er kept.er/notes
done
er_rm -Rf dir 2>/dev/null
is $? 2 'an unknown option is a usage error'
er_rm 2>/dev/null
is $? 2 'nothing to remove is a usage error'
listed | diff ../expected -
ok $? 'and touches nothing'

for name in 'with blanks .er' ' .er' '-rf.er' '--help.er' "quote's.er" 'double".er' 'semi;touch x;.er' \
	'$(touch x).er' '`touch x`.er' 'back\slash.er' 'star*.er' 'new
line.er' 'tab	.er' 'ünï.er' '..er' '...er' '.hidden.er' "$(printf '\001\033[31m').er" \
	"$(printf 'n%.0s' $(seq 252)).er"; do
	cp -a ../original.er "./$name"
	er_rm -- "$name" >../out 2>&1 && listed | diff ../expected - >../difference
	ok $? "an experiment named '$(printf %s "$name" | tr '\n\001\033' '???' | cut -c 1-40)' is removed, and nothing else" ||
		sed 's/^/# /' ../out ../difference
done

# Directories that only look like an experiment from outside.
mkdir fake.er fake.er/archives fake.er/archives/deep
echo precious >fake.er/archives/deep/file
listed >../expected
refused 'a directory in archives/ is not ours' fake.er
rm -r fake.er/archives/deep
ln -s ../dir fake.er/jdynclasses
listed >../expected
refused 'a link in place of a directory is not ours' fake.er
rm fake.er/jdynclasses
mkfifo fake.er/profile
listed >../expected
refused 'a fifo is not ours' fake.er
rm fake.er/profile
ln -s /etc/passwd fake.er/notes
listed >../expected
refused 'a link in place of a file is not ours' fake.er
rm fake.er/notes
ln -s ../dir/file fake.er/archives/object_UHyILZt997d
er_rm fake.er # the link goes, the file stays
[ -f dir/file ] && [ ! -e fake.er ]
ok $? 'only the link to a common archive is removed'

# The message on which scripts rely.
is "$(er_rm nothing.er 2>&1)" 'er_rm: nothing.er: No such experiment' 'the message is the documented one'

# Several operands: a failure does not prevent the removal of the others.
cp -a ../original.er one.er
cp -a ../original.er two.er
er_rm one.er plain two.er nothing.er >../out 2>&1
is $? 1 'one failure gives status 1'
[ ! -e one.er ] && [ ! -e two.er ]
ok $? 'and the others are removed all the same'

done_testing
