#!/bin/sh
# An ordinary user exports and imports whole experiments whatever his umask.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

user_directory work er_export
make_experiment work/a.er
cd work || exit 1
[ "$(id -u)" = 0 ] && chown -R 65534:65534 a.er

for mask in 0777 0700 0277 0022; do
	(umask $mask && as_user er_export -q -f -o a.tar.zst a.er)
	is "$? $(stat -c %a a.tar.zst)" "0 $(printf %o $((0666 & ~mask)))" "er_export works under umask $mask"
	chmod 644 a.tar.zst
	mkdir "in$mask"
	[ "$(id -u)" = 0 ] && chown 65534:65534 "in$mask"
	(umask $mask && as_user er_import -C "in$mask" a.tar.zst)
	is "$? $(stat -c %a "in$mask/a.er" "in$mask/a.er/jdynclasses/org")" \
		"0 $(printf '%o\n%o' $((0755 & ~mask)) $((0755 & ~mask)))" \
		'so does er_import, and the umask counts'
	is "$(hidden "in$mask")" '' 'nothing hidden is left'
	chmod -R u+rwX "in$mask"
	diff -r a.er "in$mask/a.er"
	ok $? 'all of it is there'
done
done_testing
