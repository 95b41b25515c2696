#!/bin/sh
# At the file size limit the programs say so, and leave nothing behind.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment a.er
er_export -q -o a.tar.zst a.er
mkdir in
: >before

# limited BLOCKS MESSAGE COMMAND...
limited() {
	blocks=$1
	message=$2
	shift 2
	said=$( (ulimit -f "$blocks" && "$@") 2>&1)
	is "$?:$said" "1:$message" "$1 ends when files may not grow"
	is "$(ls -A . in)" "$(cat before)" "and leaves nothing"
}

ls -A . in >before
limited 200 "er_cp: 'a.er': cannot copy 'heaptrace': File too large" er_cp a.er b.er
limited 200 "er_import: 'a.tar.zst': cannot write 'a.er/heaptrace': File too large" \
	er_import -C in a.tar.zst
limited 100 "er_export: 'b.tar.zst': cannot write: File too large" er_export -q -o b.tar.zst a.er
done_testing
