# shellcheck shell=sh
# The command lines accepted, and the messages about others.
run() {
	echo "$ $*"
	"$@"
	echo "status $?"
}
exec 2>&1
# Help, version, and too few operands.
run er_export
run er_export --help
run er_import --help
run er_import
run er_export -V
# Unknown options and values.
run er_export --no-such-option x.er
run er_export -z lzma x.er
run er_export --level 20 x.er
run er_export --level 0 x.er
run er_export --threads none x.er
run er_export -a most x.er
run er_export -o x.tar.gz x.er
# Operands that are missing, or not experiments.
run er_export nothing.er
run er_export not-a-name
run er_export nothing.erg
run er_export -l nothing.tar.zst
run er_export --check nothing.tar.zst
# Bundles that are missing or not bundles.
run er_import nothing.tar.zst
run er_import -C nowhere /dev/null
run er_import /dev/null
run er_import .
run er_import --max-bytes much x.tar
# Each operand has its own bundle, and one that fails does not stop the others.
mkdir one.er two.er
touch one.er/log.xml
run er_export -v one.er nothing.er two.er
run ls
