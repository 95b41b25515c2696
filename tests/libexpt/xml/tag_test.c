/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/xml/tag.h"

#include "tests/libexpt/test.h"

static bool is_split(struct xml_tag *tag, const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;

	return xml_tag_split(tag, bytes, bytes + strlen(text));
}

static void expect_same(struct xml_tag *split, struct xml_tag *parsed, const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;

	xml_tag_clean(parsed, bytes, bytes + strlen(text));
	assert_int_equal(xml_tag_parse(parsed), 1);
	assert_int_equal(split->attributes.count, parsed->attributes.count);
	for (size_t i = 0; i < split->attributes.count; i++) {
		assert_string_equal(split->attributes.items[i].name,
				    parsed->attributes.items[i].name);
		assert_string_equal(split->attributes.items[i].value,
				    parsed->attributes.items[i].value);
	}
}

/* Every byte, at every place of a text that is compared in pieces. */
static void only_plain_bytes_are_skipped(void **state)
{
	unsigned char text[40];

	for (int byte = 0; byte < 256; byte++) {
		bool is_plain = byte >= ' ' && byte <= '~' && !strchr("%&'<>", byte);

		for (size_t place = 0; place < sizeof(text); place++) {
			const unsigned char *end = text + sizeof(text);

			memset(text, 'a', sizeof(text));
			text[place] = (unsigned char)byte;
			assert_ptr_equal(xml_tag_skip_plain(text, end),
					 is_plain ? end : text + place);
			assert_ptr_equal(xml_tag_skip_plain(text, text + place),
					 text + place);
		}
	}
}

static void usual_tags_are_split(void **state)
{
	static const char *const texts[] = { "event", "a b=\"c\"",
					     "a b=\"\"  c-1.d=\"x = y\" ",
					     "a_b2 _=\"1\" B=\"it is a/b; c+d\"" };
	struct xml_tag split = { 0 }, parsed = { 0 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_true(is_split(&split, texts[i]));
		expect_same(&split, &parsed, texts[i]);
	}
	assert_null(split.parser);
	xml_tag_release(&parsed);
	xml_tag_release(&split);
}

static void tags_that_need_rules_are_not_split(void **state)
{
	static const char *const texts[] = {
		"",
		"a b",
		"a b=c",
		"a b=\"c\"d=\"e\"",
		"a b =\"c\"",
		"a b= \"c\"",
		"a b=\"c\" b=\"d\"",
		"a b=\"c",
		"a x:b=\"c\"",
		"x:a b=\"c\"",
		"a xmlns=\"c\"",
		"a 1=\"c\"",
		"a b\"=c\"",
		"a=\"b\"",
		"a b=\"c\"\"",
		"1a",
	};
	struct xml_tag tag = { 0 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_false(is_split(&tag, texts[i]));
	xml_tag_release(&tag);
}

static void what_is_split_libxml2_splits_as_well(void **state)
{
	static const char letters[] = "aab=\"  b=\" \"=-.:_1xmlns/";
	struct xml_tag split = { 0 }, parsed = { 0 };
	unsigned count = 0;

	srandom(1);
	for (int i = 0; i < 300000; i++) {
		size_t length = (size_t)random() % 16;
		char text[64] = "a";

		for (size_t j = 1; j < length; j++)
			text[j] = letters[(size_t)random() % (sizeof(letters) - 1)];
		if (i % 2)
			strcat(text, " b=\"\" a=\"1\"");
		if (!is_split(&split, text))
			continue;
		count++;
		expect_same(&split, &parsed, text);
	}
	assert_true(count > 1000);
	xml_tag_release(&parsed);
	xml_tag_release(&split);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_plain_bytes_are_skipped),
		cmocka_unit_test(usual_tags_are_split),
		cmocka_unit_test(tags_that_need_rules_are_not_split),
		cmocka_unit_test(what_is_split_libxml2_splits_as_well),
	};

	return cmocka_run_group_tests_name("tag", tests, NULL, NULL);
}
