/* SPDX-License-Identifier: Apache-2.0 */
/* Event packets and their call stacks. */
/* clang-format off */
#ifndef LIBEXPT_API_RECORDS_H
#define LIBEXPT_API_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/log.h"

EXPT_DECLARATIONS_BEGIN

struct expt_records;			/* an iterator over event packets */

/* ---- event records ----------------------------------------------------------------- */

/* Properties of packets that have a meaning to readers. */
enum expt_field {
	EXPT_LWPID, EXPT_THRID, EXPT_CPUID, EXPT_TSTAMP, EXPT_FRINFO,
	EXPT_MSTATE, EXPT_NTICK,
	EXPT_HWCTAG, EXPT_HWCINT, EXPT_VADDR, EXPT_VIRTPC, EXPT_PADDR, EXPT_PHYSPC,
	EXPT_HTYPE, EXPT_HSIZE, EXPT_HVADDR, EXPT_HOVADDR,
	EXPT_SRQST, EXPT_SOBJ,
	EXPT_IOTYPE, EXPT_IOFD, EXPT_IONBYTE, EXPT_IORQST, EXPT_IOOFD, EXPT_IOFSTYPE,
	EXPT_IOFNAME,
	EXPT_MPITYPE, EXPT_MPIRQST, EXPT_MPISCOUNT, EXPT_MPISBYTES, EXPT_MPIRCOUNT,
	EXPT_MPIRBYTES, EXPT_MPICOMM, EXPT_MPIPEER, EXPT_MPITAG,
	EXPT_CPRID, EXPT_PPRID, EXPT_PRPC, EXPT_TSKID, EXPT_PTSKID, EXPT_OMPCOUNT,
	EXPT_RID, EXPT_RTYPE, EXPT_RVADDR, EXPT_RCNT, EXPT_LEAFPC,
	EXPT_DID, EXPT_DTYPE, EXPT_DLTYPE, EXPT_DVADDR,
	/* the registers of an event with an address, numbered as in DWARF */
	EXPT_REG0, EXPT_REG1, EXPT_REG2, EXPT_REG3, EXPT_REG4, EXPT_REG5, EXPT_REG6,
	EXPT_REG7, EXPT_REG8, EXPT_REG9, EXPT_REG10, EXPT_REG11, EXPT_REG12, EXPT_REG13,
	EXPT_REG14, EXPT_REG15,
	EXPT_FIELD_COUNT,
};

enum expt_field_type {
	EXPT_INT32, EXPT_UINT32, EXPT_INT64, EXPT_UINT64, EXPT_STRING, EXPT_DOUBLE,
	EXPT_DATE,
};

/* A field as declared in the log; field is EXPT_FIELD_COUNT for unknown names. */
struct expt_field_declaration {
	enum expt_field field;
	enum expt_field_type type;
	const char *name, *title;
	uint32_t offset;		/* in the packet */
	bool is_hidden;
};

/* A packet kind as declared. */
struct expt_packet_declaration {
	enum expt_data data;
	uint32_t type;			/* the packet's type number */
	const char *title;		/* "Clock profiling data" */
	const struct expt_field_declaration *fields;
	size_t field_count;
	/* 1 + the field's place in fields; 0: not declared */
	uint8_t places[EXPT_FIELD_COUNT];
};

struct expt_record {
	uint64_t time_ns;		/* since the start of the experiment */
	uint64_t thread, lwp;
	uint32_t cpu;
	uint64_t stack;			/* for expt_stack(); 0: none */
	const struct expt_packet_declaration *declaration;
	const unsigned char *packet;	/* valid until the next call */
	uint32_t size;			/* of the packet, in bytes */
	uint64_t offset;		/* of the packet in its file */
};

/* Records of one kind in file order (threads interleave): 1 and *record filled, 0 at the
 * end, negative on error. Packets of undeclared types are skipped by their size; a field
 * that does not fit its packet counts as absent. Damaged parts are skipped and listed by
 * expt_damage(). */
int expt_records_open(struct expt_records **out, struct expt *expt, enum expt_data data,
		      struct expt_error *err);
/* Call before the first expt_records_next(): records then come in the order of time, and
 * those of one time in file order. The file is read twice. */
int expt_records_order(struct expt_records *records, struct expt_error *err);
int expt_records_next(struct expt_records *records, struct expt_record *record,
		      struct expt_error *err);
void expt_records_close(struct expt_records *records);

/* A numeric field; false if it is not declared or does not fit the packet. UINT64 values
 * come through unchanged in the bits. */
bool expt_record_value(const struct expt_record *record, enum expt_field field,
		       int64_t *value);
bool expt_record_field(const struct expt_record *record,
		       const struct expt_field_declaration *declaration, int64_t *value);
/* A STRING field, not NUL-terminated: its length, and *text set; 0 if absent. */
size_t expt_record_text(const struct expt_record *record,
			const struct expt_field_declaration *declaration,
			const char **text);

/* ---- packets of a file ------------------------------------------------------------- */

/* A table of how many packets of each type data files hold, declared or not, and how many
 * bytes they have. */
struct expt_packet_counts;
struct expt_packet_count {
	uint32_t type;
	const char *name;		/* "clock", "heap", "frame" ... or "unknown" */
	uint64_t packets, bytes;
};
struct expt_packet_counts *expt_packet_counts_new(void);	/* NULL: out of memory */
void expt_packet_counts_free(struct expt_packet_counts *counts);
/* Add the packets of a file to the table. counts may be NULL: the file is only read,
 * which finds its damage. Returns 0 also if there is no such file. */
int expt_packet_counts_add(struct expt_packet_counts *counts, struct expt *expt,
			   const char *file, struct expt_error *err);
size_t expt_packet_counts_count(const struct expt_packet_counts *counts);
/* In the order of their types. */
const struct expt_packet_count *
expt_packet_counts_entry(const struct expt_packet_counts *counts, size_t i);

/* ---- call stacks ------------------------------------------------------------------- */

enum expt_stack_end { EXPT_STACK_WHOLE, EXPT_STACK_TRUNCATED, EXPT_STACK_FAILED };

struct expt_stack {
	const uint64_t *pcs;		/* leaf first; markers are not among them */
	size_t count;
	enum expt_stack_end end;
	uint32_t index;			/* small and dense, for tables of results */
};

/* The native stack with this uid, links followed. 1, or 0 if the uid is unknown: *stack
 * is then empty with index EXPT_STACK_NONE. Reads data.frameinfo at the first call. */
#define EXPT_STACK_NONE UINT32_MAX
int expt_stack(struct expt *expt, uint64_t uid, struct expt_stack *stack,
	       struct expt_error *err);
size_t expt_stack_limit(const struct expt *expt);	/* indexes are below this */

/* The Java stack that was recorded with the native one. 1, or 0 if there is none. */
struct expt_java_frame {
	int64_t bci;			/* in the method, or a negative code */
	uint64_t method;		/* its id; 0: none, and bci is an error number */
};
#define EXPT_JAVA_NATIVE (-3)		/* bci of a method in native code */

struct expt_java_stack {
	const struct expt_java_frame *frames;	/* leaf first */
	size_t count;
	enum expt_stack_end end;
};
int expt_java_stack(struct expt *expt, uint64_t uid, struct expt_java_stack *stack,
		    struct expt_error *err);

/* The state of OpenMP that was recorded with the stack, and maybe the stack as the user
 * knows it, without the runtime library. 1, or 0 if there is none. */
struct expt_omp_stack {
	uint32_t state;			/* enum expt_omp_state, or another number */
	bool has_user;
	const uint64_t *pcs;		/* leaf first */
	size_t count;
	enum expt_stack_end end;
};
int expt_omp_stack(struct expt *expt, uint64_t uid, struct expt_omp_stack *stack,
		   struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
