/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <time.h>

#include "libexpt/base/strbuf.h"
#include "libexpt/xml/xml.h"

/* Callbacks received, as text: "<name a='v' @line parent>", "</name text>", "!line what"
 */
struct trace {
	struct strbuf text;
	unsigned damages, starts;
	bool is_counted_only;
	int result;
};

static int on_start(void *context, const struct xml_element *element)
{
	struct trace *trace = context;

	trace->starts++;
	if (trace->is_counted_only)
		return trace->result;
	strbuf_printf(&trace->text, "<%s", element->name);
	for (size_t i = 0; i < element->attribute_count; i++)
		strbuf_printf(&trace->text, " %s='%s'", element->attributes[i].name,
			      element->attributes[i].value);
	strbuf_printf(&trace->text, " @%u %s>", element->line, element->parent);
	return trace->result;
}

static int on_end(void *context, const char *name, const char *text)
{
	struct trace *trace = context;

	if (!trace->is_counted_only)
		strbuf_printf(&trace->text, "</%s %s>", name, text);
	return 0;
}

static void on_damage(void *context, unsigned line, const char *what)
{
	struct trace *trace = context;

	trace->damages++;
	if (!trace->is_counted_only)
		strbuf_printf(&trace->text, "!%u %s!", line, what);
}

static const struct xml_handler handler = { on_start, on_end, on_damage };

static void expect(const void *bytes, size_t size, const char *expected)
{
	struct trace trace = { .text = STRBUF_INIT };

	assert_int_equal(xml_read(bytes, size, &handler, &trace, NULL), 0);
	assert_string_equal(strbuf_text(&trace.text), expected);
	strbuf_release(&trace.text);
}

static void expect_text(const char *text, const char *expected)
{
	expect(text, strlen(text), expected);
}

static void elements_need_no_root(void **state)
{
	expect_text("<a x=\"1\"/>\n<b>text</b>\n", "<a x='1' @1 ></a ><b @2 ></b text>");
}

static void elements_know_their_parents(void **state)
{
	expect_text("<a><b y='2'></b></a>", "<a @1 ><b y='2' @1 a></b ></a >");
}

static void zero_tails_are_blank(void **state)
{
	static const char padded[] = "<a/>\n\0\0\0\0<b/>\0\0\0\n";

	expect(padded, sizeof(padded) - 1, "<a @1 ></a ><b @2 ></b >");
}

/* The first byte of a record is written last. */
static void a_record_under_way_at_the_end_is_none(void **state)
{
	static const char killed[] = "<a/>\n\0b x=\"1\">text</b>\n\0\0";
	static const char cut[] = "<a/>\n\0\0b x=\"1\"";
	static const char followed[] = "<a/>\n\0b x=\"1\"/>\n<c/>\n";

	expect(killed, sizeof(killed) - 1, "<a @1 ></a >");
	expect(cut, sizeof(cut) - 1, "<a @1 ></a >");
	expect(followed, sizeof(followed) - 1,
	       "<a @1 ></a >!2 text outside of elements!<c @3 ></c >");
}

static void the_last_element_needs_nothing_behind_it(void **state)
{
	expect_text("<event kind=\"run\"/>", "<event kind='run' @1 ></event >");
}

static void inner_declarations_are_dropped(void **state)
{
	expect_text("<?xml version='1.0'?><a/><!-- > <b/> -->\n<!DOCTYPE x><?xml?><c/>",
		    "<a @1 ></a ><c @2 ></c >");
}

static void entities_and_escapes_are_decoded(void **state)
{
	expect_text("<a x=\"&lt;&gt;&amp;&apos;&quot;%09%%25%\">&amp;%41%</a>",
		    "<a x='<>&'\"\t%' @1 ></a &A>");
}

static void a_percent_sign_alone_stands_for_itself(void **state)
{
	expect_text("<a x=\"100% %2 %26&amp; %AB% %\"/>",
		    "<a x='100% %2 %26& %AB% %' @1 ></a >");
}

static void high_bytes_come_back_raw(void **state)
{
	expect_text("<a x=\"%c3%%a9%%ff%\xe9\xff%7f%\">\xc3\xa9</a>",
		    "<a x='\xc3\xa9\xff\xe9\xff\x7f' @1 ></a \xc3\xa9>");
}

static void white_space_in_values_is_kept(void **state)
{
	expect_text("<a x=\"1\n2\t3\"/><b/>", "<a x='1\n2\t3' @1 ></a ><b @2 ></b >");
}

static void an_escaped_nul_does_not_cut_a_value(void **state)
{
	expect_text("<a x=\"1%00%2\"/>", "<a x='1%00%2' @1 ></a >");
}

static void numeric_references_and_other_entities_are_text(void **state)
{
	expect_text("<a x=\"&#65;&file;\"/>", "<a x='&#65;&file;' @1 ></a >");
}

static void the_first_of_two_attributes_counts(void **state)
{
	expect_text("<a x=\"1\" x=\"2\" y=\"3\"/><b/>",
		    "<a x='1' y='3' @1 ></a ><b @1 ></b >");
}

static void a_stray_end_tag_loses_nothing_else(void **state)
{
	expect_text(
		"<a/>\n</a>\n<b/>",
		"<a @1 ></a >!2 end tag 'a' without a matching start tag!<b @3 ></b >");
}

static void an_element_left_open_is_closed_by_its_parent(void **state)
{
	expect_text(
		"<a>\n<b>1</a><c/>",
		"<a @1 ><b @2 a>!2 element 'b' is not closed!</b 1></a ><c @2 ></c >");
}

static void a_bad_tag_loses_only_itself(void **state)
{
	struct trace trace = { .text = STRBUF_INIT };
	static const char text[] = "<a/>\n<b x=1 y=\"2\"/>\n<c x/>\n<d x=\"1\"/>\n<e/";

	assert_int_equal(xml_read(text, strlen(text), &handler, &trace, NULL), 0);
	assert_int_equal(trace.damages, 3);
	assert_non_null(strstr(trace.text.text, "!2 element 'b': "));
	assert_non_null(strstr(trace.text.text, "!3 element 'c': "));
	assert_non_null(strstr(trace.text.text, "<d x='1' @4 ></d >!5 tag truncated!"));
	strbuf_release(&trace.text);
}

static void a_tag_cut_by_the_next_one_loses_only_itself(void **state)
{
	expect_text("<event kind=\"sam\n<event kind=\"x\"/>",
		    "!1 tag truncated!<event kind='x' @2 ></event >");
}

static void a_tag_cut_by_padding_loses_only_itself(void **state)
{
	static const char text[] = "<event kind=\"sam\0\0\0\n<b/>";

	expect(text, sizeof(text) - 1, "!1 tag truncated!<b @2 ></b >");
}

static void elements_open_at_the_end_are_damage(void **state)
{
	expect_text("<profile name=\"x\">\n<profpckt>",
		    "<profile name='x' @1 ><profpckt @2 profile>"
		    "!2 element 'profpckt' is not closed!</profpckt >"
		    "!1 element 'profile' is not closed!</profile >");
}

static void text_outside_of_elements_is_damage(void **state)
{
	expect_text("\n  garbage <a/>", "!2 text outside of elements!<a @2 ></a >");
}

static void what_a_callback_returns_ends_the_reading(void **state)
{
	struct trace trace = { .is_counted_only = true, .result = -ENOTSUP };

	assert_int_equal(xml_read("<a/><b/>", 8, &handler, &trace, NULL), -ENOTSUP);
	assert_int_equal(trace.starts, 1);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Reads a pattern repeated over four megabytes; must take less than three seconds, and
 * find damage. */
static void expect_quick(const char *pattern, const char *head)
{
	size_t length = strlen(pattern), size = strlen(head);
	char *text = malloc((4u << 20) + size + length);
	struct trace trace = { .is_counted_only = true };
	double start = seconds();

	memcpy(text, head, size);
	while (size < 4u << 20) {
		memcpy(text + size, pattern, length);
		size += length;
	}
	assert_int_equal(xml_read(text, size, &handler, &trace, NULL), 0);
	free(text);
	assert_true(trace.damages > 0);
	if (getenv("VERBOSE"))
		fprintf(stderr, "%.3f s: %s\n", seconds() - start, pattern);
	assert_true(seconds() - start < 3); /* generous, because of sanitizers */
}

static void hostile_input_ends_quickly(void **state)
{
	expect_quick("<a>", "");
	expect_quick("<a><b/>", "");
	expect_quick("</a>", "");
	expect_quick("<", "");
	expect_quick("<!", "");
	expect_quick("<a b=>", "");
	expect_quick("<a b=\"", "");
	expect_quick(" b=\"\"", "<a");
	expect_quick(" b", "<a");
	expect_quick("&", "<a x=\"");
	expect_quick("x", "<a name=\"");
	expect_quick("<a/>", "</a>");
	expect_quick("<event kind=\"sample\" id=\"1\"/>\n", "</a>");
	expect_quick("]]>", "<a>");
	expect_quick("\xff\n", "");
}

static void deep_nesting_is_damage_at_its_line(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct trace trace = { .text = STRBUF_INIT };

	strbuf_add_text(&text, "<x/>\n\n");
	for (int i = 0; i < 200000; i++)
		strbuf_add_text(&text, "<a>");
	for (int i = 0; i < 200000; i++)
		strbuf_add_text(&text, "</a>");
	strbuf_add_text(&text, "<y/>");
	assert_int_equal(xml_read(text.text, text.length, &handler, &trace, NULL), 0);
	assert_int_equal(trace.damages, 1);
	assert_non_null(strstr(trace.text.text, "!3 elements nested more than 32 deep!"));
	assert_non_null(strstr(trace.text.text, "<y @3 ></y >"));
	strbuf_release(&text);
	strbuf_release(&trace.text);
}

static void random_bytes_are_damage(void **state)
{
	static char bytes[1 << 20];
	struct trace trace = { .is_counted_only = true };

	srandom(1);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)random();
	assert_int_equal(xml_read(bytes, sizeof(bytes), &handler, &trace, NULL), 0);
	assert_true(trace.damages > 0);
}

/* Every prefix of a log is read to its end. Only the missing part is lost. */
static void a_log_may_be_cut_anywhere(void **state)
{
	static const char text[] =
		"<process pid=\"1\"></process>\n<process>./a &amp; b%20%c"
		"</process>\n<event kind=\"cwarn\" id=\"207\">1 -> 0</event>\n";

	for (size_t size = 0; size <= strlen(text); size++) {
		struct trace trace = { .is_counted_only = true };
		char *exact = malloc(size ? size : 1);

		memcpy(exact, text, size);
		assert_int_equal(xml_read(exact, size, &handler, &trace, NULL), 0);
		assert_int_equal(trace.starts,
				 (size >= 17) + (size >= 37) + (size >= 93));
		free(exact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_need_no_root),
		cmocka_unit_test(elements_know_their_parents),
		cmocka_unit_test(zero_tails_are_blank),
		cmocka_unit_test(a_record_under_way_at_the_end_is_none),
		cmocka_unit_test(the_last_element_needs_nothing_behind_it),
		cmocka_unit_test(inner_declarations_are_dropped),
		cmocka_unit_test(entities_and_escapes_are_decoded),
		cmocka_unit_test(a_percent_sign_alone_stands_for_itself),
		cmocka_unit_test(high_bytes_come_back_raw),
		cmocka_unit_test(white_space_in_values_is_kept),
		cmocka_unit_test(an_escaped_nul_does_not_cut_a_value),
		cmocka_unit_test(numeric_references_and_other_entities_are_text),
		cmocka_unit_test(the_first_of_two_attributes_counts),
		cmocka_unit_test(a_stray_end_tag_loses_nothing_else),
		cmocka_unit_test(an_element_left_open_is_closed_by_its_parent),
		cmocka_unit_test(a_bad_tag_loses_only_itself),
		cmocka_unit_test(a_tag_cut_by_the_next_one_loses_only_itself),
		cmocka_unit_test(a_tag_cut_by_padding_loses_only_itself),
		cmocka_unit_test(elements_open_at_the_end_are_damage),
		cmocka_unit_test(text_outside_of_elements_is_damage),
		cmocka_unit_test(what_a_callback_returns_ends_the_reading),
		cmocka_unit_test(hostile_input_ends_quickly),
		cmocka_unit_test(deep_nesting_is_damage_at_its_line),
		cmocka_unit_test(random_bytes_are_damage),
		cmocka_unit_test(a_log_may_be_cut_anywhere),
	};

	return cmocka_run_group_tests_name("xml", tests, NULL, NULL);
}
