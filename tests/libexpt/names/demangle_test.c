/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/names/demangle.h"

#include <time.h>

#include "tests/libexpt/test.h"

static int open_demangler(void **state)
{
	*state = calloc(1, sizeof(struct demangler));
	return *state ? 0 : -1;
}

static int close_demangler(void **state)
{
	demangler_release(*state);
	free(*state);
	return 0;
}

static void assert_forms(void **state, const char *mangled, const char *long_form,
			 const char *short_form)
{
	char *name = demangle(*state, mangled);
	char text[400];

	if (!name)
		fail_msg("'%s' stays mangled", mangled);
	assert_string_equal(name, long_form);
	snprintf(text, sizeof(text), "%.*s", (int)demangle_short_length(name), name);
	assert_string_equal(text, short_form);
	free(name);
}

static void plain_names_load_nothing(void **state)
{
	static const char *const names[] = {
		"main", "i", "_start",	       "_Foo",
		"",	"_", "cp.constprop.0", "_GLOBAL_OFFSET_TABLE_"
	};
	const struct demangler *demangler = *state;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_null(demangle(*state, names[i]));
	assert_false(demangler->is_tried);
}

static void the_short_form_ends_before_the_parameters(void **state)
{
	assert_forms(state, "_ZN2ns1C3getEv", "ns::C::get()", "ns::C::get");
	assert_forms(state, "_ZNK2ns1C3getEv", "ns::C::get() const", "ns::C::get");
	assert_forms(state, "_ZNKR2ns1C3getEv", "ns::C::get() const &", "ns::C::get");
	assert_forms(state, "_ZmlRK1AS1_", "operator*(A const&, A const&)", "operator*");
	assert_forms(state, "_ZN1AclEi", "A::operator()(int)", "A::operator()");
	assert_forms(state, "_ZN1AcviEv", "A::operator int()", "A::operator int");
}

static void templates_keep_their_return_type(void **state)
{
	assert_forms(state, "_ZN2ns1C2tmIiEEiT_", "int ns::C::tm<int>(int)",
		     "int ns::C::tm<int>");
}

static void clones_are_told_in_the_long_form_only(void **state)
{
	assert_forms(state, "_Z3thri.cold", "thr(int) [clone .cold]", "thr");
	assert_forms(state, "_Z3thri.part.0.cold",
		     "thr(int) [clone .part.0] [clone .cold]", "thr");
}

static void lambdas_and_anonymous_namespaces_have_parentheses_of_their_own(void **state)
{
	assert_forms(state, "_ZZ3allvENKUliE_clEi",
		     "all()::{lambda(int)#1}::operator()(int) const",
		     "all()::{lambda(int)#1}::operator()");
	assert_forms(state, "_ZN12_GLOBAL__N_15anonfEi",
		     "(anonymous namespace)::anonf(int)", "(anonymous namespace)::anonf");
}

static void standard_names_are_written_out(void **state)
{
	assert_forms(state, "_Z1fRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
		     "f(std::__cxx11::basic_string<char, std::char_traits<char>, "
		     "std::allocator<char> > const&)",
		     "f");
}

static void constructors_of_files_are_names_too(void **state)
{
	assert_forms(state, "_GLOBAL__I_abc", "global constructors keyed to abc",
		     "global constructors keyed to abc");
}

static void rust_names_come_without_hash_and_escapes(void **state)
{
	assert_forms(state, "_ZN4core3ptr13drop_in_place17h0123456789abcdefE",
		     "core::ptr::drop_in_place", "core::ptr::drop_in_place");
	assert_forms(state, "_ZN3foo3bar17h05af221e174051e9E.llvm.12345", "foo::bar",
		     "foo::bar");
	assert_forms(state,
		     "_ZN44_$LT$a..b..X$u20$as$u20$core..fmt..Debug$GT$3fmt"
		     "17h05af221e174051e9E",
		     "<a::b::X as core::fmt::Debug>::fmt",
		     "<a::b::X as core::fmt::Debug>::fmt");
	assert_forms(state, "_ZN10$RF$$C$$xy17h05af221e174051e9E", "&,$xy", "&,$xy");
	/* C++ names that look like Rust's */
	assert_forms(state, "_ZN3foo17h0000000000000000E", "foo::h0000000000000000",
		     "foo::h0000000000000000");
	assert_forms(state, "_ZN3foo3bar17h05af221e174051e9Ev",
		     "foo::bar::h05af221e174051e9()", "foo::bar::h05af221e174051e9");
	assert_null(demangle(*state, "_ZN3foo99bar17h05af221e174051e9E"));
}

static void what_is_no_mangled_name_stays_as_it_is(void **state)
{
	assert_null(demangle(*state, "_Zfoo"));
	assert_null(demangle(*state, "_Z"));
	assert_null(demangle(*state, "_Z99999999999999999999x"));
	assert_null(demangle(*state, "_Z3fooi@V1"));
}

/* _Z1f1aIiiES_IS0_S0_ES_IS1_S1_E...: each part is twice as long as the one before. */
static void a_name_that_would_fill_the_memory_stays_as_it_is(void **state)
{
	char name[1000] = "_Z1f1aIiiE", *name_end = name + strlen(name);
	clock_t start = clock();

	for (int i = 0; i < 30; i++) {
		char digit = (char)(i < 10 ? '0' + i : 'A' + i - 10);

		name_end += sprintf(name_end, "S_IS%c_S%c_E", digit, digit);
		if (i < 10)
			free(demangle(*state, name));
	}
	assert_null(demangle(*state, name));
	assert_true(clock() - start < CLOCKS_PER_SEC);
}

static void long_names_are_demangled_all_the_same(void **state)
{
	/* insertion into a std::map from string to vector of strings */
	static const char mangled[] =
		"_ZNSt8_Rb_treeINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
		"St4pairIKS5_St6vectorIS5_SaIS5_EEESt10_Select1stISA_ESt4lessIS5_ESaISA_"
		"EE"
		"24_M_get_insert_unique_posERS7_";
	char *name = demangle(*state, mangled);

	assert_non_null(name);
	assert_true(strlen(name) > 600);
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_names_load_nothing),
		cmocka_unit_test(the_short_form_ends_before_the_parameters),
		cmocka_unit_test(templates_keep_their_return_type),
		cmocka_unit_test(clones_are_told_in_the_long_form_only),
		cmocka_unit_test(
			lambdas_and_anonymous_namespaces_have_parentheses_of_their_own),
		cmocka_unit_test(standard_names_are_written_out),
		cmocka_unit_test(constructors_of_files_are_names_too),
		cmocka_unit_test(rust_names_come_without_hash_and_escapes),
		cmocka_unit_test(what_is_no_mangled_name_stays_as_it_is),
		cmocka_unit_test(a_name_that_would_fill_the_memory_stays_as_it_is),
		cmocka_unit_test(long_names_are_demangled_all_the_same),
	};

	return cmocka_run_group_tests(tests, open_demangler, close_demangler);
}
