/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/escape.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/strbuf.h"
#include "tests/libexpt/test.h"

static const struct {
	const char *text, *expected;
} texts[] = {
	{ "plain text", "plain text" },
	{ "Größe 大 🐧", "Größe 大 🐧" },
	{ "\033[2Jgone\a", "\\033[2Jgone\\007" },
	{ "del\x7f", "del\\177" },
	{ "\302\2332J", "\\302\\2332J" }, /* a control character as UTF-8 */
	{ "\xc2\xa0", "\xc2\xa0" },	  /* the first one after the control characters */
	{ "\2332J", "\\2332J" },	  /* and as a byte */
	{ "latin \xe9t\xe9", "latin \\351t\\351" },
	{ "\xc0\x9b", "\\300\\233" },			/* overlong */
	{ "\xed\xa0\x80", "\\355\\240\\200" },		/* a surrogate */
	{ "\xf4\x90\x80\x80", "\\364\\220\\200\\200" }, /* beyond Unicode */
	{ "cut \xe5\xa4", "cut \\345\\244" },
	{ "cut \xe5\xa4.", "cut \\345\\244." },
	{ "a\u202eb", "a\\342\\200\\256b" },		     /* text from right to left */
	{ "\u2066\u061c", "\\342\\201\\246\\330\\234" },     /* the same */
	{ "a\u00adb\u200b", "a\\302\\255b\\342\\200\\213" }, /* zero-width characters */
	{ "\U000e0041", "\\363\\240\\201\\201" },	     /* a tag */
	{ "\ufeffx\u2028", "\\357\\273\\277x\\342\\200\\250" },
	{ "\u2027\u202f\u205f\u2070\ufefe\uffa1",
	  "\u2027\u202f\u205f\u2070\ufefe\uffa1" },
};
#define COUNT (sizeof(texts) / sizeof(*texts))

static void what_is_no_text_is_escaped(void **state)
{
	for (size_t i = 0; i < COUNT; i++) {
		char *shown;
		size_t size;
		FILE *file = open_memstream(&shown, &size);

		escape_put(file, texts[i].text, strlen(texts[i].text), 0);
		fclose(file);
		assert_string_equal(shown, texts[i].expected);
		free(shown);
	}
}

static void lines_and_quotes_can_be_escaped(void **state)
{
	char *shown;
	size_t size;
	FILE *file = open_memstream(&shown, &size);

	escape_put(file, "a \"b\"\n\\c", 8, '"');
	fclose(file);
	assert_string_equal(shown, "a \\\"b\\\"\\n\\\\c");
	free(shown);
}

static void a_name_can_stay_in_its_line(void **state)
{
	static const char *const plain = "Größe\033";
	char out[16];

	assert_ptr_equal(escape_line(out, sizeof(out), plain), plain);
	assert_string_equal(escape_line(out, sizeof(out), "a\nb\tc"), "a\\012b\\011c");
	assert_string_equal(escape_line(out, sizeof(out), "0123456789a\nbcd"),
			    "0123456789a\\012");
	assert_string_equal(escape_line(out, sizeof(out), "0123456789ab\nbcd"),
			    "0123456789ab");
}

/* Characters just outside a hidden range, on both sides, are not hidden. */
static void ranges_end_where_they_should(void **state)
{
	static const struct {
		const char *text;
		bool is_shown;
	} characters[] = {
		{ "\x1f", false },	 { " ", true },		  { "~", true },
		{ "\x7f", false },	 { "\xc2\x80", false },	  { "\xc2\x9f", false },
		{ "\u00a0", true },	 { "\u00ac", true },	  { "\u00ae", true },
		{ "\u061b", true },	 { "\u061d", true },	  { "\u200a", true },
		{ "\u200b", false },	 { "\u200f", false },	  { "\u2010", true },
		{ "\u2027", true },	 { "\u2028", false },	  { "\u202e", false },
		{ "\u202f", true },	 { "\u205f", true },	  { "\u2060", false },
		{ "\u206f", false },	 { "\u2070", true },	  { "\ufefe", true },
		{ "\ufeff", false },	 { "\uff00", true },	  { "\U000dffff", true },
		{ "\U000e0000", false }, { "\U000e007f", false }, { "\U000e0fff", false },
		{ "\U000e1000", true },	 { "\U0010ffff", true },
	};

	for (size_t i = 0; i < sizeof(characters) / sizeof(*characters); i++) {
		const char *text = characters[i].text;
		uint32_t character;

		assert_int_equal(escape_character(text, strlen(text), &character),
				 strlen(text));
		assert_int_equal(escape_length(text, strlen(text)),
				 characters[i].is_shown ? strlen(text) : 0);
	}
}

/* The result does not depend on how the text is split into writes. Line breaks are kept.
 */
static void a_stream_escapes_what_it_passes_on(void **state)
{
	for (size_t i = 0; i < COUNT; i++)
		for (size_t cut = 0; cut <= strlen(texts[i].text); cut++) {
			cleanup_strbuf struct strbuf expected = STRBUF_INIT;
			char *shown;
			size_t size;
			FILE *file = open_memstream(&shown, &size);
			FILE *stream = escape_stream(file);

			assert_non_null(stream);
			fwrite(texts[i].text, 1, cut, stream);
			fflush(stream);
			fputs(texts[i].text + cut, stream);
			fputs("\tx\n", stream);
			assert_int_equal(fclose(stream), 0);
			fclose(file);
			strbuf_printf(&expected, "%s\tx\n", texts[i].expected);
			assert_string_equal(shown, expected.text);
			free(shown);
		}
}

static void what_cannot_be_passed_on_is_an_error(void **state)
{
	FILE *full = fopen("/dev/full", "w"), *stream = escape_stream(full);

	fputs("text", stream);
	assert_int_not_equal(fflush(stream), 0);
	assert_true(ferror(stream));
	fclose(stream);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_text_is_escaped),
		cmocka_unit_test(ranges_end_where_they_should),
		cmocka_unit_test(lines_and_quotes_can_be_escaped),
		cmocka_unit_test(a_name_can_stay_in_its_line),
		cmocka_unit_test(a_stream_escapes_what_it_passes_on),
		cmocka_unit_test(what_cannot_be_passed_on_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
