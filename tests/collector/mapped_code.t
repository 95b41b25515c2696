#!/bin/sh
# Files with code that the program maps itself have names, and a jitdump file is found by its marker.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

at_least() { # NUMBER LIMIT TEXT
	[ "${1:-none}" -ge "$2" ] 2>/dev/null
	ok $? "$3: $1 %, at least $2"
}

for situation in 'mapped once more' moved; do
	# shellcheck disable=SC2086 # a word or several
	record recorded.er 'p:1000;a:off;' "$programs/mapped_code" $situation
	status=$?
	if [ $status = 99 ]; then
		skip "it cannot be mapped on this system" "$situation"
		continue
	fi
	is $status 0 "$situation: the program ends as it should"
	at_least "$(share work)" 90 "$situation: the function has its time"
	at_least "$(share call_often)" 90 "$situation: and is called by its caller"
	check "$situation: the reader has no complaint" is_clean recorded.er
done

record recorded.er 'p:1000;a:on;' "$programs/mapped_code" marks "$PWD/jit-17.dump" >offset.txt
is $? 0 "a mark: the program ends as it should"
sed -n 's|.*>jitdump: \(-*[0-9]*\) \(.*\)</event>|\1 \2|p' recorded.er/log.xml >found.txt
is "$(cut -d ' ' -f 2- found.txt)" "$PWD/jit-17.dump" "a mark: the log names the file, once"
# Both clocks are read one after the other, by the program and by the collector.
awk -v theirs="$(cat offset.txt)" '{ d = $1 - theirs } END { exit !(NR == 1 && d < 1e8 && d > -1e8) }' found.txt
ok $? "a mark: and the offset of its clock from ours"
check "a mark: it is not treated as code" sh -c '! grep -q jit-17 recorded.er/map.xml'
check "a mark: the archives are made without complaint" er_archive recorded.er

if command -v node >/dev/null; then
	cat >maps.js <<-'END'
		const lines = require("fs").readFileSync("/proc/self/maps", "utf8").split("\n");
		const code = line => / r-xp /.test(line) && line.endsWith(" " + process.execPath);
		console.log(lines.filter(code).length);
		const start = process.cpuUsage();
		while (process.cpuUsage(start).user < 50000)
			;
	END
	record recorded.er 'p:1000;a:off;' node maps.js >count.txt
	is "$(grep -c '/node"' recorded.er/map.xml)" "$(cat count.txt)" "node: all mappings of its code are known"
else
	skip "it is not installed" "node"
fi

done_testing
