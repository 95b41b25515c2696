#!/bin/sh
# No name controls a terminal, or hides in a listing: experiments, objects, functions, logs, notes and
# tarballs with control, bidirectional and invisible characters, shown by all programs.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

SHAPE=$BUILD/tests/er_print/programs/shape
python3 "$TOP/tests/end_to_end/make-names.py" "$SHAPE" >made || exit
cat >shown.py <<'END'
"""shown COMMAND... - run it; its output must be harmless. TOP, BUNDLE and GROUP are names."""
import ast, os, subprocess, sys, unicodedata
top, bundle = map(ast.literal_eval, open("made"))
names = {"TOP": top, "BUNDLE": bundle, "COPY": b"copy" + top, "DESCENDANT": top + b"/_f1.er"}
words = [names.get(word, os.fsencode(word)) for word in sys.argv[1:]]
done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
others = "\ufe0f\U000e0100\u3164\u115f\u034f"
try:
    text = done.stdout.decode()
except UnicodeDecodeError as error:
    sys.exit("no UTF-8: %s" % ascii(done.stdout[error.start - 60:error.end + 20]))
for place, char in enumerate(text):
    if (unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") and char not in "\n\t") or char in others:
        sys.exit("U+%04X is shown: %s" % (ord(char), ascii(text[max(place - 60, 0):place + 20])))
for line in text.splitlines():
    if line.startswith("FAKE"):
        sys.exit("a name is a line")
if not text and "-q" not in words:
    sys.exit("nothing is shown, status %d" % done.returncode)
END
shows() {
	check "$*" python3 shown.py "$@"
}

for command in functions callers-callees metric_list heap heapstat leaks allocs ioactivity iodetail \
	iocallstack iostat 'header all' 'notes all' exp_list 'statistics all' sample_list \
	'sample_detail all' thread_list lwp_list cpu_list objects 'archive all' 'name mangled'; do
	# shellcheck disable=SC2086
	shows er_print -functions -$command TOP
done
shows er_print -fsingle '<Total>' 1 -name long:soname -functions TOP
python3 - >all 2>&1 <<'END'
import ast, subprocess
subprocess.run(["er_print", "-name", "long:soname", "-functions", "-header", ast.literal_eval(open("made").readline())])
END
is "$(grep -c 'l\\342\\200\\256a\\012 \[<objectx\\302\\205' all)" 1 'a function is shown with its object'
is "$(grep -c "Host .x\\\\302\\\\205" all)" 1 'so is the host'
shows er_print -metrics i.NAME -functions TOP
shows er_print -functions BUNDLE
shows er_print -functions DESCENDANT
shows er_print -functions all.erg
shows er_print -functions "$(printf 'no\033\342\200\256.er')"
shows er_export --text TOP
shows er_export --text --format=json TOP
shows er_export --text all.erg
shows er_export -l BUNDLE
shows er_export --check BUNDLE
shows er_import BUNDLE
shows er_archive -v -n -a copy TOP
shows er_archive -v -a src TOP
shows er_archive -v --check TOP
shows er_cp -v TOP COPY
shows er_cp -v -n all.erg .
shows er_cp --progress -f TOP COPY
shows er_export -v -o out.tar.zst TOP
shows er_export -l out.tar.zst
shows er_export -v -f --anonymize -o out2.tar.zst TOP
shows er_mv -v COPY moved.er
shows er_rm -n TOP all.erg
shows er_rm -v moved.er TOP
shows collect -n -o COPY /bin/true
shows collect -n /bin/true "$(printf 'no\033\342\200\256')"
shows collect -o COPY /bin/true
shows collect "$(printf './no\033\342\200\256')"
shows er_archive --outfile=/dev/stdout -n "$(printf 'no\033\342\200\256.er')"
done_testing
