#!/bin/sh
# Includes point one way, and one file includes a third-party library.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
cd "$TOP" || exit 1

# includes FILES...: "file header" pairs
includes() {
	grep -Ho '^#include [<"][^">]*' "$@" 2>/dev/null | sed 's/:#include [<"]/ /'
}

bad=$(includes er_*/*.[ch] | awk '$2 ~ /^libexpt\// && $2 !~ /^libexpt\/(expt\.h|cli\/|base\/)/')
is "$bad" "" "programs include expt.h, cli and base of libexpt"
bad=$(includes libexpt/cli/*.[ch] | awk '$2 ~ /^libexpt\// && $2 !~ /^libexpt\/(expt\.h|cli\/|base\/)/')
is "$bad" "" "so does what they share"
bad=$(includes libexpt/base/*.[ch] | awk '$2 ~ /^libexpt\// && $2 !~ /^libexpt\/base\//')
is "$bad" "" "the base library knows nothing of experiments"
bad=$(includes libexpt/*.[ch] | awk '$2 ~ /^libexpt\/cli\// || $2 ~ /^collector\// || $2 ~ /^er_/')
is "$bad" "" "libexpt includes nothing that stands above it"
bad=$(includes libexpt/values.h libexpt/format.h libexpt/expt.h |
	awk '$2 ~ /\// && ($2 != "libexpt/values.h" || $1 == $2)')
is "$bad" "" "the headers for both sides need nothing but the values"
bad=$(includes collector/*.[ch] collector/*/*.[ch] |
	awk '$1 !~ /^collector\/collect\// && $2 ~ /^libexpt\// && $2 != "libexpt/format.h"')
is "$bad" "" "the collector includes format.h and nothing else of libexpt"

one_file() { # HEADER-PATTERN NAME
	files=$(includes ./*/*.[ch] ./*/*/*.[ch] | awk -v p="$1" '$2 ~ p && $1 !~ /tests\// { print $1 }' |
		sort -u | sed 's|^\./||; s|_[a-z]*\.c$|.c|' | sort -u)
	is "$(echo "$files" | grep -c .)" 1 "$2 is included by one file"
}
one_file '^libxml/' libxml2
one_file '^archive(_entry)?\.h$' libarchive
one_file '^(libelf|gelf)\.h$' libelf
one_file '^elfutils/' libdw
one_file '^zstd\.h$' zstd
one_file '^xxhash\.h$' xxhash
one_file '^openssl/' libcrypto

bad=$(grep -nE '\b(printf|fprintf|puts|perror|exit|abort|chdir|umask|setenv|system|popen)\(' \
	libexpt/*.c libexpt/base/*.c | grep -v snprintf | grep -v strbuf_printf | grep -v vprintf)
is "$bad" "" "libexpt does not print, exit or change the process"
done_testing
