/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/names/demangle.h"

#include <ctype.h>
#include <time.h>

#include "libexpt/names/demangle_rust.h"
#include "libexpt/names/demangle_rust_v0.h"

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

/* Names that rustc made, in the form of gp-display-text, but 'ß' is not cut. */
static void newer_rust_names_come_without_hashes(void **state)
{
	static const char *const names[][2] = {
		{ "_RINvNtCseOobavOxLrL_7rustgenu9gre_6ka8iu9ndern_fraAcj3_EB4_",
		  "rustgen::größe::ändern::<[char; 3]>" },
		{ "_RINvNtNtCsjrHSEGnQ3l9_3std3sys9backtrace28___rust_begin_sho"
		  "rt_backtraceFEuuECseOobavOxLrL_7rustgen",
		  "std::sys::backtrace::__rust_begin_short_backtrace::<fn(), ()"
		  ">" },
		{ "_RNCINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuE0CseOobavOxLrL_7"
		  "rustgen",
		  "std::rt::lang_start::<()>::{closure#0}" },
		{ "_RNSNvYNCINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuE0INtNtNtCsg"
		  "EmfK2I1SDS_4core3ops8function6FnOnceuE9call_once6vtableCseOo"
		  "bavOxLrL_7rustgen",
		  "<std::rt::lang_start<()>::{closure#0} as core::ops::function"
		  "::FnOnce<()>>::call_once::{shim:vtable#0}" },
		{ "_RNvCseOobavOxLrL_7rustgen4main", "rustgen::main" },
		{ "_RNvMCseOobavOxLrL_7rustgenINtB2_1WDG0_INtNtNtCsgEmfK2I1SDS_"
		  "4core3ops8function2FnTRL1_hQL0_sEEp6OutputRL1_hEL_E1mB2_",
		  "<rustgen::W<dyn for<'a, 'b> core::ops::function::Fn<(&'a u8,"
		  " &'b mut i16), Output = &'a u8>>>::m" },
		{ "_RNvMCseOobavOxLrL_7rustgenINtB2_1WDINtB2_2TrhEp1OlNtNtCsgEm"
		  "fK2I1SDS_4core6marker4SendEL_E1mB2_",
		  "<rustgen::W<dyn rustgen::Tr<u8, O = i32> + core::marker::Sen"
		  "d>>::m" },
		{ "_RNvMCseOobavOxLrL_7rustgenINtB2_1WFG0_UKCRL1_eRL0_Ahj7_PThE"
		  "OuEzE1mB2_",
		  "<rustgen::W<for<'a, 'b> unsafe extern \"C\" fn(&'a str, &'b "
		  "[u8; 7], *const (u8,), *mut ()) -> !>>::m" },
		{ "_RNvMCseOobavOxLrL_7rustgenINtB2_1WFK6systemfdijtxnEuE1mB2_",
		  "<rustgen::W<extern \"system\" fn(f32, f64, isize, usize, u16"
		  ", i64, i128)>>::m" },
		{ "_RNvMCseOobavOxLrL_7rustgenINtB2_1WTDNtNtCsgEmfK2I1SDS_4core"
		  "3fmt5DebugEL_EE1mB2_",
		  "<rustgen::W<(dyn core::fmt::Debug,)>>::m" },
		{ "_RNvMs_CseOobavOxLrL_7rustgenINtB4_1NKa7f_Kb0_Kcdf_Ko0_E1cB4"
		  "_",
		  "<rustgen::N<127, false, '\\u{df}', 0>>::c" },
		{ "_RNvMs_CseOobavOxLrL_7rustgenINtB4_1NKan80_Kb1_Kc27_Koffffff"
		  "ffffffffffffffffffffffffff_E1cB4_",
		  "<rustgen::N<-128, true, '\\'', 0xfffffffffffffffffffffffffff"
		  "fffff>>::c" },
		{ "_RNvXs0_CseOobavOxLrL_7rustgenRINtB5_1WmEINtB5_2TrmE2goB5_",
		  "<&rustgen::W<u32> as rustgen::Tr<u32>>::go" },
		{ "_RNSNvMs8_NtCsgEmfK2I1SDS_4core3numo15overflowing_div5reify",
		  "<u128>::overflowing_div::{shim:reify#0}" },
		{ "_RNvCs2N2TEQjwqGk_7stacker4grow.llvm.123", "stacker::grow" },
		{ "_RINvNtC3std3mem8align_ofNtNtC3std3mem12DiscriminantE",
		  "std::mem::align_of::<std::mem::Discriminant>" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_forms(state, names[i][0], names[i][1], names[i][1]);
}

static void damaged_rust_names_stay_as_they_are(void **state)
{
	static const char whole[] = "_RINvNtC1a1b1fFG_UKCRL0_hAtj3_TmDNtC1c1DEL_EEuE";
	char *name = demangle(*state, whole), part[sizeof(whole)];

	assert_string_equal(name, "a::b::f::<for<'a> unsafe extern \"C\" "
				  "fn(&'a u8, [u16; 3], (u32, dyn c::D))>");
	free(name);
	for (size_t length = 0; length < strlen(whole); length++) {
		snprintf(part, sizeof(part), "%.*s", (int)length, whole);
		assert_null(demangle(*state, part));
	}
	for (size_t i = 3; i < strlen(whole); i++) /* whatever comes out */
		for (const char *c = "BELCNXM_09zu"; *c; c++) {
			memcpy(part, whole, sizeof(whole));
			part[i] = *c;
			free(demangle(*state, part));
		}
	assert_null(demangle(*state, "_R"));
	assert_null(demangle(*state, "_RB_"));
	assert_null(demangle(*state, "_RNvB_1f"));
	assert_null(demangle(*state, "_RNvC1a99f"));
	assert_null(demangle(*state, "_RNvC1au3___x"));
	assert_null(demangle(*state, "_RNvC1a1f!"));
	assert_null(demangle(*state, "_RINvC1a1fRLzzzzzzzzzzzzzzzzz_hE"));
	assert_null(demangle(*state, "_R0NvC1a1f"));
}

/* (A, A), ((A, A), (A, A)) ...: each is twice as long as the one before. */
static void a_rust_name_that_would_fill_the_memory_stays_as_it_is(void **state)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[2000] = "_RINvC1a1fThhE", *end = name + strlen(name);
	size_t place = strlen("INvC1a1f");
	clock_t start = clock();

	for (int i = 0; i < 60; i++) {
		size_t next = (size_t)(end - name) - 2;
		char reference[8];

		/* base 62, less 1 */
		snprintf(reference, sizeof(reference), "B%.*s%c_", place > 62,
			 &digits[(place - 1) / 62], digits[(place - 1) % 62]);
		end += sprintf(end, "T%s%sE", reference, reference);
		place = next;
		if (i == 9) {
			char *short_one;

			sprintf(end, "E");
			short_one = demangle(*state, name);
			assert_non_null(short_one);
			assert_true(strlen(short_one) > 5000);
			free(short_one);
		}
	}
	sprintf(end, "E");
	assert_null(demangle(*state, name));
	assert_true(clock() - start < CLOCKS_PER_SEC);
}

/* A long name is read once. */
static void very_long_rust_names_end_soon(void **state)
{
	static const char *const pieces[] = { "1a", "Nv", "R", "T", "M", "INv", "u1a_" };
	const size_t size = 4000000;
	char *name = malloc(size + 10);
	clock_t start = clock();

	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		const char *head = i == 0 ? "_ZN" : "_RINvC1a1f";
		size_t length = (size_t)sprintf(name, "%s", head);

		while (length + 5 < size)
			length += (size_t)sprintf(name + length, "%s", pieces[i]);
		assert_null(demangle_rust(name));
		assert_null(demangle_rust_v0(name));
	}
	free(name);
	assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
}

/* ---- the names of whole libraries, compared with c++filt's ---- */

/* Remove what c++filt shows of Rust in addition: hashes of crates, types of constants. */
static void remove_details(char *name)
{
	char *to = name;

	for (const char *from = name; *from;) {
		size_t hex = *from == '[' ? strspn(from + 1, "0123456789abcdef") : 0;
		bool is_hash = hex > 0 && from[hex + 1] == ']' && from > name &&
			       (isalnum((unsigned char)from[-1]) || from[-1] == '_');
		size_t type = strncmp(from, ": ", 2) == 0
				      ? strspn(from + 2, "abceilhorsuz0123456789")
				      : 0;

		if (is_hash)
			from += hex + 2;
		else if (type > 0)
			from += 2 + type;
		else
			*to++ = *from++;
	}
	*to = '\0';
}

static size_t compare_names(void **state, size_t *different)
{
	FILE *names = fopen("names", "re"), *expected = fopen("expected", "re");
	char *name = NULL, *other = NULL;
	size_t name_size = 0, other_size = 0, count = 0;

	assert_non_null(names);
	assert_non_null(expected);
	while (getline(&name, &name_size, names) > 0 &&
	       getline(&other, &other_size, expected) > 0) {
		char *ours;

		name[strcspn(name, "\n")] = '\0';
		other[strcspn(other, "\n")] = '\0';
		if (strncmp(name, "_R", 2) == 0)
			remove_details(other);
		ours = demangle(*state, name);
		if (strcmp(ours ? ours : name, other) != 0 && ++*different < 10)
			print_message("%s\n%s\n%s\n", name, ours ? ours : name, other);
		free(ours);
		count++;
	}
	fclose(names);
	fclose(expected);
	free(name);
	free(other);
	return count;
}

/* c++filt never abbreviates std::string and the like; names with it are left out.
 * Versions of libstdc++ and c++filt differ in a few more. */
static void names_of_libraries_are_those_of_cxxfilt(void **state)
{
	static const char *const files[] = {
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
		"/usr/lib/x86_64-linux-gnu/libLLVM-1?.so.1",
		"$HOME/.rustup/toolchains/stable*/lib/librustc_driver-*.so",
		"/usr/lib/x86_64-linux-gnu/librustc_driver-*.so",
	};
	size_t count = 0, different = 0;

	if (system("command -v c++filt nm >/dev/null") != 0)
		skip();
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char command[1000];

		snprintf(command, sizeof(command),
			 "for f in %s; do [ -e $f ] && nm -D $f; done | sed -n "
			 "'s/@.*//; s/.* \\(_[ZR]\\)/\\1/p' | grep -v 'S[siod]' | "
			 "head -n 30000 > names; c++filt < names > expected",
			 files[i]);
		assert_int_equal(system(command), 0);
		count += compare_names(state, &different);
	}
	print_message("%zu names, %zu different\n", count, different);
	assert_true(different * 1000 <= count);
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
		cmocka_unit_test(newer_rust_names_come_without_hashes),
		cmocka_unit_test(damaged_rust_names_stay_as_they_are),
		cmocka_unit_test(a_rust_name_that_would_fill_the_memory_stays_as_it_is),
		cmocka_unit_test(very_long_rust_names_end_soon),
		cmocka_unit_test(names_of_libraries_are_those_of_cxxfilt),
		cmocka_unit_test(what_is_no_mangled_name_stays_as_it_is),
		cmocka_unit_test(a_name_that_would_fill_the_memory_stays_as_it_is),
		cmocka_unit_test(long_names_are_demangled_all_the_same),
	};

	return cmocka_run_group_tests(tests, open_demangler, close_demangler);
}
