#!/bin/sh
# A recording leaves nothing in the program's descriptor table, and needs no room in it.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

trace_everything 1000

# Each block is an event of 48 bytes, and its end one of 32.
is_complete() { # DIRECTORY TEXT
	is_complete_bytes=$(wc -c <"$1/heaptrace" 2>/dev/null)
	ok $((${is_complete_bytes:-0} < 60000 * 80)) \
		"$2: all events are there (${is_complete_bytes:-no} bytes)"
	is "$(grep -c 'kind="cerror"' "$1/log.xml")" 0 "$2: the log has no error"
}

situation() { # NAME [ARGUMENT]
	situation_name=$1
	as_alone "$situation_name" "$programs/unseen" "$@"
}

situation table
is_complete recorded.er table
is "$(cat recorded.out)" "at first: 0 1 2, listed: 0 1 2
later: 0 1 2, listed: 0 1 2
in a child: 0 1 2, listed: 0 1 2
in a child, later: 0 1 2, listed: 0 1 2
status 0" "the table is the program's alone"
situation fork_beside
situation full
is_complete recorded.er full
if [ "$(id -u)" = 0 ]; then
	mkdir empty
	chmod 755 . ..
	situation new_root "$PWD/empty"
	is_complete recorded.er new_root
	situation new_user
	is_complete recorded.er new_user
	situation full_and_new_user
	situation new_user_in_child
	is_complete recorded.er/_f1.er new_user_in_child
	# barred COMMAND: the founder's log line on a descendant that changes its user.
	barred() {
		record recorded.er "$parameters" sh -c \
			"$1 setpriv --reuid 65534 --clear-groups sh -c '/bin/true; /bin/true'; :"
		er_print -header recorded.er | sed -n "s|$PWD/||;s/.*about to change: //p"
	}
	is "$(barred)" "_f1_x1 becomes user 65534, who may not write to this experiment of user 0: to record its later descendants, use setfacl -m u:65534:rwx recorded.er" \
		'a user who may not make directories is named, with a remedy'
	is "$(barred 'chmod 777 recorded.er;')$(ls -d recorded.er/_f2_x1_x1_f1*)" \
		recorded.er/_f2_x1_x1_f1_x1.er 'a user who may gets no message, and they are made'
else
	skip "not root" "new_root, new_user"
fi

done_testing
