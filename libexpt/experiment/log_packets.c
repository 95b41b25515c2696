/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kinds of data that a log declares, and the fields of their packets. Readers take
 * every offset and type from here, and assume nothing about the usual form of a packet.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/number.h"
#include "libexpt/experiment/private.h"
#include "libexpt/format.h"

#define DECLARATIONS_MAX 256
#define FIELDS_MAX	 255
#define OFFSET_MAX	 UINT16_MAX /* of the largest packet */

static const char *const data_files[] = {
	[EXPT_CLOCK] = CLOCK_FILE, [EXPT_HWC] = HWC_FILE,
	[EXPT_HEAP] = HEAP_FILE,   [EXPT_SYNC] = SYNC_FILE,
	[EXPT_IO] = IO_FILE,	   [EXPT_OMP] = OMP_FILE,
	[EXPT_RACE] = RACE_FILE,   [EXPT_DEADLOCK] = DEADLOCK_FILE,
	[EXPT_MPI] = MPI_FILE,
};

static const struct {
	const char *name;
	enum expt_data data;
} profile_names[] = {
	{ "profile", EXPT_CLOCK },     { "hwcounter", EXPT_HWC },
	{ "hwsimctr", EXPT_HWC },      { "heaptrace", EXPT_HEAP },
	{ "synctrace", EXPT_SYNC },    { "iotrace", EXPT_IO },
	{ "omptrace", EXPT_OMP },      { "datarace", EXPT_RACE },
	{ "deadlock", EXPT_DEADLOCK }, { "mpitrace", EXPT_MPI },
};

/* Data of packets that are declared outside a profile, or in one with a damaged tag. */
static const struct {
	enum packet_type type;
	enum expt_data data;
} packet_data[] = {
	{ PACKET_CLOCK, EXPT_CLOCK },
	{ PACKET_CLOCK_OLD, EXPT_CLOCK },
	{ PACKET_HWC, EXPT_HWC },
	{ PACKET_HWC_OLD, EXPT_HWC },
	{ PACKET_HWC_ADDRESS, EXPT_HWC },
	{ PACKET_HEAP, EXPT_HEAP },
	{ PACKET_HEAP_FREE, EXPT_HEAP },
	{ PACKET_HEAP_MOVE, EXPT_HEAP },
	{ PACKET_SYNC, EXPT_SYNC },
	{ PACKET_IO, EXPT_IO },
	{ PACKET_IO_OPEN, EXPT_IO },
	{ PACKET_OMP_FORK, EXPT_OMP },
	{ PACKET_OMP_REGION_ENTER, EXPT_OMP },
	{ PACKET_OMP_TASK_ENTER, EXPT_OMP },
	{ PACKET_OMP_REGION, EXPT_OMP },
	{ PACKET_OMP_TASK, EXPT_OMP },
	{ PACKET_RACE, EXPT_RACE },
	{ PACKET_DEADLOCK, EXPT_DEADLOCK },
	{ PACKET_MPI, EXPT_MPI },
	{ PACKET_MPI_CALL, EXPT_MPI },
	{ PACKET_MPI_SENT, EXPT_MPI },
	{ PACKET_MPI_RECEIVED, EXPT_MPI },
};

#define FIELD(name) [EXPT_##name] = #name
static const char *const field_names[EXPT_FIELD_COUNT] = {
	FIELD(LWPID),	  FIELD(THRID),	    FIELD(CPUID),     FIELD(TSTAMP),
	FIELD(FRINFO),	  FIELD(MSTATE),    FIELD(NTICK),     FIELD(HWCTAG),
	FIELD(HWCINT),	  FIELD(VADDR),	    FIELD(VIRTPC),    FIELD(PADDR),
	FIELD(PHYSPC),	  FIELD(HTYPE),	    FIELD(HSIZE),     FIELD(HVADDR),
	FIELD(HOVADDR),	  FIELD(SRQST),	    FIELD(SOBJ),      FIELD(IOTYPE),
	FIELD(IOFD),	  FIELD(IONBYTE),   FIELD(IORQST),    FIELD(IOOFD),
	FIELD(IOFSTYPE),  FIELD(IOFNAME),   FIELD(CPRID),     FIELD(PPRID),
	FIELD(PRPC),	  FIELD(TSKID),	    FIELD(PTSKID),    FIELD(RID),
	FIELD(RTYPE),	  FIELD(RVADDR),    FIELD(RCNT),      FIELD(LEAFPC),
	FIELD(DID),	  FIELD(DTYPE),	    FIELD(DLTYPE),    FIELD(DVADDR),
	FIELD(REG0),	  FIELD(REG1),	    FIELD(REG2),      FIELD(REG3),
	FIELD(REG4),	  FIELD(REG5),	    FIELD(REG6),      FIELD(REG7),
	FIELD(REG8),	  FIELD(REG9),	    FIELD(REG10),     FIELD(REG11),
	FIELD(REG12),	  FIELD(REG13),	    FIELD(REG14),     FIELD(REG15),
	FIELD(MPITYPE),	  FIELD(MPIRQST),   FIELD(MPISCOUNT), FIELD(MPISBYTES),
	FIELD(MPIRCOUNT), FIELD(MPIRBYTES), FIELD(MPICOMM),   FIELD(MPIPEER),
	FIELD(MPITAG),	  FIELD(OMPCOUNT),
};

static const char *const type_names[] = {
	[EXPT_INT32] = "INT32",	  [EXPT_UINT32] = "UINT32", [EXPT_INT64] = "INT64",
	[EXPT_UINT64] = "UINT64", [EXPT_STRING] = "STRING", [EXPT_DOUBLE] = "DOUBLE",
	[EXPT_DATE] = "DATE",
};

/* Returns the index of name among names, or count. */
static size_t find_name(const char *const *names, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (xml_is_same(names[i], name))
			break;
	return i;
}

/* ---- profiles ---------------------------------------------------------------------- */

static enum expt_data profile_data(const char *name)
{
	for (size_t i = 0; i < sizeof(profile_names) / sizeof(*profile_names); i++)
		if (xml_is_same(profile_names[i].name, name))
			return profile_names[i].data;
	return EXPT_DATA_COUNT;
}

/* Say which numbers are wrong; they are read when they are asked for. */
static void check_numbers(struct log_reader *reader, const struct xml_element *element)
{
	static const char *const names[] = {
		"ptimer",
		"interval",
		"numstates",
		"threshold",
	};
	int64_t number;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		log_signed(reader, element, names[i], &number);
}

int log_start_profile(struct log_reader *reader, const struct xml_element *element)
{
	const char *name = xml_attribute(element, "name");
	struct expt_profile *profile;

	if (!name) {
		log_damage(reader, "profile without a name");
		return 0;
	}
	profile = array_add(&reader->log->profiles);
	if (!profile)
		return -ENOMEM;
	profile->data = reader->data = profile_data(name);
	profile->name = log_text(reader, name);
	if (!profile->name)
		return -ENOMEM;
	check_numbers(reader, element);
	return log_attributes(reader, element, &profile->attributes,
			      &profile->attribute_count);
}

int log_end_profile(struct log_reader *reader, const char *text)
{
	reader->data = EXPT_DATA_COUNT;
	return 0;
}

/* Packets of counters follow this element, outside the counters' profiles. */
int log_start_profdata(struct log_reader *reader, const struct xml_element *element)
{
	const char *file = xml_attribute(element, "fname");

	if (element->depth == 0 && file)
		reader->data =
			(enum expt_data)find_name(data_files, EXPT_DATA_COUNT, file);
	return 0;
}

/* ---- packets ----------------------------------------------------------------------- */

static enum expt_data data_of_type(uint64_t type)
{
	for (size_t i = 0; i < sizeof(packet_data) / sizeof(*packet_data); i++)
		if (packet_data[i].type == type)
			return packet_data[i].data;
	return EXPT_DATA_COUNT;
}

int log_start_profpckt(struct log_reader *reader, const struct xml_element *element)
{
	const char *title = xml_attribute(element, "uname");
	enum expt_data data = reader->data;
	uint64_t type;

	reader->is_in_packet = false;
	if (!log_number(reader, element, "kind", &type) || type > UINT16_MAX) {
		log_damage(reader, "packet without a valid kind");
		return 0;
	}
	if (data == EXPT_DATA_COUNT)
		data = data_of_type(type);
	reader->packet = (struct expt_packet_declaration){
		.data = data,
		.type = (uint32_t)type,
		.title = log_text(reader, title ? title : ""),
	};
	if (!reader->packet.title)
		return -ENOMEM;
	reader->fields.count = 0;
	reader->is_in_packet = true;
	return 0;
}

int log_end_profpckt(struct log_reader *reader, const char *text)
{
	struct expt_packet_declaration *new = &reader->packet;
	size_t size = reader->fields.count * sizeof(*reader->fields.items);
	struct expt_field_declaration *fields;

	if (!reader->is_in_packet)
		return 0;
	reader->is_in_packet = false;
	if (log_declaration(reader->log, new->data, new->type)) {
		log_damage(reader, "packets of kind %u are declared twice", new->type);
		return 0;
	}
	if (reader->log->declarations.count == DECLARATIONS_MAX) {
		log_damage(reader, "too many kinds of packets");
		return 0;
	}
	fields = arena_alloc(&reader->log->strings, size);
	if (!fields)
		return -ENOMEM;
	if (size)
		memcpy(fields, reader->fields.items, size);
	new->fields = fields;
	new->field_count = reader->fields.count;
	log_place_fields(new);
	new = array_add(&reader->log->declarations);
	if (!new)
		return -ENOMEM;
	*new = reader->packet;
	return 0;
}

/* ---- fields ------------------------------------------------------------------------ */

static bool is_declared(const struct log_reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->fields.count; i++)
		if (xml_is_same(reader->fields.items[i].name, name))
			return true;
	return false;
}

/* Returns what is wrong with the field, or NULL with offset and type set. */
static const char *check_field(struct log_reader *reader,
			       const struct xml_element *element,
			       struct expt_field_declaration *field)
{
	const char *name = xml_attribute(element, "name");
	const char *offset = xml_attribute(element, "offset");
	const char *type = xml_attribute(element, "type");
	uint64_t number;
	size_t index;

	if (!name || !*name)
		return "no name";
	if (!offset || !number_u64(&number, offset) || number > OFFSET_MAX)
		return "no valid offset";
	index = type ? find_name(type_names, EXPT_DATE + 1, type) : EXPT_DATE + 1;
	if (index > EXPT_DATE)
		return "no known type";
	if (is_declared(reader, name))
		return "declared twice";
	if (reader->fields.count == FIELDS_MAX)
		return "too many fields";
	field->offset = (uint32_t)number;
	field->type = (enum expt_field_type)index;
	return NULL;
}

int log_start_field(struct log_reader *reader, const struct xml_element *element)
{
	const char *name = xml_attribute(element, "name");
	const char *title = xml_attribute(element, "uname");
	const char *hidden = xml_attribute(element, "noshow");
	struct expt_field_declaration field = { 0 }, *new;
	const char *problem;

	if (!reader->is_in_packet) {
		log_damage(reader, "field outside of a packet");
		return 0;
	}
	problem = check_field(reader, element, &field);
	if (problem) {
		log_damage(reader, "field '%.40s': %s", name ? name : "", problem);
		return 0;
	}
	field.field = (enum expt_field)find_name(field_names, EXPT_FIELD_COUNT, name);
	field.name = log_text(reader, name);
	field.title = log_text(reader, title ? title : name);
	field.is_hidden = hidden && strcmp(hidden, "0") != 0;
	new = array_add(&reader->fields);
	if (!new || !field.name || !field.title)
		return -ENOMEM;
	*new = field;
	return 0;
}

/* ---- lookup ------------------------------------------------------------------------ */

void log_place_fields(struct expt_packet_declaration *declaration)
{
	memset(declaration->places, 0, sizeof(declaration->places));
	for (size_t i = 0; i < declaration->field_count && i < UINT8_MAX; i++) {
		enum expt_field field = declaration->fields[i].field;

		if (field < EXPT_FIELD_COUNT && !declaration->places[field])
			declaration->places[field] = (uint8_t)(i + 1);
	}
}

const struct expt_packet_declaration *log_declaration(const struct expt_log *log,
						      enum expt_data data, uint32_t type)
{
	for (size_t i = 0; i < log->declarations.count; i++)
		if (log->declarations.items[i].data == data &&
		    log->declarations.items[i].type == type)
			return &log->declarations.items[i];
	return NULL;
}

const char *expt_data_name(enum expt_data data)
{
	return data_files[data];
}

const char *expt_frames_name(void)
{
	return FRAMEINFO_FILE;
}

size_t expt_profile_count(const struct expt *expt)
{
	return expt->log->profiles.count;
}

const struct expt_profile *expt_profile(const struct expt *expt, size_t i)
{
	return &expt->log->profiles.items[i];
}

void log_note_data(struct expt_log *log)
{
	static_assert(EXPT_DATA_COUNT < 32, "a bit for each");
	log->data = 0;
	for (size_t i = 0; i < log->profiles.count; i++)
		log->data |= UINT32_C(1) << log->profiles.items[i].data;
	for (size_t i = 0; i < log->declarations.count; i++)
		log->data |= UINT32_C(1) << log->declarations.items[i].data;
}

bool expt_has_data(const struct expt *expt, enum expt_data data)
{
	return expt->log->data >> data & 1;
}

/* Returns a number in the element that declares clock profiling; 0 without it. */
static uint64_t clock_number(const struct expt *expt, const char *name)
{
	uint64_t value = 0;

	for (size_t i = 0; i < expt_profile_count(expt); i++) {
		const struct expt_profile *profile = expt_profile(expt, i);

		for (size_t j = 0;
		     profile->data == EXPT_CLOCK && j < profile->attribute_count; j++)
			if (strcmp(profile->attributes[j].name, name) == 0 &&
			    number_u64(&value, profile->attributes[j].value))
				return value;
	}
	return 0;
}

uint64_t expt_clock_period_us(const struct expt *expt)
{
	return clock_number(expt, "ptimer");
}

uint64_t expt_clock_interval_us(const struct expt *expt)
{
	uint64_t interval = clock_number(expt, "interval");

	return interval > 0 ? interval : expt_clock_period_us(expt);
}

int64_t expt_clock_states(const struct expt *expt)
{
	uint64_t states = clock_number(expt, "numstates");

	return states <= INT64_MAX ? (int64_t)states : 0;
}
