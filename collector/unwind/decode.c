/* SPDX-License-Identifier: Apache-2.0 */
/* Length and parts of instructions. The tables have a character for each opcode. */

#include "collector/unwind/decode.h"

#include "collector/unwind/cursor.h"

#define PREFIXES_LIMIT 8
#define NO_INDEX_ONLY  0x24 /* of a SIB byte whose base is sp */

/*
 * - unknown		. no operand		m an operand in memory or a register
 * b a byte follows	w two bytes		d four bytes
 * z four, or two	i four, two or eight	e three
 * M m and b		Z m and z		g m, and where it is a test, b or z
 */
static const char one_byte_forms[256] = "mmmmbz--mmmmbz--" /* 00 */
					"mmmmbz--mmmmbz--"
					"mmmmbz--mmmmbz--"
					"mmmmbz--mmmmbz--"
					"----------------" /* 40 */
					"................"
					"---m----zZbM...."
					"bbbbbbbbbbbbbbbb"
					"MZ-Mmmmmmmmmmmmm" /* 80 */
					"..........-....."
					"----....bz......"
					"bbbbbbbbiiiiiiii"
					"MMw.--MZe.w..b-." /* c0 */
					"mmmm---.mmmmmmmm"
					"bbbbbbbbdd-b...."
					"-.--..gg......mm";

static const char two_byte_forms[256] = "mmmm-.....-.-m.-" /* 00 */
					"mmmmmmmmmmmmmmmm"
					"mmmm----mmmmmmmm"
					"......-.--------"
					"mmmmmmmmmmmmmmmm" /* 40 */
					"mmmmmmmmmmmmmmmm"
					"mmmmmmmmmmmmmmmm"
					"MMMMmmm.mm--mmmm"
					"dddddddddddddddd" /* 80 */
					"mmmmmmmmmmmmmmmm"
					"...mMm--...mMmmm"
					"mmmmmmmmmmMmmmmm"
					"mmMmMMMm........" /* c0 */
					"mmmmmmmmmmmmmmmm"
					"mmmmmmmmmmmmmmmm"
					"mmmmmmmmmmmmmmmm";

static bool is_prefix(uint8_t byte)
{
	return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 ||
	       byte == 0xf3 || byte == 0x2e || byte == 0x36 || byte == 0x3e ||
	       byte == 0x26 || byte == 0x64 || byte == 0x65;
}

/* Returns the first byte after the prefixes: of the opcode, or of a vector prefix. */
static uint8_t read_prefixes(struct instruction *instruction, struct cursor *cursor)
{
	uint8_t byte = read_u8(cursor);

	for (unsigned i = 0; i < PREFIXES_LIMIT && is_prefix(byte); i++) {
		instruction->is_16_bit |= byte == 0x66;
		byte = read_u8(cursor);
	}
	if (byte >> 4 == 4) {
		instruction->rex = byte;
		byte = read_u8(cursor);
	}
	return byte;
}

/* Read the rest of a VEX prefix of two or three bytes or of an EVEX prefix of four, and
 * the opcode. The form is that of the opcode without such a prefix, if it exists. */
static char read_vector_form(struct instruction *instruction, struct cursor *cursor,
			     uint8_t prefix)
{
	unsigned map = prefix == 0xc5 ? MAP_0F
				      : read_u8(cursor) & (prefix == 0x62 ? 7 : 31);
	char form;

	cursor_skip(cursor, prefix == 0x62 ? 2 : 1);
	instruction->map = MAP_VECTOR;
	instruction->opcode = read_u8(cursor);
	form = two_byte_forms[instruction->opcode];
	if (map == MAP_0F)
		return form == 'M' || instruction->opcode == 0x77 ? form : 'm';
	if (map == 0 || map == 4 || map > 6)
		return '-';
	return map == MAP_0F3A ? 'M' : 'm';
}

static char read_form(struct instruction *instruction, struct cursor *cursor)
{
	uint8_t byte = read_prefixes(instruction, cursor);

	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
		return read_vector_form(instruction, cursor, byte);
	instruction->opcode = byte;
	if (byte != 0x0f)
		return one_byte_forms[byte];
	instruction->opcode = byte = read_u8(cursor);
	instruction->map = byte == 0x38 ? MAP_0F38 : byte == 0x3a ? MAP_0F3A : MAP_0F;
	if (instruction->map == MAP_0F)
		return two_byte_forms[byte];
	instruction->opcode = read_u8(cursor);
	return instruction->map == MAP_0F3A ? 'M' : 'm';
}

static void read_modrm(struct instruction *instruction, struct cursor *cursor)
{
	unsigned mode, operand;

	instruction->has_modrm = true;
	instruction->modrm = read_u8(cursor);
	mode = modrm_mode(instruction);
	operand = instruction->modrm & 7;
	if (mode != 3 && operand == 4) {
		instruction->sib = read_u8(cursor);
		operand = instruction->sib & 7;
	}
	if (mode == 1)
		instruction->displacement = (int8_t)read_u8(cursor);
	else if (mode == 2 || (mode == 0 && operand == 5))
		instruction->displacement = (int32_t)read_u32(cursor);
}

static void read_word(struct instruction *instruction, struct cursor *cursor)
{
	if (instruction->is_16_bit)
		instruction->immediate = (int16_t)read_u16(cursor);
	else
		instruction->immediate = (int32_t)read_u32(cursor);
}

static void read_immediate(struct instruction *instruction, struct cursor *cursor,
			   char form)
{
	bool is_test = form == 'g' && modrm_field(instruction) < 2;

	if (form == 'b' || form == 'M' || (is_test && instruction->opcode == 0xf6))
		instruction->immediate = (int8_t)read_u8(cursor);
	else if (form == 'z' || form == 'Z' || is_test)
		read_word(instruction, cursor);
	else if (form == 'd')
		instruction->immediate = (int32_t)read_u32(cursor);
	else if (form == 'w' || form == 'e')
		cursor_skip(cursor, form == 'w' ? 2 : 3);
	else if (form == 'i' && instruction->rex & REX_W)
		cursor_skip(cursor, 8);
	else if (form == 'i')
		read_word(instruction, cursor);
}

bool decode_instruction(struct instruction *instruction, uintptr_t pc, uintptr_t end)
{
	struct cursor cursor = { .at = pc, .end = end };
	char form;

	*instruction = (struct instruction){ 0 };
	form = read_form(instruction, &cursor);
	if (form == '-')
		return false;
	if (form == 'm' || form == 'M' || form == 'Z' || form == 'g')
		read_modrm(instruction, &cursor);
	read_immediate(instruction, &cursor, form);
	instruction->length = (unsigned)(cursor.at - pc);
	return !cursor.failed;
}

bool has_memory_at(const struct instruction *at, unsigned number)
{
	if (modrm_mode(at) == 3 || at->rex & (REX_B | REX_X))
		return false;
	if (number == NUMBER_OF_SP)
		return (at->modrm & 7) == 4 && at->sib == NO_INDEX_ONLY;
	return (at->modrm & 7) == number && modrm_mode(at) != 0;
}

bool is_conditional_jump(const struct instruction *at)
{
	return (at->map == MAP_ONE_BYTE &&
		(at->opcode >> 4 == 7 || (at->opcode >= 0xe0 && at->opcode <= 0xe3))) ||
	       (at->map == MAP_0F && at->opcode >> 4 == 8);
}

bool is_jump(const struct instruction *at)
{
	return at->map == MAP_ONE_BYTE && (at->opcode == 0xe9 || at->opcode == 0xeb);
}
