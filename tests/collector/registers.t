#!/bin/sh
# Counters with "+": the record of an event has what is needed to find the data object of the access.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

if ! collect -n -h +page-faults,1,+minor-faults,1 true >/dev/null 2>&1; then
	skip "the kernel permits no counters" "registers"
	done_testing
fi

# events EXPERIMENT ADDRESS: instruction, physical address and registers of its events at the address.
events() {
	er_export --text --only hwc --format json "$1" | python3 -c '
import json, sys
for line in sys.stdin:
    fields = json.loads(line).get("fields", {})
    if fields.get("VADDR") == "0x" + sys.argv[1]:
        print(*(fields[name][2:] for name in ["VIRTPC", "PADDR"] + ["REG%d" % i for i in range(16)]))
' "$2"
}

value() { # NAME: what the program has printed
	sed -n "s/^$1 //p" printed
}

# The instruction, the physical address, and the registers as the program has set them.
expected() { # PHYSICAL
	printf '%s %s' "$(value instruction)" "$1"
	for number in 0 1 2 3 4 data 6 stack 8 9 a b c d e f; do
		case $number in
		data | stack) printf ' %s' "$(value "$number")" ;;
		*) printf ' 12345670000000%s' "$number" ;;
		esac
	done
}

# The kernel reports a page fault before it has found a page, a minor one after that, and to ordinary users
# only those of the program itself.
recorded() { # WHO COMMAND...
	who=$1
	shift
	for counter in page-faults minor-faults; do
		"$@" collect -A off -S off -h "+$counter,1" -o "$counter.1.er" "$programs/registers" \
			>printed 2>message
		is "$?" 0 "$who: +$counter: the program ends as when run alone"
		events $counter.1.er "$(value data)" >found
		physical=0
		[ $counter = page-faults ] || physical=$(value physical)
		[ $counter = page-faults ] || [ "$physical" != 0 ] || physical=$(cut -d ' ' -f 2 found)
		is "$(cat found)" "$(expected "$physical")" \
			"$who: +$counter: address, instruction and registers are those of the access"
		is "$(events $counter.1.er "$(value kernel)" | cut -d ' ' -f 1,3- | tr -d ' ')" \
			"$([ "$who" != root ] || echo 00000000000000000)" \
			"$who: +$counter: an access of the kernel has neither instruction nor registers"
	done
	is "$(events page-faults.1.er 5 | wc -l)" 1 "$who: an access to a null pointer has a code as its address"
	is "$(er_print -filters 'VADDR>255' -metrics e.page-faults -functions page-faults.1.er |
		awk '/<Total>/ { print $1 }')" "$(($(er_print -metrics e.page-faults -functions page-faults.1.er |
		awk '/<Total>/ { print $1 }') - 1))" "$who: a filter selects the events with an address"
	check "$who: gprofng's reader opens it" is_clean page-faults.1.er
	is "$(gp-display-text -metrics e.page-faults -functions page-faults.1.er |
		awk '$NF ~ /^(<Total>|touch)$/ { print $NF, $1 }')" \
		"$(er_print -metrics e.page-faults -functions page-faults.1.er |
		awk '$NF ~ /^(<Total>|touch)$/ { print $NF, $1 }')" "$who: and counts the same"
	rm -r page-faults.1.er minor-faults.1.er
}

if [ "$(id -u)" = 0 ]; then
	recorded root
	if setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$library"; then
		mkdir theirs && chown 65534 theirs && chmod 755 . .. && cd theirs || exit
		recorded user setpriv --reuid 65534 --regid 65534 --clear-groups
		cd ..
	else
		skip "other users cannot read the libraries" "an ordinary user"
	fi
else
	recorded user
fi

# packets FILE: the types and sizes of its packets.
packets() {
	python3 -c '
import struct, sys
bytes = open(sys.argv[1], "rb").read()
at, seen = 0, set()
while at + 4 <= len(bytes):
    size, kind = struct.unpack_from("HH", bytes, at)
    if size and kind not in (0, 65535):
        seen.add((kind, size))
    at = at + size if size else at // 16384 * 16384 + 16384
print(*sorted(seen))' "$1"
}

# unknown EXPERIMENT: the accesses of the program itself, and how many of them have no registers.
unknown() {
	er_export --text --only hwc --format json "$1" | python3 -c '
import json, sys
all = [json.loads(line).get("fields", {}) for line in sys.stdin]
own = [fields for fields in all if fields.get("VIRTPC", "0x0") != "0x0"]
print(len(own), sum(fields["REG7"] == "0x0" for fields in own))'
}

collect -A off -S off -h +page-faults,1 -o all.1.er "$programs/faults" 5000 >printed 2>message
found=$(unknown all.1.er)
check "of ${found% *} events, ${found#* } are without registers" \
	test "${found% *}" -ge 5000 -a "${found#* }" -le 50

collect -A off -S off -h +page-faults,1,minor-faults,1 -o both.1.er "$programs/registers" >printed 2>message
is "$(packets both.1.er/hwcounters)" "(3, 64) (7, 216)" "packets of plain counters have no registers"

if strace -qq -o trace -e trace=none true 2>/dev/null; then
	strace -f -qq -v -e signal=none -o trace -e trace=perf_event_open \
		collect -A off -S off -h page-faults,1 -o plain.1.er "$programs/registers" >printed 2>message
	is "$(sed -n 's/.*sample_period=1, sample_type=\(PERF[A-Z_|]*\),.* sample_regs_user=\([0-9a-fx]*\), sample_regs_intr=\([0-9a-fx]*\),.*/\1 \2 \3/p' trace)" \
		"PERF_SAMPLE_IP|PERF_SAMPLE_ADDR|PERF_SAMPLE_READ|PERF_SAMPLE_REGS_USER 0x101 0" \
		"and the kernel is not asked for them"
else
	skip 'strace is not installed, or not allowed' 'plain counters ask for no registers'
fi

done_testing
