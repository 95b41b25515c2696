/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/export/anonymize.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct anonymizer anonymizer;

static int start(void **state)
{
	static const char log[] =
		"<system hostname='box.example.org' arch=\"x\"/>"
		"<process cwd=\"/home/eve/run/\"></process>"
		"<process>/home/amp/&#119;ork /home/O&apos;N/x '/home/quo' "
		"/home/&#x7a;o&#235;/"
		" /Users/lt</process><event kind=\"x\" msg=\"HOME=/x USER=dora\"/>";

	anonymizer = (struct anonymizer){ 0 };
	return anonymizer_learn(&anonymizer, log, strlen(log), NULL);
}

static int stop(void **state)
{
	anonymizer_release(&anonymizer);
	return 0;
}

static void assert_becomes(const char *text, const char *expected)
{
	struct strbuf out = STRBUF_INIT;

	anonymizer_add(&out, &anonymizer, text, strlen(text));
	assert_string_equal(strbuf_text(&out), expected);
	strbuf_release(&out);
}

/* expected: the text without the last line end */
static void assert_xml_becomes(const char *text, const char *expected, size_t left_out)
{
	struct anonymizer_damage damage;
	struct strbuf out = STRBUF_INIT, line = STRBUF_INIT;

	strbuf_printf(&line, *expected ? "%s\n" : "%s", expected);
	assert_int_equal(anonymizer_add_xml(&out, &anonymizer, text, strlen(text),
					    &damage, NULL),
			 0);
	assert_string_equal(strbuf_text(&out), strbuf_text(&line));
	assert_int_equal(damage.count, left_out);
	strbuf_release(&out);
	strbuf_release(&line);
}

static void words_are_replaced_as_a_whole(void **state)
{
	assert_becomes("box boxes inbox box1 box", "host boxes inbox box1 host");
	assert_becomes("box.example.org, box.other, eve@box",
		       "host, host.other, user@host");
	assert_becomes("/tmp/log_box_1/box-2/x.box", "/tmp/log_host_1/host-2/x.host");
	assert_becomes("-I/home/eve/run/x", "-I/directory/x");
	assert_becomes("", "");
}

static void users_are_known_by_their_homes(void **state)
{
	assert_becomes("O'N, quo, amp, lt dora Dora", "user, user, user, user user Dora");
	assert_becomes("zo\xc3\xab zo N", "user zo N");
}

static void the_longest_is_replaced_first(void **state)
{
	assert_becomes("/home/eve/run/in /home/eve /home/eve/runs",
		       "/directory/in /home/user /home/user/runs");
}

static void xml_keeps_tags_and_keywords(void **state)
{
	assert_xml_becomes("<box kind=\"box\" msg=\"box\">box</box>",
			   "<box kind=\"box\" msg=\"host\">host</box>", 0);
	assert_xml_becomes("<field name=\"box\"/><event name=\"box\"/>",
			   "<field name=\"box\"/>\n<event name=\"host\"/>", 0);
	assert_xml_becomes("<a new=\"a > box\"/>", "<a new=\"a &gt; host\"/>", 0);
	assert_xml_becomes("<a ><b /><b>x</b></a>", "<a>\n  <b/>\n  <b>x</b>\n</a>", 0);
}

static void any_quotes_are_quotes(void **state)
{
	assert_xml_becomes("<a msg='box'/>", "<a msg=\"host\"/>", 0);
	assert_xml_becomes("<a msg = ' \"box\" '/>", "<a msg=\" &quot;host&quot; \"/>",
			   0);
	assert_xml_becomes("<a msg=\"box\" msg=\"eve\"/>", "<a msg=\"host\"/>", 0);
}

static void references_hide_nobody_and_stay_whole(void **state)
{
	assert_xml_becomes("<a>&amp;&lt;&quot; amp &apos;lt&apos;</a>",
			   "<a>&amp;&lt;&quot; user &apos;user&apos;</a>", 0);
	assert_xml_becomes("<a b=\"&#101;v&#x65; %65%v%65% 5%\"/>",
			   "<a b=\"user user 5%25%\"/>", 0);
	assert_xml_becomes("<a>O&apos;N O'N O&#39;N</a>", "<a>user user user</a>", 0);
	assert_xml_becomes("<a>&#65;&#0;&#x;&#99999999999;&#</a>",
			   "<a>&amp;#65;&amp;#0;&amp;#x;&amp;#99999999999;&amp;#</a>", 0);
	assert_xml_becomes("<a>zo%c3%%ab%</a>", "<a>user</a>", 0);
	assert_xml_becomes("<a>%c3%%a4%%01%</a>", "<a>%c3%%a4%%01%</a>", 0);
}

static void what_is_not_understood_is_left_out(void **state)
{
	assert_xml_becomes("<a/><a msg=\"box", "<a/>", 1);
	assert_xml_becomes("<a msg=box/><b/>", "<b/>", 1);
	assert_xml_becomes("<", "", 1);
	assert_xml_becomes("bo<a/>", "<a/>", 1);
	assert_xml_becomes("<!-- box --><?box?><a><!box></a>", "<a/>", 0);
	assert_xml_becomes("<a>box", "<a>host</a>", 1);
	assert_xml_becomes("</box>", "", 1);
}

static void names_are_not_counted_without_end(void **state)
{
	struct anonymizer many = { 0 };
	struct strbuf text = STRBUF_INIT;

	for (int i = 0; i < 2000; i++)
		strbuf_printf(&text, "<a b=\"/home/u%d/\"/>\n", i);
	assert_int_equal(anonymizer_learn(&many, text.text, text.length, NULL), -E2BIG);
	anonymizer_release(&many);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_replaced_as_a_whole),
		cmocka_unit_test(users_are_known_by_their_homes),
		cmocka_unit_test(the_longest_is_replaced_first),
		cmocka_unit_test(xml_keeps_tags_and_keywords),
		cmocka_unit_test(any_quotes_are_quotes),
		cmocka_unit_test(references_hide_nobody_and_stay_whole),
		cmocka_unit_test(what_is_not_understood_is_left_out),
		cmocka_unit_test(names_are_not_counted_without_end),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
