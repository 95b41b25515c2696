#!/bin/sh
# Names that look like markup, or change the direction of text, are shown as text.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! PYTHONPATH=$TESTDIR python3 -c 'import browser, sys; sys.exit(not browser.find())'; then
	skip 'there is no Chromium' 'hostile names in a browser'
	done_testing
fi

file='<img src=x onerror=window.hacked=5>'
tag='</script><script>window.hacked=1</script><img src=x onerror=window.hacked=2>'
cat >"$file.c" <<END
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static volatile double sum;
#define AS(name) __asm__("\\"" name "\\"")
void marked(void) AS("$tag");
void turned(void) AS("safe\342\200\256elif\342\200\254");
void broken(void) AS("broken\377\376 UTF-8");
#define WORK(name) void name(void) { for (clock_t end = clock() + 300000; clock() < end; ) \\
	for (int i = 0; i < 10000; i++) sum += i; }
WORK(marked)
WORK(turned)
WORK(broken)
int main(void)
{
	write(open("$file", O_WRONLY | O_CREAT, 0600), "text", 4); /* $tag */
	free(malloc(10));
	marked();
	turned();
	broken();
	return 0;
}
END
check 'a program with such names' cc -g -O1 -o program "$file.c"
experiment="<b onclick=window.hacked=3>.er"
collect -A off -p hi -H on -i on -s all -C "$tag" -o "$experiment" ./program "$tag" 2>err
is "$(er_html "$experiment") $(ls -- *.html)" "$experiment.html $experiment.html" 'the page of an experiment with such a name'
PYTHONPATH=$TESTDIR timeout -k 5 200 python3 "$TESTDIR/hostile.py" "$experiment.html" "$tag" >tried 2>err
is "$? $(cat err)" '0 ' 'all is tried'
while read -r result text; do
	case $result in
	good) ok 0 "$text" ;;
	bad) ok 1 "$text" ;;
	*) note "$text" ;;
	esac
done <tried

# What takes markup has no place in the scripts, nor what runs text.
is "$(grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|setAttribute\(.on|srcdoc' \
	"$TOP"/er_html/page/*.js)" '' 'no script of the page takes markup'
done_testing
