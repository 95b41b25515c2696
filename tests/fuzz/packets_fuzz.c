/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz a data file: packets of all sizes and types, with declared fields of every type. */
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char declarations[] =
	"<profile name=\"profile\" ptimer=\"10000\" numstates=\"2\">"
	"<profpckt kind=\"8\"><field name=\"THRID\" offset=\"16\" type=\"INT64\"/>"
	"<field name=\"CPUID\" offset=\"24\" type=\"INT32\"/>"
	"<field name=\"TSTAMP\" offset=\"32\" type=\"UINT64\"/>"
	"<field name=\"FRINFO\" offset=\"40\" type=\"UINT64\"/>"
	"<field name=\"MSTATE\" offset=\"48\" type=\"UINT32\"/>"
	"<field name=\"TEXT\" offset=\"56\" type=\"STRING\"/>"
	"<field name=\"FAR\" offset=\"4294967288\" type=\"INT64\"/></profpckt>"
	"<profpckt kind=\"1\"><field name=\"UCPU\" offset=\"4\" type=\"INT32\"/>"
	"<field name=\"TSTP\" offset=\"8\" type=\"INT64\"/></profpckt>"
	"</profile><event kind=\"run\" tstamp=\"1.0\"/>";

/* Every field of the record must lie within it. */
static uint64_t read_fields(const struct expt_record *record)
{
	uint64_t sum = record->time_ns + record->stack;

	for (size_t i = 0; i < record->declaration->field_count; i++) {
		const struct expt_field_declaration *field =
			&record->declaration->fields[i];
		const char *text;
		int64_t value;
		size_t length = expt_record_text(record, field, &text);

		while (length > 0)
			sum += (unsigned char)text[--length];
		if (expt_record_field(record, field, &value))
			sum += (uint64_t)value;
	}
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct expt *expt = open_file_experiment(declarations, "profile", bytes, size);
	struct expt_packet_counts *counts = expt_packet_counts_new();
	struct expt_records *records;
	struct expt_record record;
	volatile uint64_t sum = 0;
	uint64_t read = 0;

	if (!counts || expt_records_open(&records, expt, EXPT_CLOCK, NULL) < 0)
		abort();
	while (expt_records_next(records, &record, NULL) > 0) {
		if (record.offset >= size || ++read > size * 10)
			abort();
		sum += read_fields(&record);
	}
	expt_records_close(records);
	if (expt_packet_counts_add(counts, expt, "profile", NULL) < 0)
		abort();
	for (size_t i = 0; i < expt_packet_counts_count(counts); i++)
		if (expt_packet_counts_entry(counts, i)->bytes > size)
			abort();
	expt_packet_counts_free(counts);
	(void)sum;
	close_file_experiment(expt);
	return 0;
}
