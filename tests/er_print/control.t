#!/bin/sh
# No control character of an experiment reaches the terminal: all are shown as escapes, by every command that
# shows names or texts. UTF-8 passes.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/../er_export/make-experiment" test.er || exit
python3 - <<'END'
def change(name, old, new):
    with open('test.er/' + name, 'rb') as file:
        content = file.read()
    assert old in content
    with open('test.er/' + name, 'wb') as file:
        file.write(content.replace(old, new))


change('log.xml', b'./program', b'./pr\xc3\xb6gram%1b%[2J%9b%0m')
change('log.xml', b'two%0a%lines', b'two%07%lines')
change('log.xml', b'label="collector_close', b'label="%1b%]0;x%07%close')
change('map.xml', b'/gone/program', b'/gone/\xc2\x9b2Jprogram')
with open('test.er/notes', 'wb') as file:
    file.write(b'a \033[31mred\033[0m note\n')
END
for command in functions callers-callees header objects samples overview statistics \
	experiment_list notes; do
	er_print -$command test.er
done >all 2>errors
check 'there is something to see' grep -q 'pr.*gram\\033\[2J' all
is "$(LC_ALL=C tr -d '\n\t\040-\176' <all | od -An -c | tr -d ' \n')" \
	"$(LC_ALL=C sed -n 's/.*pr\(..\)gram\\033.*/\1/p' all | tr -d '\n' | od -An -c | tr -d ' \n')" \
	'only the letter is not printable ASCII'
check 'which is shown intact' grep -q "prögram" all
check 'a note is shown with escapes' grep -qF 'a \033[31mred\033[0m note' all
er_print -outfile list -header test.er
check 'and so are files' grep -qF 'a \033[31mred\033[0m note' list
done_testing
