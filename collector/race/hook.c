/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/race/hook.h"

#include <stddef.h>
#include <stdint.h>

#include "collector/base/system.h"

#define ROOM	  16 /* of a function of one instruction, up to the next one */
#define JUMP_SIZE 14
#define PAGE	  4096

/* jmp *0(%rip), and the address */
static const uint8_t jump[] = { 0xff, 0x25, 0, 0, 0, 0 };
static const uint8_t landing[] = { 0xf3, 0x0f, 0x1e, 0xfa };
#define RETURN 0xc3

/* Bytes of the instructions that compilers put between functions: nop, with prefixes, and
 * int3 */
static bool is_padding(uint8_t byte)
{
	static const uint8_t bytes[] = { 0x00, 0x0f, 0x1f, 0x2e, 0x40, 0x44,
					 0x66, 0x80, 0x84, 0x90, 0xcc };

	for (size_t i = 0; i < sizeof(bytes); i++)
		if (bytes[i] == byte)
			return true;
	return false;
}

static bool is_empty(const uint8_t *code)
{
	size_t i = 0;

	if ((uintptr_t)code % ROOM != 0)
		return false;
	while (i < sizeof(landing) && code[i] == landing[i])
		i++;
	if ((i != 0 && i != sizeof(landing)) || code[i] != RETURN)
		return false;
	while (++i < ROOM)
		if (!is_padding(code[i]))
			return false;
	return true;
}

bool hook_replace(void *empty, void (*function)(void *))
{
	uintptr_t page = (uintptr_t)empty & -(uintptr_t)PAGE;
	uint8_t *code = empty;
	uintptr_t address = (uintptr_t)function;

	if (!is_empty(code) ||
	    sys_mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
		return false;
	copy_bytes(code, jump, sizeof(jump));
	copy_bytes(code + sizeof(jump), &address, sizeof(address));
	sys_mprotect((void *)page, PAGE, PROT_READ | PROT_EXEC);
	return true;
}
