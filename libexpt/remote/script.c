/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scripts that run on the other host, with only POSIX tools until they have found
 * er_import or er_export. The account's own shell reads each as one word in single
 * quotes, and some shells treat quotes, backslashes, exclamation marks and newlines in
 * such a word specially, so the scripts contain none of them.
 */
#include "libexpt/format.h"
#include "libexpt/remote/private.h"

/* clang-format off */

/* Finds out whether er_import or er_export, tar with zstd, or tar exist, and sha256sum.
 */
#define FIND_MEANS(program)								\
	"have() { command -v \"$1\" >/dev/null 2>&1; }; "				\
	"tar_has() { tar --help 2>/dev/null | grep -q -e \"$1\"; }; "			\
	"sums=no; have sha256sum && sums=sums; how=none; "				\
	"if have " program "; then how=erkit; "						\
	"elif have tar; then how=tar; have zstd && tar_has --zstd && how=zstd; fi; "	\
	"echo \"erkit-remote $how $sums\"; "

#define READ_NAMES									\
	"set --; while IFS= read -r n && [ -n \"$n\" ]; do set -- \"$@\" \"$n\"; done; "

/* Removes $d at the end, in whatever way the script ends. */
#define CLEAN_UP									\
	"clean() { rm -rf \"$d\"; }; trap clean EXIT; "					\
	"trap \"exit 1\" HUP INT TERM PIPE; "

/*
 * Without er_import the same steps use common tools: unpack into a hidden directory,
 * locked so that a later run can tell whether it is abandoned; sync it; read it back and
 * compare; and only then move the results to their names, never replacing or nesting.
 */
const char remote_receiver[] =
	"CDPATH=; cd \"$1\" || exit 1; " READ_NAMES FIND_MEANS("er_import")
	"i=0; for n do if [ -e \"$n\" ] || [ -h \"$n\" ]; then echo \"there $i\"; fi; "
	"i=$((i+1)); done; echo ready; "
	"while IFS= read -r go && [ \"$go\" = sum ]; do IFS= read -r n; "
	"er_export -q -a off -z none -o - -- \"./$n\" | sha256sum; done; "
	"[ -n \"$go\" ] || exit 0; " READ_NAMES
	"[ $how = erkit ] && exec er_import -v $go -- -; "

	"case $(pwd -P)/ in *" EXPERIMENT_SUFFIX "/*) "
	"echo \"this is in an experiment\" >&2; exit 1;; esac; "
	"if have flock; then for p in \".$1\".[0-9][0-9][0-9][0-9][0-9][0-9].part; do "
	"[ -d \"$p\" ] && flock -n \"$p\" rm -rf \"$p\"; done; fi; "
	"d=.$1.$(printf %06d $(($$ % 1000000))).part; "
	"mkdir -m 700 \"$d\" || exit 1; exec 9<\"$d\"; have flock && flock -n 9; "
	CLEAN_UP
	"z=; [ $how = zstd ] && z=--zstd; "
	"tar $z -xpf - -C \"$d\" && cat >/dev/null || exit 1; "
	"sync -f \"$d\" 2>/dev/null || sync || exit 1; "
	"( cd \"$d\" || exit 1; for n do "
	"case $n in *" GROUP_SUFFIX ") continue;; esac; m=./$n/" EXPORT_MANIFEST "; "
	"if [ -f \"$m\" ]; then :; else echo \"the stream ended early\" >&2; exit 1; fi; "
	"[ $sums = no ] || grep -v \"^#\" \"$m\" | sha256sum -c - >/dev/null || exit 1; "
	"touch -r \"./$n\" .time && rm -f \"$m\" && touch -r .time \"./$n\" || exit 1; "
	"done ) || exit 1; "
	"for kind in experiment group; do for n do "
	"case $n in *" GROUP_SUFFIX ") is=group;; *) is=experiment;; esac; "
	"[ $is = $kind ] || continue; mv -nT \"$d/$n\" \"./$n\"; "
	"if [ -e \"$d/$n\" ]; then echo \"cannot create $n\" >&2; exit 1; fi; "
	"done; done; "
	"sync -f . 2>/dev/null || sync";

/* Without er_export the checksums are made here and sent after each experiment in the
 * form of er_export, so that they are checked in the same way. */
const char remote_sender[] =
	"CDPATH=; " FIND_MEANS("er_export")
	"i=0; for e do shift; if [ -d \"$e\" ] || [ -f \"$e\" ]; then "
	"echo \"there $i\"; set -- \"$@\" \"$e\"; fi; i=$((i+1)); done; echo ready; "
	"IFS= read -r go || exit 0; "
	"[ $how = erkit ] && exec er_export $go -o - -- \"$@\"; "

	"d=$(mktemp -d) || exit 1; " CLEAN_UP
	"for e do shift; b=${e##*/}; p=${e%/*}; p=$(cd \"${p:-/}\" && pwd -P) || exit 1; "
	"set -- \"$@\" -C \"$p\" \"./$b\"; [ $sums = no ] && continue; "
	"mkdir \"$d/$b\" && ( echo \"" EXPORT_MANIFEST_HEADER "\"; cd \"$p\" && "
	"find \"./$b\" -type f -exec sha256sum {} + | sed \"s|  [.]/|  |\" ) "
	">\"$d/$b/" EXPORT_MANIFEST "\" || exit 1; "
	"set -- \"$@\" -C \"$d\" \"./$b/" EXPORT_MANIFEST "\"; done; "
	"z=; [ $how = zstd ] && z=--zstd; tar_has --format && z=\"$z --format=posix\"; "
	"tar $z -cf - \"$@\"";
