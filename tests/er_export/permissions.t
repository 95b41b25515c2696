#!/bin/sh
# An ordinary user exports and imports whole experiments, whatever the umask.
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
	for option in --quiet --verify; do
		in=in$mask$option
		mkdir "$in"
		[ "$(id -u)" = 0 ] && chown 65534:65534 "$in"
		(umask $mask && as_user er_import $option -C "$in" a.tar.zst)
		is "$? $(stat -c %a "$in/a.er" "$in/a.er/jdynclasses/org" "$in/a.er/log.xml")" \
			"0 $(printf '%o\n%o\n%o' $((0755 & ~mask)) $((0755 & ~mask)) \
				$((0644 & ~mask)))" "so does er_import $option, and the umask counts"
		is "$(hidden "$in")" '' 'nothing hidden is left'
		chmod -R u+rwX "$in"
		diff -r a.er "$in/a.er"
		ok $? 'everything is there'
	done
done

# In a directory where every user may write, another user's files stay that user's.
if [ "$(id -u)" = 0 ]; then
	mkdir -m 1777 everybody
	cp a.tar.zst everybody/b.tar.zst
	chmod 644 everybody/b.tar.zst
	said=$(as_user er_export -q -f -o everybody/b.tar.zst a.er 2>&1)
	is "$?-$said-$(hidden everybody)" \
		"1-er_export: cannot create 'everybody/b.tar.zst': Operation not permitted-" \
		'a bundle of another user is not replaced'
else
	skip 'this needs two users' 'bundles of other users'
fi
done_testing
