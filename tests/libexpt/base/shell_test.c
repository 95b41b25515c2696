/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include "libexpt/base/shell.h"

/* Checks the quoted word as a POSIX shell reads it, printed by printf. */
static void expect_word(const char *word)
{
	struct strbuf command = STRBUF_INIT;
	char got[4096];
	FILE *shell;
	size_t length;

	strbuf_add_text(&command, "printf '%s|'");
	shell_add_word(&command, word);
	shell = popen(command.text, "r");
	assert_non_null(shell);
	length = fread(got, 1, sizeof(got) - 1, shell);
	assert_int_equal(pclose(shell), 0);
	got[length] = '\0';
	assert_int_equal(length, strlen(word) + 1);
	assert_memory_equal(got, word, length - 1);
	strbuf_release(&command);
}

static void a_shell_reads_the_word_that_was_added(void **state)
{
	static const char *const words[] = {
		"",
		"plain-1.er",
		"a b",
		"it's",
		"'",
		"''",
		"\"",
		"\\",
		"a\\",
		"$HOME",
		"$(id)",
		"`id`",
		"a;b",
		"a&b|c<d>e",
		"new\nline",
		"\n",
		"*",
		"~",
		"#x",
		"!!",
		"a=b",
		"\t",
		"-n",
		"\303\244 \377",
		"x'\"$(id)\\\n'",
		"{a,b}",
		"[ab]",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		expect_word(words[i]);
}

static void expect_words(const char *command, const char *const *expected)
{
	char **words;
	size_t i;

	assert_int_equal(shell_split(&words, command), 0);
	for (i = 0; expected[i]; i++) {
		assert_non_null(words[i]);
		assert_string_equal(words[i], expected[i]);
	}
	assert_null(words[i]);
	free(words);
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void a_command_is_split_at_blanks_outside_quotes(void **state)
{
	expect_words("ssh", WORDS("ssh"));
	expect_words("  ssh   -p 22 ", WORDS("ssh", "-p", "22"));
	expect_words("ssh -o 'A B' \"C D\"", WORDS("ssh", "-o", "A B", "C D"));
	expect_words("ssh -o'A B'C", WORDS("ssh", "-oA BC"));
	expect_words("a '' b", WORDS("a", "", "b"));
	expect_words("a \"it's\" 'say \"x\"'", WORDS("a", "it's", "say \"x\""));
	expect_words("a 'it''s' \"x\"\"y\"", WORDS("a", "it's", "x\"y"));
	expect_words("a $HOME \\ `b` ;", WORDS("a", "$HOME", "\\", "`b`", ";"));
}

static void an_open_quote_and_nothing_are_no_command(void **state)
{
	char **words;

	assert_int_equal(shell_split(&words, ""), -EINVAL);
	assert_int_equal(shell_split(&words, "   "), -EINVAL);
	assert_int_equal(shell_split(&words, "ssh 'x"), -EINVAL);
	assert_int_equal(shell_split(&words, "ssh \"x'"), -EINVAL);
	assert_int_equal(shell_split(&words, "ssh x'''"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shell_reads_the_word_that_was_added),
		cmocka_unit_test(a_command_is_split_at_blanks_outside_quotes),
		cmocka_unit_test(an_open_quote_and_nothing_are_no_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
