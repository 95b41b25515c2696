#!/bin/sh
# What an ordinary user archives can be used afterwards, whatever his umask.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

user_directory work er_archive
cd work || exit 1
library alpha.so 1
experiment model.er
segment model.er "$PWD/alpha.so" "$(identity alpha.so)"
[ "$(id -u)" = 0 ] && chown -R 65534:65534 .

for mask in 0777 0700 0277 0022; do
	rm -rf a.er store
	cp -a model.er a.er
	(umask $mask && as_user er_archive a.er)
	is $? 0 "er_archive works under umask $mask"
	as_user er_archive --check a.er
	is $? 0 'and what it archived is complete'
	(umask $mask && as_user er_archive -F a.er && as_user er_archive --check a.er)
	is $? 0 'everything anew, too'
	cp -a model.er b.er
	(umask $mask && as_user er_archive -d "$PWD/store" b.er && as_user er_archive --check b.er)
	is $? 0 'and with a store'
	rm -rf b.er
done
done_testing
