#!/bin/sh
# The options for attributes, holes, shared blocks, and syncing the copy to the disk.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment a.er
head -c 1000000 /dev/zero >a.er/overview # zeros rather than a hole
blocks() {
	stat -c %b "$1"
}

er_cp -p a.er kept.er && same_tree a.er kept.er
ok $? '-p is the default'
umask 027
er_cp --no-preserve a.er plain.er
is "$(find plain.er -type f -printf '%m\n' | sort | uniq -c | xargs)" '1 440 12 640' \
	'without it: the modes as the umask leaves them'
is "$(find plain.er -newer kept.er/archives | wc -l)" "$(find a.er | wc -l)" 'and times'
er_cp --no-preserve --preserve a.er again.er && same_tree a.er again.er
ok $? 'the later option counts'
umask 022

for sparse in auto always never; do
	er_cp --sparse=$sparse a.er "$sparse.er" && same_tree a.er "$sparse.er"
	ok $? "--sparse=$sparse: the same bytes"
done
check 'auto: holes stay holes' [ "$(blocks auto.er/heaptrace)" -lt 100 ]
check 'auto: zeros stay zeros' [ "$(blocks auto.er/overview)" -ge 1000 ]
check 'always: zeros become holes' [ "$(blocks always.er/overview)" -lt 100 ]
check 'never: holes become zeros' [ "$(blocks never.er/heaptrace)" -ge 4000 ]

# calls OPTION...: print which of the interesting calls a copy makes
calls() {
	strace -f -qq -o calls -e trace=fsync,fdatasync,syncfs,ioctl er_cp "$@" && grep -v TCGETS calls
}
if calls a.er traced.er >/dev/null 2>&1; then
	is "$(calls --no-sync a.er none.er | grep -c 'sync')" 0 '--no-sync waits for nothing'
	is "$(calls --sync=none a.er none2.er | grep -c 'sync')" 0 '--sync=none neither'
	check '--sync=per-file: each file and directory' \
		[ "$(calls --sync=per-file a.er each.er | grep -c 'fsync')" -ge 18 ]
	mkdir many.er many.er/jdynclasses
	cp -a a.er/. many.er
	for i in $(seq 100); do : >"many.er/jdynclasses/$i.class"; done
	calls many.er many1.er >/dev/null
	is "$(grep -c syncfs calls)" 1 'many files: once for all'
	calls --sync=per-file many.er many2.er >/dev/null
	is "$(grep -c syncfs calls)" 0 '--sync=per-file: not even then'
	check 'but each of them' [ "$(grep -c fsync calls)" -ge 118 ]
	calls a.er shared.er >/dev/null
	check 'sharing is tried' grep -q FICLONE calls
	calls --reflink=never a.er unshared.er >/dev/null
	is "$(grep -c FICLONE calls)" 0 '--reflink=never does not'
else
	skip 'this sandbox does not allow ptrace' 'system calls'
fi
# ---- other hosts ----

touch shell && chmod +x shell
for option in --no-preserve --reflink=never --sparse=always --sparse=never --no-sync --sync=none \
	--sync=per-file; do
	for operands in 'nothing.er desk:runs' 'desk:test.1.er .' 'nothing.er desk:x.er there'; do
		case $option in --sync=none) name=--no-sync ;; *) name=${option%=*} ;; esac
		# shellcheck disable=SC2086
		er_cp -e "$PWD/shell" $option $operands 2>err
		is "$? $(head -n 1 err)" "2 er_cp: option '$name' is only for copies on this host" \
			"er_cp $option $operands"
	done
done
er_cp -e false --preserve --reflink=auto --sparse=auto --sync=whole --verify --threads=1 \
	nothing.er desk:runs 2>err
is "$? $(grep -c option err)" '1 0' 'defaults may be given explicitly'
done_testing
