#!/bin/sh
# Includes point one way, and each third-party library has a folder that includes it.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
cd "$TOP" || exit 1

# includes FILES...: "file header" pairs
includes() {
	grep -Ho '^#include [<"][^">]*' "$@" 2>/dev/null | sed 's/:#include [<"]/ /'
}

bad=$(includes er_*/*.[ch] | awk '$2 ~ /^libexpt\// && $2 !~ /^libexpt\/(expt\.h|cli\/|base\/)/')
is "$bad" "" "programs include expt.h, cli and base of libexpt"
bad=$(includes libexpt/cli/*.[ch] libexpt/cli/*/*.[ch] | awk '$2 ~ /^libexpt\// && $2 !~ /^libexpt\/(expt\.h|cli\/|base\/|remote\/remote\.h)/')
is "$bad" "" "so does what they share, and the steps to another host"
bad=$(includes libexpt/base/*.[ch] | awk '$2 ~ /^libexpt\// && $2 !~ /^libexpt\/base\//')
is "$bad" "" "the base library knows nothing of experiments"
bad=$(includes libexpt/*.[ch] libexpt/*/*.[ch] | awk '$1 !~ /^libexpt\/cli\//' | awk '$2 ~ /^libexpt\/cli\// || $2 ~ /^collector\// || $2 ~ /^er_/')
is "$bad" "" "libexpt includes nothing that stands above it"
bad=$(includes libexpt/values.h libexpt/format.h |
	awk '$2 ~ /\// && ($2 != "libexpt/values.h" || $1 == $2)')
is "$bad" "" "the headers for both sides need nothing but the values"
bad=$(includes libexpt/expt.h libexpt/api/*.h | awk '$2 ~ /\// && $2 !~ /^libexpt\/(api\/|values\.h)/')
is "$bad" "" "nor does the public one need more than its topics"
bad=$(includes collector/*.[ch] collector/*/*.[ch] |
	awk '$1 !~ /^collector\/collect\// && $2 ~ /^libexpt\// && $2 != "libexpt/format.h"')
is "$bad" "" "the collector includes format.h and nothing else of libexpt"

only_in() { # HEADER-PATTERN NAME FOLDERS
	bad=$(includes ./*/*.[ch] ./*/*/*.[ch] ./*/*/*/*.[ch] | sed 's|^\./||' |
		awk -v p="$1" '$2 ~ p && $1 !~ /^tests\// { print $1 }' | grep -vE "^libexpt/($3)/")
	is "$bad" '' "$2 is included in $3 only"
}
only_in '^libxml/' libxml2 xml
only_in '^archive(_entry)?\.h$' libarchive 'bundle|stream'
only_in '^(libelf|gelf)\.h$' libelf elf
only_in '^elfutils/' libdw elf
only_in '^zstd' zstd stream
only_in '^xxhash\.h$' xxhash common
only_in '^openssl/' libcrypto common

bad=$(grep -nE '\b(printf|fprintf|puts|perror|exit|abort|chdir|umask|setenv|system|popen)\(' \
	libexpt/*/*.c | grep -v '^libexpt/cli/' | grep -v snprintf | grep -v strbuf_printf | grep -v vprintf)
is "$bad" "" "libexpt does not print, exit or change the process"
done_testing
