#!/bin/sh
# Static programs, and programs that gain privileges, are refused; a variable insists.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

echo 'int main(void) { return 3; }' >program.c
if cc -static -o static program.c 2>/dev/null; then
	collect ./static 2>message
	is $? 126 "a static program is refused"
	is "$(cat message)" "collect: cannot record './static': it is statically linked" "and the reason given"
	is "$(echo ./*.er)" './*.er' "nothing was made"
	SP_COLLECTOR_SKIP_CHECKEXEC=1 collect -A off -o s.er ./static 2>message
	is $? 3 "it runs if insisted upon"
	is "$(head -n 1 message)" "collect: warning: './static' is statically linked" "with a warning"
else
	skip "no static libc here" "static programs"
fi

cc -o setuid program.c
if [ "$(id -u)" = 0 ] && chown 1:1 setuid && chmod u+s setuid && [ -u setuid ]; then
	collect ./setuid 2>message
	is $? 126 "a set-id program is refused"
else
	skip "only root can make one of another user" "set-id programs"
fi
done_testing
