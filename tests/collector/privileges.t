#!/bin/sh
# Programs that gain privileges as children, directories that cannot be written, and full disks: the program
# behaves as alone, by the clock and with everything traced.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

if [ "$(id -u)" != 0 ]; then
	skip "not root" "programs that gain privileges, full disks"
	done_testing
fi
chmod 755 . ..

# Prints the loader's view of it, and any trace of the collector that the program finds.
cat >gains.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>
int main(void)
{
	printf("secure %lu user %d group %d preload %s\n", getauxval(AT_SECURE), (int)geteuid(), (int)getegid(),
	       getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "none");
	return 5;
}
END
cc -o plain gains.c || done_testing
cp plain setuid && chown 65534:65534 setuid && chmod 4755 setuid
cp plain setgid && chown 0:65534 setgid && chmod 2755 setgid
names='setuid setgid'
if cc -static -o fixed gains.c 2>/dev/null; then
	chown 65534:65534 fixed && chmod 4755 fixed && mv fixed setuid_static
	names="$names setuid_static"
fi
if setcap cap_net_raw+ep plain 2>/dev/null; then
	cp plain capable && setcap cap_net_raw+ep capable && names="$names capable"
	setcap -r plain
fi
printf '#!/bin/sh\nexit 6\n' >script && chown 65534:65534 script && chmod 6755 script
record recorded.er 'p:1000;a:off;' sh -c './script; echo $?'
check "a set-id script gains nothing, and is followed" er_print -header recorded.er/_f1_x1.er

is "$(./setuid)" "secure 1 user 65534 group 0 preload none" "there is such a program"

situations() {
	for name in $names; do
		as_alone "$1$name child" sh -c "./$name; echo \$?"
		as_alone "$1$name instead" sh -c "exec ./$name"
		# Root gains nothing by capabilities.
		[ "$name" = capable ] || check "$1$name: the log names the gap" grep -aq 'set-user-id, set-group-id or file capabilities' recorded.er/log.xml
		as_alone "$1$name by another user" setpriv --reuid 65533 --regid 65533 --clear-groups \
			sh -c "./$name; exit 2"
	done

	# The experiment can no longer be made, or no longer grow.
	mkdir -p full
	if mount -t tmpfs -o "size=${2}k" none full 2>/dev/null; then
		sh -c "$3" >alone.out 2>&1
		echo $? >>alone.out
		mkdir full/recorded.er
		env SP_COLLECTOR_EXPNAME="$PWD/full/recorded.er" SP_COLLECTOR_PARAMS="S:1;F:3;$parameters" \
			SP_COLLECTOR_PRELOAD="$library" LD_PRELOAD="$library" sh -c "$3" >recorded.out 2>&1
		echo $? >>recorded.out
		check "$1full disk: behaves as alone" cmp alone.out recorded.out
		check "$1full disk: the part recorded can be read" er_print -functions full/recorded.er
		mkdir full/unwritable.er
		if mount -o remount,ro full; then
			env SP_COLLECTOR_EXPNAME="$PWD/full/unwritable.er" \
				SP_COLLECTOR_PARAMS="S:1;F:3;$parameters" SP_COLLECTOR_PRELOAD="$library" \
				LD_PRELOAD="$library" sh -c "$3" >recorded.out 2>&1
			echo $? >>recorded.out
			check "$1read-only directory: behaves as alone" cmp alone.out recorded.out
			is "$(ls full/unwritable.er)" "" "$1read-only directory: nothing is written"
		fi
		umount full
	else
		skip "no mount" "$1full disk, read-only directory"
	fi
}

# Recorded by a user other than root, for whom capabilities are a gain as well.
if setpriv --reuid 65533 --regid 65533 --clear-groups test -r "$library"; then
	for name in $names; do
		rm -rf theirs && mkdir theirs && chown 65533:65533 theirs
		setpriv --reuid 65533 --regid 65533 --clear-groups env SP_COLLECTOR_EXPNAME="$PWD/theirs" \
			SP_COLLECTOR_PARAMS="S:1;F:3;$parameters" SP_COLLECTOR_PRELOAD="$library" \
			LD_PRELOAD="$library" sh -c "./$name; exit \$?" >recorded.out 2>&1
		is "$?" 5 "$name of another user: it ends as when run alone"
		is "$(cat recorded.out)" "$(setpriv --reuid 65533 --regid 65533 --clear-groups "./$name")" \
			"$name of another user: it prints the same as alone"
		check "$name of another user: the log names the gap" grep -aqh \
			'set-user-id, set-group-id or file capabilities' theirs/log.xml theirs/warnings.xml
	done
else
	skip "another user cannot read our library" "programs that gain privileges, of another user"
fi

work="'$programs/threads' busy; '$programs/processes' spawns; '$programs/exceptions' 300 3"
situations "" 400 "$work"
trace_everything 1000
situations "traced: " 900 "$work"
done_testing
