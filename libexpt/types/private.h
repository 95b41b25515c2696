/* SPDX-License-Identifier: Apache-2.0 */
/* Types as the files of this folder share them. */
#ifndef LIBEXPT_TYPES_PRIVATE_H
#define LIBEXPT_TYPES_PRIVATE_H

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/elf/got.h"
#include "libexpt/types/members.h"

struct type_record {
	struct type type;
	struct dwarf_unit *unit; /* where its members are: the entry of an aggregate */
	uint64_t offset;
	bool has_members; /* they were read */
	bool has_moving;  /* see members.h */
	struct type_member *members;
	size_t count;
};

/* An entry that was asked for, and its record. */
struct type_entry {
	const struct dwarf_file *file;
	uint64_t offset;
	uint32_t record; /* IDMAP_NONE: it cannot be read, or is being read */
};

struct types {
	struct dwarf *dwarf;
	struct arena arena;
	uint64_t spent;	   /* see open.h */
	size_t names_size; /* bytes of names that are kept */
	size_t member_count;
	unsigned bases; /* base classes that are being read, one in another */
	struct {
		struct type_record **items;
		size_t count, capacity;
	} records;
	struct {
		struct type_entry *items;
		size_t count, capacity;
	} entries;
	struct idmap by_entry, by_name; /* indexes of entries and records */
	struct {
		struct unit_scopes *items;
		size_t count, capacity;
	} scopes;
	struct idmap by_unit; /* indexes of scopes */
	struct {
		struct callee **items;
		size_t count, capacity;
	} callees;
	struct idmap by_function; /* their address: indexes of callees */
	struct elf_got got;	  /* read at the first call through it */
	bool has_got;
};

/* type.c: as type_of(), after so many steps from type to type. */
const struct type *type_of_depth(struct types *types, const struct detail *detail,
				 unsigned steps);

#endif
