/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program tells which objects are where in its memory, and what their members are, in
 * tables that tests/libexpt/programs/step reads while it steps the program. The truth is
 * of sizeof and offsetof, never of debug data: truth.c is compiled without any.
 *
 * Names of aggregates are tags, without name spaces and arguments of templates; those of
 * scalars have no blanks: "long_int"; all pointers are "pointer". "foo|foo_t" is a type
 * with two names. No other variable that exists at the same time has the name of one that
 * is told, unless it is a pointer.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRUTH_NAME    64
#define TRUTH_OBJECTS 4096
#define TRUTH_MEMBERS 512

struct truth_object {
	uint64_t address, size;	   /* a size of 0: the slot is free */
	char variable[TRUTH_NAME]; /* "": the object has no name, as on the heap */
	char type[TRUTH_NAME];
};

struct truth_member {
	uint64_t offset, size; /* a size of 0: up to the end of the object */
	uint64_t is_bits;
	char owner[TRUTH_NAME]; /* the type of which it is a member */
	char name[TRUTH_NAME];	/* "-": a base class; "": the type itself */
	char type[TRUTH_NAME];	/* "": it is not an aggregate */
};

struct truth_tables {
	uint64_t object_count, member_count; /* slots in use; objects may leave gaps */
	uint64_t is_complete;
	struct truth_object objects[TRUTH_OBJECTS];
	struct truth_member members[TRUTH_MEMBERS];
};

/* An aggregate. Without members, only its name is known. */
void truth_type(const char *type, size_t size);
/* A member of a type. Its type is NULL unless it is an aggregate, or an array of these. A
 * size of 0: an array up to the end of the object. */
void truth_member(const char *owner, const char *name, size_t offset, size_t size,
		  const char *type);
/* A bit-field, in these bytes. */
void truth_bits(const char *owner, const char *name, size_t offset, size_t size);
/* A block without a name: one object of the type, or an array of them. */
void truth_block(const void *pointer, size_t size, const char *type);
/* A variable: global, or on the stack until truth_forget(). */
void truth_object(const void *pointer, size_t size, const char *variable,
		  const char *type);
/* The object at the pointer is about to end. */
void truth_forget(const void *pointer);
/* All objects of the types are told, but for those on the stack. */
void truth_complete(void);
/* Between these the program is stepped. */
void truth_begin(void);
void truth_end(void);

#ifdef __cplusplus
}
#endif

#define TRUTH_SIZE(type, member) sizeof(((type *)0)->member)

/* The members of a type with one name: scalars, and arrays of these; aggregates of a
 * type; members of a part whose type has no tag; an array of a type, or of scalars
 * (NULL), at the end; bit-fields. */
#define TRUTH_MEMBER(owner, type, member) TRUTH_PART(owner, type, member, NULL)
#define TRUTH_PART(owner, type, member, part)                                          \
	truth_member(owner, #member, offsetof(type, member), TRUTH_SIZE(type, member), \
		     part)
#define TRUTH_NESTED(owner, type, part, member)                                          \
	truth_member(owner, #member, offsetof(type, part.member) - offsetof(type, part), \
		     TRUTH_SIZE(type, part.member), NULL)
#define TRUTH_REST(owner, type, member, part) \
	truth_member(owner, #member, offsetof(type, member), 0, part)
#define TRUTH_BITS(owner, type, member)                                 \
	do {                                                            \
		type value_;                                            \
		unsigned char bytes_[sizeof(type)];                     \
		size_t first_ = 0, last_ = sizeof(type) - 1;            \
                                                                        \
		memset(&value_, 0, sizeof(value_));                     \
		value_.member--;                                        \
		memcpy(bytes_, &value_, sizeof(value_));                \
		while (first_ < last_ && !bytes_[first_])               \
			first_++;                                       \
		while (last_ > first_ && !bytes_[last_])                \
			last_--;                                        \
		truth_bits(owner, #member, first_, last_ - first_ + 1); \
	} while (0)

#endif
