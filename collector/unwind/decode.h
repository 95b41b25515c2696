/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of instructions, as far as the walk over code without unwind data needs it. */
#ifndef COLLECTOR_UNWIND_DECODE_H
#define COLLECTOR_UNWIND_DECODE_H

#include <stdbool.h>
#include <stdint.h>

/* The table that an opcode belongs to. Vector instructions never belong to the first. */
enum opcode_map { MAP_ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A, MAP_VECTOR };

/* The numbers of registers in instructions. */
enum { NUMBER_OF_SP = 4, NUMBER_OF_BP = 5 };

enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };

struct instruction {
	unsigned length;
	uint8_t map, opcode;
	uint8_t rex; /* the whole prefix; 0: there is none */
	bool has_modrm, is_16_bit;
	uint8_t modrm, sib;
	int32_t displacement, immediate; /* the low half of a 64-bit immediate */
};

/* False: the instruction is unknown, does not end before end, or cannot be read. Rarely
 * called, and small rather than fast. */
bool decode_instruction(struct instruction *instruction, uintptr_t pc, uintptr_t end)
	__attribute__((cold));

/* Is the operand in memory at the displacement from this register, sp or bp? */
bool has_memory_at(const struct instruction *instruction, unsigned number);
/* The target is the address after the jump plus its immediate. */
bool is_conditional_jump(const struct instruction *instruction);
bool is_jump(const struct instruction *instruction);

static inline unsigned modrm_mode(const struct instruction *instruction)
{
	return instruction->modrm >> 6;
}

/* The field that contains a register, or more of the opcode. */
static inline unsigned modrm_field(const struct instruction *instruction)
{
	return instruction->modrm >> 3 & 7;
}

static inline unsigned modrm_register(const struct instruction *instruction)
{
	return modrm_field(instruction) | (instruction->rex & REX_R ? 8 : 0);
}

/* The other operand if it is a register: modrm_mode() is 3. */
static inline unsigned modrm_operand(const struct instruction *instruction)
{
	return (instruction->modrm & 7) | (instruction->rex & REX_B ? 8 : 0);
}

#endif
