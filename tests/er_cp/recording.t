#!/bin/sh
# Copies made at random moments while collect records threads and forks open in both readers, and contain
# nothing that is not in the final recording.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

copies=${COPIES:-6} # COPIES=100 tries longer

# records NAME.er: one line for each record, event and sample, with its process and its call stack. Their
# numbers are left out: they are offsets in the file, which threads fill in blocks.
records() {
	er_export --text "$1" | awk -v top="$1" '
		/^\t/ { line = line $0; next }
		line { print experiment, line; line = "" }
		/^#/ { sub("\"" top, "\""); experiment = $0 }
		/^(event|profile) / { sub(/ [0-9]+/, "") }
		/^(event|sample|profile) / && !/ cut=/ { line = $0 }
		END { if (line) print experiment, line }' | sort
}

# opens NAME.er: no reader complains about it.
opens() {
	er_print -functions -header "$1" >print.out 2>print.err &&
		gp-display-text -functions -header "$1" >display.out 2>display.err || return 1
	! cat print.err display.err | grep . &&
		! grep -iE 'offset [0-9]+:|damage|corrupt|cannot|unexpected' print.out display.out
}

random_moment() {
	sleep "0.$(od -An -N2 -tu2 /dev/urandom | awk '{ printf "%02d", $1 % 60 }')"
}

command -v gp-display-text >/dev/null || {
	skip 'gp-display-text is not here' 'copies of recordings'
	done_testing
}
made=0 refused=0 closed=0 more=0 empty=0
while [ "$made" -lt "$copies" ]; do
	rm -rf test.er copy.*.er
	collect -F on -o test.er "$BUILD/tests/er_cp/programs/busy" 3 >/dev/null 2>&1 &
	collector=$!
	until [ -s test.er/log.xml ]; do
		sleep 0.05
	done
	first=$((made + 1))
	while [ "$made" -lt "$copies" ] && kill -0 $collector 2>/dev/null; do
		random_moment
		made=$((made + 1))
		er_cp --no-sync test.er "copy.$made.er" 2>err || {
			refused=$((refused + 1))
			sed 's/^/# /' err
		}
		[ -s err ] || break # it has ended
	done
	wait $collector
	records test.er >final
	for i in $(seq "$first" "$made"); do
		opens "copy.$i.er" >&2 || closed=$((closed + 1))
		records "copy.$i.er" >copied
		comm -23 copied final >differences
		[ ! -s differences ] || {
			more=$((more + 1))
			head -3 differences | cut -c 1-300 | sed 's/^/# /'
		}
		[ -s copied ] || empty=$((empty + 1))
	done
done
is "$refused" 0 "er_cp makes $made copies"
is "$closed" 0 'each opens in both readers, which find nothing wrong'
is "$more" 0 'every record, event and sample is in the recording, too'
is "$empty" 0 'and there are some'
done_testing
