/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/x86_compare.h"

#include <stdio.h>
#include <string.h>

/* Words for a constant, which is their index. */
static const char *const integers[] = { "eq", "lt", "le", NULL, "neq", "nlt", "nle" };
static const char *const floats[] = {
	"eq",	 "lt",	   "le",     "unord",	 "neq",	   "nlt",    "nle",    "ord",
	"eq_uq", "nge",	   "ngt",    "false",	 "neq_oq", "ge",     "gt",     "true",
	"eq_os", "lt_oq",  "le_oq",  "unord_s",	 "neq_us", "nlt_uq", "nle_uq", "ord_s",
	"eq_us", "nge_uq", "ngt_uq", "false_os", "neq_os", "ge_oq",  "gt_oq",  "true_us",
};
static const char *const halves[] = {
	[0x00] = "lqlq", [0x01] = "hqlq", [0x10] = "lqhq", [0x11] = "hqhq"
};

/* The words go between the head of the name, and the rest, which must be one of the
 * tails. */
static const struct comparison {
	const char *head, *tails;
	const char *const *words;
	size_t count;
} comparisons[] = {
	{ "vpclmul", " qdq ", halves, 18 },
	{ "vpcmp", " b w d q ub uw ud uq ", integers, 7 },
	{ "vcmp", " ps pd ss sd ph sh ", floats, 32 },
	{ "pclmul", " qdq ", halves, 18 },
	{ "cmp", " ps pd ss sd ", floats, 8 },
};

static const struct comparison *find(const char *name, const char **tail)
{
	for (size_t i = 0; i < sizeof(comparisons) / sizeof(*comparisons); i++) {
		size_t length = strlen(comparisons[i].head);
		char word[16];

		*tail = name + length;
		snprintf(word, sizeof(word), " %s ", *tail);
		if (strncmp(name, comparisons[i].head, length) == 0 &&
		    strstr(comparisons[i].tails, word))
			return &comparisons[i];
	}
	return NULL;
}

void x86_name_comparison(struct text *mnemonic, struct text *operands,
			 const struct x86_layout *layout)
{
	const char *name = strrchr(mnemonic->buffer, ' '), *tail, *rest;
	const struct comparison *comparison;
	unsigned constant = 0;
	char new_name[32];

	name = name ? name + 1 : mnemonic->buffer;
	comparison = find(name, &tail);
	rest = strchr(operands->buffer, ',');
	if (layout->immediate_size == 1)
		constant = layout->bytes[layout->immediate_at];
	if (!comparison || layout->immediate_size != 1 || *operands->buffer != '$' ||
	    !rest || constant >= comparison->count || !comparison->words[constant])
		return;
	snprintf(new_name, sizeof(new_name), "%s%s%s", comparison->head,
		 comparison->words[constant], strcmp(tail, "qdq") == 0 ? "dq" : tail);
	mnemonic->length = (size_t)(name - mnemonic->buffer);
	text_add(mnemonic, "%s", new_name);
	operands->length -= (size_t)(rest + 1 - operands->buffer);
	memmove(operands->buffer, rest + 1, operands->length + 1);
}
