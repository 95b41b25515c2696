/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/export_anonymize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct anonymizer anonymizer;

static int start(void **state)
{
	static const char log[] = "<system hostname=\"box\" arch=\"x\"/>"
				  "<process cwd=\"/home/eve/run\"></process>";

	anonymizer = (struct anonymizer){ 0 };
	return anonymizer_learn(&anonymizer, log, strlen(log)) ? 0 : -1;
}

static int stop(void **state)
{
	anonymizer_release(&anonymizer);
	return 0;
}

static void assert_becomes(const char *text, bool is_xml, const char *expected)
{
	struct strbuf out = STRBUF_INIT;

	anonymizer_add(&out, &anonymizer, text, strlen(text), is_xml);
	assert_string_equal(strbuf_text(&out), expected);
	strbuf_release(&out);
}

static void words_are_replaced_as_a_whole(void **state)
{
	assert_becomes("box boxes inbox box1 box", false, "host boxes inbox box1 host");
	assert_becomes("box.example, eve@box", false, "host.example, user@host");
	assert_becomes("", false, "");
}

static void the_longest_is_replaced_first(void **state)
{
	assert_becomes("/home/eve/run/in /home/eve /home/eve/runs", false,
		       "/directory/in /home/user /home/user/runs");
}

static void xml_keeps_tags_and_keywords(void **state)
{
	assert_becomes("<box box=\"box\" msg=\"box\" kind='box'>box</box>", true,
		       "<box box=\"box\" msg=\"host\" kind='box'>host</box>");
	assert_becomes("<a x_msg=\"box\" msg=\"a > box\"/>", true,
		       "<a x_msg=\"box\" msg=\"a > host\"/>");
}

static void what_is_cut_stays_cut(void **state)
{
	assert_becomes("<a msg=\"box", true, "<a msg=\"host");
	assert_becomes("<a msg=", true, "<a msg=");
	assert_becomes("<", true, "<");
	assert_becomes("bo", true, "bo");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_replaced_as_a_whole),
		cmocka_unit_test(the_longest_is_replaced_first),
		cmocka_unit_test(xml_keeps_tags_and_keywords),
		cmocka_unit_test(what_is_cut_stays_cut),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
