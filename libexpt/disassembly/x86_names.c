/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/x86_names.h"

#include <stdlib.h>
#include <string.h>

/* Other words for the same. Sorted. */
static const struct rename {
	const char *from, *to;
} renames[] = {
	{ "callq", "call" },
	{ "enterq", "enter" },
	{ "fcompi", "fcomip" },
	{ "fdisi8087_nop", "fndisi(8087 only)" },
	{ "feni8087_nop", "fneni(8087 only)" },
	{ "fucompi", "fucomip" },
	{ "iretl", "iret" },
	{ "jmpq", "jmp" },
	{ "lcalll", "lcall" },
	{ "leaveq", "leave" },
	{ "ljmpl", "ljmp" },
	{ "lretl", "lret" },
	{ "popfq", "popf" },
	{ "pushfq", "pushf" },
	{ "retq", "ret" },
	{ "salb", "shlb" },
	{ "sall", "shll" },
	{ "salq", "shlq" },
	{ "salw", "shlw" },
	{ "wait", "fwait" },
	{ "xlatb", "xlat" },
};

/* Mnemonics that take a suffix. Sorted. */
static const char *const sized[] = {
	"adc",	     "adcx",	 "add",	     "adox",	 "and",	     "andn",
	"bextr",     "blsi",	 "blsmsk",   "blsr",	 "bsf",	     "bsr",
	"bswap",     "bt",	 "btc",	     "btr",	 "bts",	     "bzhi",
	"cmova",     "cmovae",	 "cmovb",    "cmovbe",	 "cmove",    "cmovg",
	"cmovge",    "cmovl",	 "cmovle",   "cmovne",	 "cmovno",   "cmovnp",
	"cmovns",    "cmovo",	 "cmovp",    "cmovs",	 "cmp",	     "cmpxchg",
	"crc32",     "cvtsi2sd", "cvtsi2ss", "dec",	 "div",	     "idiv",
	"imul",	     "in",	 "inc",	     "lar",	 "lea",	     "lfs",
	"lgs",	     "lsl",	 "lss",	     "lzcnt",	 "mov",	     "movabs",
	"movbe",     "movnti",	 "mul",	     "mulx",	 "neg",	     "nop",
	"not",	     "or",	 "out",	     "pdep",	 "pext",     "pop",
	"popcnt",    "push",	 "rcl",	     "rcr",	 "rdfsbase", "rdgsbase",
	"rdrand",    "rdseed",	 "rol",	     "ror",	 "rorx",     "sar",
	"sarx",	     "sbb",	 "shl",	     "shld",	 "shlx",     "shr",
	"shrd",	     "shrx",	 "sub",	     "test",	 "tzcnt",    "vcvtsi2sd",
	"vcvtsi2ss", "vmread",	 "vmwrite",  "wrfsbase", "wrgsbase", "xadd",
	"xchg",	     "xor",
};
static const char *const shifts[] = {
	"rcl", "rcr", "rol", "ror", "sar", "shl", "shr",
};
/* The first operand alone shows the size. */
static const char *const sources[] = {
	"crc32",
};
static const char *const constant[] = {
	"in", "movabs", "out", "pop", "push",
};

struct word {
	const char *text;
	size_t length;
};

static int compare_word(const void *key, const void *entry)
{
	const struct word *word = key;
	const char *other = *(const char *const *)entry;
	int order = strncmp(word->text, other, word->length);

	return order ? order : -(other[word->length] != '\0');
}

static int compare_rename(const void *key, const void *entry)
{
	return strcmp(key, ((const struct rename *)entry)->from);
}

#define COUNT(list) (sizeof(list) / sizeof(*(list)))
#define IS_IN(word, list) \
	(bsearch((word), (list), COUNT(list), sizeof(*(list)), compare_word) != NULL)

const char *x86_last_word(const char *mnemonic)
{
	const char *space = strrchr(mnemonic, ' ');

	return space ? space + 1 : mnemonic;
}

struct x86_name x86_name(const char *mnemonic)
{
	const struct rename *rename = bsearch(mnemonic, renames, COUNT(renames),
					      sizeof(*renames), compare_rename);
	const char *text = rename ? rename->to : mnemonic;
	struct word word = { text, strlen(text) };
	struct x86_name name = { .name = text, .length = (int)word.length };

	if (word.length < 2 || !strchr("bwlq", text[--word.length]) ||
	    !IS_IN(&word, sized))
		return name;
	name.length = (int)word.length;
	name.suffix = text[word.length];
	name.is_shift = IS_IN(&word, shifts);
	name.is_source = IS_IN(&word, sources);
	name.is_constant = IS_IN(&word, constant);
	return name;
}
