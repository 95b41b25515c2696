#!/bin/sh
# Lost objects are an error of the run that discovers the loss, and of no later one.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

# says COMMAND...: print its status and its stderr.
says() {
	"$@" 2>err >out
	echo "$? $(sed "s|$PWD/||g" err)"
}

library here.so 1
library rebuilt.so 2
library changed.so 3
experiment test.1.er
experiment test.1.er/_f1.er
segment test.1.er "$PWD/here.so" "$(identity here.so)"
segment test.1.er "$PWD/gone.so"
segment test.1.er "$PWD/changed.so" "$(identity changed.so)"
segment test.1.er "$PWD/rebuilt.so" "$(identity rebuilt.so)"
segment test.1.er/_f1.er "$PWD/rebuilt.so" 'buildid="0123456789abcdef0123456789abcdef01234567"'
segment test.1.er/_f1.er "$PWD/rebuilt.so" 'buildid="" fsize="17" mtime="18.000000000"'
library changed.so 4

said=$(says er_archive test.1.er)
is "$(echo "$said" | sed 's/its build-id is.*/.../')" "1 er_archive: missing 'gone.so'
er_archive: changed 'changed.so': ...
er_archive: changed 'rebuilt.so': another version of it is already archived
er_archive: changed 'rebuilt.so': another version of it is already archived" 'a lost object is an error'
is "$(says er_archive test.1.er)" '0 ' 'once'
is "$(says er_archive -v test.1.er; sed "s|$PWD/||;s/its build-id is.*/.../" out)" '0 
present here.so
present rebuilt.so
missing gone.so
missing changed.so: ...
missing rebuilt.so: another version of it is already archived
missing rebuilt.so: another version of it is already archived' 'but is shown where everything is'
is "$(says er_archive --check test.1.er | wc -l)" 4 '--check counts it'
is "$(says er_archive -F test.1.er | wc -l)" 4 'and so does -F'
is "$(says er_archive test.1.er)" '0 ' 'once more'

library changed.so 5
is "$(says er_archive test.1.er | sed 's/its build-id is.*/.../')" \
	"1 er_archive: changed 'changed.so': ..." 'another change is another error'
library gone.so 6
touch -d '2001-02-03 04:05:06' gone.so
is "$(says er_archive -v test.1.er) $(grep -c "copied $PWD/gone.so" out)" '0  1' 'a file that exists again is archived'

# A file that cannot be read now may be readable the next time.
if [ "$(id -u)" = 0 ]; then
	library private.so 7
	chmod 700 private.so
	experiment owned.er
	segment owned.er "$PWD/private.so"
	chown -R 65534 owned.er
	first=$(says er_archive owned.er)
	is "$first" "1 er_archive: missing 'private.so': the owner of the experiment cannot read it" \
		'a file that its owner cannot read is an error'
	is "$(says er_archive owned.er)" "$first" 'each time'
else
	skip 'this needs root' 'files of others'
fi
done_testing
