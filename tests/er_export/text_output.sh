# A file appears when it is whole, does not replace another without -f, and nothing else is left.
"$TESTDIR/make-experiment" test.1.er || exit
er_export --text test.1.er >expected
er_export --text -o text test.1.er && cmp text expected
# A taken name is kept without -f, and replaced with it.
echo mine >taken
er_export --text -o taken test.1.er
echo "status $?"
cat taken
er_export --text -f -o taken test.1.er && cmp taken expected
# "-" is the standard output, whose errors count.
er_export --text -o - test.1.er | cmp - expected
er_export --text test.1.er >/dev/full
echo "status $?"
# A missing directory is an error; nothing else is left.
er_export --text -o none/text test.1.er
echo "status $?"
ls -A
