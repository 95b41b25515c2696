#!/bin/sh
# An ordinary user makes whole copies of anything readable, whatever the umask.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

user_directory work er_cp
make_experiment work/a.er
cd work || exit 1
[ "$(id -u)" = 0 ] && chown -R 65534:65534 a.er

# modes_under MASK: print those of a directory and a file, one in each line.
modes_under() {
	printf '%o\n%o\n' $((0755 & ~$1)) $((0644 & ~$1))
}

for mask in 0777 0700 0277 0022; do
	(umask $mask && as_user er_cp a.er copy.er)
	is $? 0 "er_cp works under umask $mask"
	check 'and its copy is equal' same_tree a.er copy.er
	(umask $mask && as_user er_cp -f --verify a.er copy.er)
	is $? 0 'it replaces and verifies'
	check 'with an equal copy' same_tree a.er copy.er
	rm -rf copy.er
	(umask $mask && as_user er_cp --no-preserve a.er copy.er)
	is "$? $(stat -c %a copy.er/jdynclasses/org copy.er/notes)" "0 $(modes_under $mask)" \
		'without preserving, all of it is there with the modes that the umask leaves'
	chmod -R u+rwX copy.er
	diff -r a.er copy.er
	ok $? 'with the same bytes'
	rm -rf copy.er
done

cp -a a.er big.er
head -c 68000000 /dev/zero >big.er/hwcounters
[ "$(id -u)" = 0 ] && chown -R 65534:65534 big.er
(umask 0777 && as_user er_cp big.er copy.er)
is $? 0 'so does a file that several threads open'
check 'as it is' same_tree big.er copy.er
rm -rf copy.er big.er

find a.er -type d -exec chmod 0555 {} +
as_user er_cp a.er readonly.er
is $? 0 'directories that forbid writing are copied'
check 'as they are' same_tree a.er readonly.er
is "$(hidden .)" '' 'nothing hidden is left'
chmod -R u+w .
done_testing
