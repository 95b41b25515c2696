/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experiments on disk: opening and reading them, and archiving, copying, moving, removing and
 * bundling them. This is the one header that programs include, values.h comes with it; libexpt(3)
 * is its manual and expt(5) describes the files.
 *
 * The library prints nothing, never exits, starts no shell, and keeps no global state: several
 * experiments can be open at once, in several threads; one handle belongs to one thread at a time.
 *
 * Functions that can fail return 0, or a count, or a negative errno value, and then describe the
 * failure in *err. A pointer that is *returned* is borrowed and lives as long as its parent; one
 * handed out through **out is the caller's. *out is written on success only. Every close and free
 * takes NULL.
 */
/* clang-format off */
#ifndef LIBEXPT_EXPT_H
#define LIBEXPT_EXPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The library is built with hidden visibility: what stands here is what it exports. */
#pragma GCC visibility push(default)

struct expt;				/* an open experiment, founder or descendant */
struct expt_group;			/* the members of a group file */
struct expt_records;			/* an iterator over event packets */
struct expt_classes;			/* and over Java classes */
struct expt_object;			/* a load object: program, library, dynamic code */
struct expt_function;
struct expt_report;			/* what an operation did to each file */
struct expt_bundle;			/* an exported experiment, being read */
struct expt_import_options;		/* limits of what is read of one, and more */

/* What went wrong, in words ready to print after "er_cp: ". Set on failure only. The caller
 * provides the struct, or passes NULL; nothing in it is allocated. */
struct expt_error {
	int code;			/* 0, or a negative errno value */
	char message[1024];		/* "cannot open 'test.1.er': Permission denied" */
};

/* ---- names (name.c, inside.c) ------------------------------------------------------ */

/* The name rule: the last component, trailing slashes ignored, ends in ".er" behind something. */
bool expt_name_is_experiment(const char *path);
bool expt_name_is_group(const char *path);		/* ".erg" */

/* The order of descendants: digit runs compare as numbers, so _f2 stands before _f10. */
int expt_name_compare(const char *a, const char *b);

/* Whether the directory (a descriptor) is an experiment or lies in one: nothing but a recorder may
 * make files there. */
bool expt_directory_is_inside(int dir);

/* The next free name of the form STEM.N.er in the directory dir (a descriptor): 1 + the largest
 * number in use, whatever kind of file has it; gaps are not filled. wanted is the taken name.
 * -EEXIST: wanted has no number. The name is written to out. */
int expt_name_next(char *out, size_t out_size, int dir, const char *wanted,
		   struct expt_error *err);

/* ---- opening (open.c, expt.c, damage.c, active.c) ---------------------------------- */

/* Open the experiment at path, a founder or a descendant inside its founder, or in a bundle:
 * "runs.tar.zst/test.1.er", or the bundle alone if it holds one experiment. Reads log.xml,
 * warnings.xml and the notes; the rest is read when it is first asked for. -ENOENT: there is none; -ENOTDIR,
 * -EBADMSG: it is no experiment; -ENOTSUP: a format version we do not know; -ELIBACC: libarchive or
 * libcrypto, which bundles need, cannot be loaded. A damaged log is not an error: what could be read is
 * there, and expt_damage() names the place. */
int expt_open(struct expt **out, const char *path, struct expt_error *err);
/* The same. Of the options, which may be NULL, a bundle is read with the limits, threads, stop and
 * progress. */
int expt_open_with(struct expt **out, const char *path,
		   const struct expt_import_options *options, struct expt_error *err);
void expt_close(struct expt *expt);

const char *expt_path(const struct expt *expt);		/* as given to expt_open() */
const char *expt_lineage(const struct expt *expt);	/* "" for a founder, "_f1_x1" */

/* Descendants of a founder, in the order of expt_name_compare(); a descendant has none. An opened
 * descendant is the caller's and must be closed before its founder, with which it shares the load
 * objects. */
size_t expt_descendant_count(const struct expt *founder);
const char *expt_descendant_name(const struct expt *founder, size_t i);	/* "_f1_x1.er" */
int expt_descendant_open(struct expt **out, struct expt *founder, size_t i,
			 struct expt_error *err);

/* Where data was lost, so far: "log.xml:12: ...", "profile: offset 65536: ...". Grows while records,
 * stacks and maps are read; of more than a hundred places the last text is how many more there are. Zero
 * tails and unclosed logs are normal and not listed. */
size_t expt_damage_count(const struct expt *expt);
const char *expt_damage(const struct expt *expt, size_t i);

/* Still being recorded: the log does not end and its process is alive on this host. */
bool expt_is_active(const struct expt *expt);

/* ---- groups (group.c, group_*.c) --------------------------------------------------- */

/* Names are taken relative to the group file's directory and, if not found there, to the current
 * directory. -EBADMSG: the first line is not a group's, or a member is a group itself. */
int expt_group_open(struct expt_group **out, const char *path, struct expt_error *err);
/* What else is read as a group: a bundle, or somebody's own tarball, with what it holds. That is what a
 * regular file is taken for if its name is not a group's. The options are as in expt_open_with().
 * -EBADMSG: it is none. */
bool expt_is_bundle(const char *path);
int expt_group_open_bundle(struct expt_group **out, const char *path,
			   const struct expt_import_options *options,
			   struct expt_error *err);
void expt_group_close(struct expt_group *group);
size_t expt_group_count(const struct expt_group *group);
const char *expt_group_member(const struct expt_group *group, size_t i);	/* resolved path */
/* The same member as expt_open() opens by its path, but a bundle is not opened again for it. It may be
 * closed after the group. */
int expt_group_member_open(struct expt **out, struct expt_group *group, size_t i,
			   struct expt_error *err);
/* Append a member, creating the group if there is none, under the file's lock. */
int expt_group_add(const char *path, const char *member, struct expt_error *err);
/* Write the group to path with other names, one for each member; NULL keeps the old. Remarks stay. The
 * file appears there whole or not at all. -EEXIST: the name is taken, and replace is false. */
int expt_group_write(const struct expt_group *group, const char *const *names, const char *path,
		     bool replace, struct expt_error *err);
/* In the group at path, name the experiment that was at from, and is gone from there, by its new path
 * to: under the group's lock, and at once. Returns how many lines had named it. */
int expt_group_rename(const char *path, const char *from, const char *to,
		      struct expt_error *err);
/* Remove the file of a group, but not where it has other members by now: -EBUSY. */
int expt_group_remove(const struct expt_group *group, struct expt_error *err);

/* ---- what the log says (log.c, log_events.c, message.c) ---------------------------- */

/* Where the log has nothing, texts are "" and numbers 0. */
struct expt_info {
	const char *version;		/* of the format: "12.4"; "" if the log has none */
	const char *collector;		/* who recorded */
	const char *host, *arch, *os;
	uint64_t page_size, pages;	/* of the machine's memory; in bytes, and how many */
	uint32_t cpu_count, clock_min_mhz, clock_max_mhz;
	int64_t pid, ppid, pgrp, sid;
	uint32_t word_bits;		/* 64 or 32 */
	const char *directory, *command;
	bool has_run;			/* there is a run event: the target was started */
	bool is_closed;			/* ended normally, or by exec */
	int64_t started_at;		/* seconds since the epoch, UTC */
	uint64_t start_ns;		/* zero of all times below, on the recording clock */
	uint64_t end_ns;		/* of the last thing known, since the start */
};

const struct expt_info *expt_info(const struct expt *expt);

/* A name and a value, as the log has them: settings, attributes of data kinds. */
struct expt_attribute {
	const char *name, *value;
};

size_t expt_setting_count(const struct expt *expt);
const struct expt_attribute *expt_setting(const struct expt *expt, size_t i);

enum expt_event_kind {
	EXPT_EVENT_RUN, EXPT_EVENT_SAMPLE, EXPT_EVENT_EXIT, EXPT_EVENT_PAUSE, EXPT_EVENT_RESUME,
	EXPT_EVENT_THREAD_PAUSE, EXPT_EVENT_THREAD_RESUME,
	EXPT_EVENT_DESC_START, EXPT_EVENT_DESC_STARTED, EXPT_EVENT_EXEC_START,
	EXPT_EVENT_EXEC_ERROR, EXPT_EVENT_ERROR, EXPT_EVENT_WARNING, EXPT_EVENT_COMMENT,
	EXPT_EVENT_JTHREAD_START, EXPT_EVENT_JTHREAD_END, EXPT_EVENT_GC_START,
	EXPT_EVENT_GC_END, EXPT_EVENT_OTHER,
};

struct expt_event {
	enum expt_event_kind kind;
	const char *name;		/* of the kind, as in the log: "cwarn" */
	bool has_time;
	uint64_t time_ns;		/* since the start */
	int64_t id;			/* of messages (enum expt_message) and samples */
	int64_t error_number;		/* ec of errors, or 0 */
	const char *text;		/* of the element, or "" */
	const struct expt_attribute *attributes;	/* all of them, in order */
	size_t attribute_count;
};

size_t expt_event_count(const struct expt *expt);
const struct expt_event *expt_event(const struct expt *expt, size_t i);
const char *expt_event_attribute(const struct expt_event *event, const char *name);	/* or NULL */
/* The meaning of a cerror, cwarn or comment number: "disk full". NULL if unknown. */
const char *expt_message_text(int64_t id);

/* The notes file, or "" if there is none. */
const char *expt_notes(const struct expt *expt);

/* ---- kinds of data (log_packets.c) ------------------------------------------------- */

enum expt_data {
	EXPT_CLOCK, EXPT_HWC, EXPT_HEAP, EXPT_SYNC, EXPT_IO, EXPT_OMP, EXPT_RACE, EXPT_DEADLOCK,
	EXPT_MPI,
	EXPT_DATA_COUNT,
};

const char *expt_data_name(enum expt_data data);	/* its file: "profile" */
const char *expt_frames_name(void);			/* the file of the call stacks */

/* A <profile> element: one per data kind, one per counter for counters. */
struct expt_profile {
	enum expt_data data;		/* EXPT_DATA_COUNT: none of those, see name */
	const char *name;		/* "profile", "heaptrace", "hwcounter" ... */
	const struct expt_attribute *attributes;
	size_t attribute_count;
};

size_t expt_profile_count(const struct expt *expt);
const struct expt_profile *expt_profile(const struct expt *expt, size_t i);
bool expt_has_data(const struct expt *expt, enum expt_data data);	/* declared */
uint64_t expt_clock_period_us(const struct expt *expt);			/* 0 if not declared */
/* How many states of threads the clock's data tells apart (numstates); 0 if not declared. */
int64_t expt_clock_states(const struct expt *expt);

/* ---- event records (records.c) ----------------------------------------------------- */

/* Properties of packets that have a meaning to readers. */
enum expt_field {
	EXPT_LWPID, EXPT_THRID, EXPT_CPUID, EXPT_TSTAMP, EXPT_FRINFO,
	EXPT_MSTATE, EXPT_NTICK,
	EXPT_HWCTAG, EXPT_HWCINT, EXPT_VADDR, EXPT_VIRTPC, EXPT_PADDR, EXPT_PHYSPC,
	EXPT_HTYPE, EXPT_HSIZE, EXPT_HVADDR, EXPT_HOVADDR,
	EXPT_SRQST, EXPT_SOBJ,
	EXPT_IOTYPE, EXPT_IOFD, EXPT_IONBYTE, EXPT_IORQST, EXPT_IOOFD, EXPT_IOFSTYPE, EXPT_IOFNAME,
	EXPT_CPRID, EXPT_PPRID, EXPT_PRPC, EXPT_TSKID, EXPT_PTSKID,
	EXPT_RID, EXPT_RTYPE, EXPT_RVADDR, EXPT_RCNT, EXPT_LEAFPC,
	EXPT_DID, EXPT_DTYPE, EXPT_DLTYPE, EXPT_DVADDR,
	EXPT_FIELD_COUNT,
};

enum expt_field_type {
	EXPT_INT32, EXPT_UINT32, EXPT_INT64, EXPT_UINT64, EXPT_STRING, EXPT_DOUBLE, EXPT_DATE,
};

/* A field as declared in the log; field is EXPT_FIELD_COUNT for names we know nothing of. */
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
	uint8_t places[EXPT_FIELD_COUNT];	/* 1 + the field's place in fields; 0: not declared */
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

/* Records of one kind in file order (threads interleave): 1 and *record filled, 0 at the end,
 * negative on error. Packets of undeclared types are skipped by their size; a field that does not
 * fit its packet counts as absent. What is damaged is skipped and listed by expt_damage(). */
int expt_records_open(struct expt_records **out, struct expt *expt, enum expt_data data,
		      struct expt_error *err);
/* Before the first record is taken: have them in the order of time instead, those of one time in file
 * order. The file is read twice. */
int expt_records_order(struct expt_records *records, struct expt_error *err);
int expt_records_next(struct expt_records *records, struct expt_record *record,
		      struct expt_error *err);
void expt_records_close(struct expt_records *records);

/* A numeric field; false if it is not declared or does not fit the packet. UINT64 values come
 * through unchanged in the bits. */
bool expt_record_value(const struct expt_record *record, enum expt_field field, int64_t *value);
bool expt_record_field(const struct expt_record *record,
		       const struct expt_field_declaration *declaration, int64_t *value);
/* A STRING field, not NUL-terminated: its length, and *text set; 0 if absent. */
size_t expt_record_text(const struct expt_record *record,
			const struct expt_field_declaration *declaration, const char **text);

/* What a Java machine loaded, in file order (classes.c). */
enum expt_class_kind { EXPT_CLASS, EXPT_CLASS_METHOD, EXPT_CLASS_LOCATION };

struct expt_class {
	enum expt_class_kind kind;
	uint64_t class_id, method_id;
	uint64_t time_ns;		/* of a class, since the start of the experiment */
	const char *name, *detail;	/* "Lpkg/Name;" and source file or location; method and
					 * signature. Not NUL-terminated, valid until the next call */
	size_t name_length, detail_length;
};
/* 1 and *next filled, 0 at the end or where there are none, negative on error. */
int expt_classes_open(struct expt_classes **out, struct expt *expt, struct expt_error *err);
int expt_classes_next(struct expt_classes *classes, struct expt_class *next,
		      struct expt_error *err);
void expt_classes_close(struct expt_classes *classes);

/* How many packets of each type a data file holds, declared or not, and how many bytes they are. Adds to
 * the counts, which are all zero at first; 0, also where there is no such file. */
struct expt_packet_count {
	uint32_t type;
	const char *name;		/* "clock", "heap", "frame" ... or "unknown" */
	uint64_t packets, bytes;
};
struct expt_packet_counts {
	struct expt_packet_count *items;	/* by type */
	size_t count, capacity;
};
int expt_count_packets(struct expt_packet_counts *counts, struct expt *expt, const char *file,
		       struct expt_error *err);
void expt_packet_counts_release(struct expt_packet_counts *counts);

/* ---- call stacks (stack.c) --------------------------------------------------------- */

enum expt_stack_end { EXPT_STACK_WHOLE, EXPT_STACK_TRUNCATED, EXPT_STACK_FAILED };

struct expt_stack {
	const uint64_t *pcs;		/* leaf first; markers are not among them */
	size_t count;
	enum expt_stack_end end;
	uint32_t index;			/* small and dense: for tables of per-stack results */
};

/* The native stack with this uid, links followed. 1, or 0 if the uid is unknown: *stack is then
 * empty with index EXPT_STACK_NONE. Reads data.frameinfo at the first call. */
#define EXPT_STACK_NONE UINT32_MAX
int expt_stack(struct expt *expt, uint64_t uid, struct expt_stack *stack, struct expt_error *err);
size_t expt_stack_limit(const struct expt *expt);	/* indexes are below this */

/* ---- samples (overview.c) ---------------------------------------------------------- */

enum expt_usage_time {
	EXPT_TIME_USER, EXPT_TIME_SYSTEM, EXPT_TIME_TRAP, EXPT_TIME_USER_LOCK,
	EXPT_TIME_DATA_FAULT, EXPT_TIME_TEXT_FAULT, EXPT_TIME_KERNEL_FAULT, EXPT_TIME_STOPPED,
	EXPT_TIME_WAIT_CPU, EXPT_TIME_SLEEP, EXPT_TIME_COUNT,
};
enum expt_usage_count {
	EXPT_MINOR_FAULTS, EXPT_MAJOR_FAULTS, EXPT_SWAPS, EXPT_BLOCKS_IN, EXPT_BLOCKS_OUT,
	EXPT_MESSAGES_SENT, EXPT_MESSAGES_RECEIVED, EXPT_SIGNALS, EXPT_VOLUNTARY_SWITCHES,
	EXPT_INVOLUNTARY_SWITCHES, EXPT_SYSTEM_CALLS, EXPT_CHARACTERS, EXPT_USAGE_COUNT_COUNT,
};

struct expt_sample {
	uint64_t number;		/* 1 is the first */
	const char *start_label, *end_label;
	uint64_t start_ns, end_ns;	/* since the start of the experiment */
	uint64_t thread_ns;		/* total thread time: real time of all contributors */
	uint64_t times_ns[EXPT_TIME_COUNT];
	int64_t counts[EXPT_USAGE_COUNT_COUNT];
};

/* Reads the overview file at the first call; without one there are no samples. */
size_t expt_sample_count(struct expt *expt);
const struct expt_sample *expt_sample(struct expt *expt, size_t i);

/* ---- load objects and functions (place.c, object.c, function.c) -------------------- */

struct expt_segment {			/* one mapping of the address space, as in map.xml */
	const char *path;		/* as mapped */
	uint64_t address, size, file_offset;
	uint32_t modes;			/* enum expt_map_mode */
	uint64_t loaded_ns, unloaded_ns;	/* UINT64_MAX: until the end */
	const char *build_id;		/* hex, or "" where the recorder did not write it */
	bool has_identity;		/* file_size and mtime_ns are known, too */
	uint64_t file_size, mtime_ns;
	struct expt_object *object;	/* NULL: no load object (modes) */
};

/* Reads map.xml at the first call. */
size_t expt_segment_count(struct expt *expt);
const struct expt_segment *expt_segment(struct expt *expt, size_t i);

/* All load objects met so far by this experiment and the descendants opened through it, in order
 * of loading. Index 0 is <Unknown>; dynamic code is one object named DYNAMIC_FUNCTIONS. */
size_t expt_object_count(struct expt *expt);
struct expt_object *expt_object(struct expt *expt, size_t i);
const char *expt_object_path(const struct expt_object *object);	/* as mapped */
const char *expt_object_name(const struct expt_object *object);	/* last component, "<libc.so.6>" */
const char *expt_object_build_id(const struct expt_object *object);	/* as recorded, hex or "" */
size_t expt_object_index(const struct expt_object *object);
/* The file its symbols come from, or NULL: the archived copy, the archived description, the path as
 * mapped, in this order, each only if its identity is the recorded one. problem: why a better one
 * was not taken, or NULL. Opens the file at the first call. */
const char *expt_object_file(struct expt_object *object, const char **problem);

enum expt_name_form { EXPT_NAME_LONG, EXPT_NAME_SHORT, EXPT_NAME_MANGLED };

const char *expt_function_name(const struct expt_function *function, enum expt_name_form form);
struct expt_object *expt_function_object(const struct expt_function *function);
uint64_t expt_function_offset(const struct expt_function *function);	/* in the object's image */
uint64_t expt_function_size(const struct expt_function *function);
/* Other names of the same address, NULL-terminated; NULL if there are none. */
const char *const *expt_function_aliases(const struct expt_function *function);
/* Of code made at run time: the path of its source as the program gave it, or NULL. */
const char *expt_function_source(const struct expt_function *function);

/* What is at an address at a time: never fails, <Unknown> is a function as well. The function
 * pointer is the identity of a row: the same for all addresses in it, in all descendants. */
struct expt_place {
	const struct expt_function *function;
	uint64_t offset;		/* of the address in its function */
	bool is_plt;			/* a PLT stub: dropped while it is the leaf */
};
void expt_place(struct expt *expt, uint64_t address, uint64_t time_ns, struct expt_place *place);
/* Two times with the same epoch give the same places; most experiments have one epoch. */
uint32_t expt_epoch(struct expt *expt, uint64_t time_ns);

/* ---- reports (report.c) ------------------------------------------------------------ */

enum expt_outcome {
	EXPT_COPIED, EXPT_PRESENT, EXPT_DESCRIBED, EXPT_LINKED, EXPT_REMOVED,	/* well done */
	EXPT_ABSENT,			/* not there, and not counted on */
	EXPT_NOTE,			/* a warning: worth saying, success all the same */
	EXPT_MISSING, EXPT_REFUSED, EXPT_CHANGED, EXPT_FAILED,		/* not done as asked */
};
struct expt_report_line {
	enum expt_outcome outcome;
	const char *name;		/* of the file or object concerned */
	const char *reason;		/* in words, or "" */
};

/* Made by the caller and handed to an operation in its options; what the operation did, refused
 * and noticed is then in it. */
struct expt_report *expt_report_new(void);		/* NULL: out of memory */
void expt_report_free(struct expt_report *report);
size_t expt_report_count(const struct expt_report *report);
const struct expt_report_line *expt_report_line(const struct expt_report *report, size_t i);
uint64_t expt_report_files(const struct expt_report *report);	/* handled in all */
uint64_t expt_report_bytes(const struct expt_report *report);
bool expt_report_is_complete(const struct expt_report *report);	/* nothing from EXPT_MISSING on */

/* ---- archives (archive.c, archive_*.c) --------------------------------------------- */

enum expt_archive_mode {
	EXPT_ARCHIVE_OFF,
	EXPT_ARCHIVE_ON,		/* a description of every load object */
	EXPT_ARCHIVE_COPY,		/* and a copy of it */
	EXPT_ARCHIVE_USEDCOPY,		/* and copies of those in which a recorded address lies */
	EXPT_ARCHIVE_SRC,		/* as COPY, and all their source files */
	EXPT_ARCHIVE_USEDSRC,		/* as COPY, and the source files of recorded addresses */
};
/* The word of a command line, in any accepted spelling; -EINVAL for others. */
int expt_archive_mode(enum expt_archive_mode *mode, const char *word, struct expt_error *err);
const char *expt_archive_mode_name(enum expt_archive_mode mode);	/* "copy" */
/* Make the mode ask for those source files that word says: all, used, or with off none. */
int expt_archive_sources(enum expt_archive_mode *mode, const char *word, struct expt_error *err);

/* -EINVAL: not an extended regular expression. */
int expt_archive_pattern(const char *pattern, struct expt_error *err);

/* Where files are now that are not where they were recorded. They must be what was recorded all the
 * same, as far as that is known. */
struct expt_search {
	const char *const *maps;	/* NULL, or up to NULL: the beginning of a path, and what it is
					 * now, in turn */
	const char *const *directories;	/* NULL, or up to NULL: they have files under their base names */
};

struct expt_archive_options {
	enum expt_archive_mode mode;
	const char *const *patterns;	/* NULL, or up to NULL extended regular expressions: only files
					 * whose path one of them matches */
	struct expt_search search;
	bool is_founder_only;		/* the named experiment, not its descendants */
	bool force;			/* make everything again; of whole experiments only */
	bool check_only;		/* change nothing, report the state */
	bool dry_run;			/* change nothing, report what would be done */
	bool log_notes;			/* add the report's warnings to the experiment's archive log */
	/* A directory, made if need be, that experiments share: copies go there, once for each
	 * content, and archives/ gets links to them; NULL for none. */
	const char *store;
	bool has_relative_links;	/* from archives/ to the store; else absolute ones */
	struct expt_progress *progress;	/* NULL, or: files are counted in it, and no bytes */
	const volatile int *stop;	/* NULL, or: when it is not 0, end with -EINTR */
	struct expt_report *report;
};
/* Fill archives/ of the experiment's founder. 0 if the archive is now complete; 1 if something is
 * missing, changed or refused, all in the report. The experiment need not be readable but for its
 * map.xml. */
int expt_archive(const char *path, const struct expt_archive_options *options,
		 struct expt_error *err);
/* Nothing is archived, and the log does not say that this was the wish. */
bool expt_lacks_archives(const struct expt *expt);
/* The name under which the file at path is archived: base name, '_', code of its directory.
 * Returns the length; out is 256 bytes. */
size_t expt_archive_name(char *out, const char *path);

/* How far an operation is. The caller provides it, all zero, and reads it whenever it likes, from
 * another thread or a signal handler. */
enum expt_phase {
	EXPT_PHASE_LISTING,		/* looking for what there is to do: the totals are not known */
	EXPT_PHASE_COPYING,
	EXPT_PHASE_SYNCING,		/* waiting for the disk */
	EXPT_PHASE_VERIFYING,		/* reading the copy back */
	EXPT_PHASE_REMOVING,		/* what was moved */
};
struct expt_progress {
	volatile uint64_t files, bytes;	/* done, in this phase; holes count as they are passed */
	volatile uint64_t total_files, total_bytes;	/* of each phase */
	volatile int phase;		/* enum expt_phase */
};

/* ---- copy, move, remove (copy.c, move.c, remove.c) --------------------------------- */

enum expt_sync {
	EXPT_SYNC_WHOLE,		/* the file system once, at the end; few files one by one */
	EXPT_SYNC_NONE,			/* do not wait for the disk */
	EXPT_SYNC_PER_FILE,		/* each file and directory, and no other program's */
};
enum expt_reflink {
	EXPT_REFLINK_AUTO,		/* share the blocks of the original where possible */
	EXPT_REFLINK_NEVER,
};
/* As cp(1) has it. Only with the first are blocks shared. */
enum expt_sparse {
	EXPT_SPARSE_AUTO,		/* holes stay holes */
	EXPT_SPARSE_ALWAYS,		/* blocks of zeros become holes, too */
	EXPT_SPARSE_NEVER,		/* holes become zeros */
};

/* Whole experiments, descendants included; they refuse what is not one. At any moment, whatever
 * happens, the final name is free or holds the whole result, and the source is whole. */
struct expt_copy_options {
	bool force;			/* replace an experiment that has the name */
	bool verify;			/* read the copy back */
	bool without_archives;
	bool without_attributes;	/* times, modes and owner: those of new files */
	bool dry_run;			/* only check, and count in the report */
	enum expt_archive_mode mode;	/* what the archives of the copy lack of this is put there */
	enum expt_sync sync;
	enum expt_reflink reflink;
	enum expt_sparse sparse;
	unsigned threads;		/* 0: as many as useful, or ER_THREADS */
	const volatile int *stop;	/* NULL, or: when it is not 0, end with -EINTR */
	struct expt_progress *progress;	/* NULL, or: filled on the way */
	struct expt_report *report;
};
/* A sub-experiment becomes an experiment of its own, with the founder's archives. 0 also where a file
 * changed meanwhile or is missing, which the report says. -EINVAL, -EEXIST: to is not a name for the
 * copy. */
int expt_copy(const char *from, const char *to, const struct expt_copy_options *options,
	      struct expt_error *err);

/* 1: the experiments have the same files with the same bytes, modes and times: one is a finished copy of
 * the other. 0: they have not. */
int expt_compare(const char *one, const char *other, struct expt_error *err);

struct expt_move_options {
	bool replace;			/* an experiment that has the name */
	bool force;			/* even while it is being recorded */
	bool dry_run;
	unsigned threads;
	const volatile int *stop;
	struct expt_progress *progress;	/* of the copy, where there is one */
	struct expt_report *report;
};
/* By rename where possible, otherwise copied, verified, made durable, and then removed. */
int expt_move(const char *from, const char *to, const struct expt_move_options *options,
	      struct expt_error *err);

struct expt_remove_options {
	bool force;			/* even while it is being recorded */
	bool dry_run;			/* only check, and count in the report */
	/* A line EXPT_REMOVED for what an interrupted operation left beside it. */
	struct expt_report *report;
};
/* -ENOENT: no such experiment; -EBUSY: it is still being recorded; -EINVAL: it is a descendant, which
 * goes with its founder only. A symbolic link is removed itself, never what it names. What an
 * interrupted removal of that name left is removed, too, and enough for success. */
int expt_remove(const char *path, const struct expt_remove_options *options,
		struct expt_error *err);

/* ---- selecting what to remove (select.c, select_*.c) --------------------------------- */

/* Which experiments are wanted. Zeroed: all. Ages count from the end of the recording, of founder
 * and descendants; where the log does not tell it, from the newest file. Times in the future count
 * as now, with a problem that says so. Sizes are those on the disk; a file with several links counts once. */
struct expt_criteria {
	const char *name;		/* NULL, or a pattern, as in the shell, for its own name */
	const char *comment;		/* NULL, or an extended regular expression for its notes */
	bool without_notes;		/* only those that have none */
	bool incomplete;		/* only those without an end that are not being recorded */
	bool has_older_than, has_newer_than, has_larger_than;
	uint64_t older_than_s, newer_than_s, larger_than;	/* seconds; bytes */
	/* Of all these stay: */
	uint64_t keep;			/* the newest of each stem in each directory */
	bool all_owners;		/* these for all together, not for the experiments of each owner */
	bool has_max_total, has_min_free;
	uint64_t max_total;		/* those behind the oldest, while all selected are not larger */
	uint64_t min_free;		/* the same, while the file system has as much free; of several
					 * owners, those of the one who has the most go first */
	bool measure;			/* fill files and bytes below, also where not needed */
	int64_t now;			/* seconds since the epoch; 0: the clock */
};

struct expt_selected {
	const char *path;		/* lives as long as the selection */
	bool is_named;			/* added itself, not found */
	bool is_measured;		/* the next two are known */
	uint64_t files, bytes;
	int64_t ended_at;		/* seconds since the epoch; 0: unknown */
	uint64_t age_s;
};

struct expt_selection;
struct expt_selection_problem {
	const char *text;
	bool is_failure;		/* of what was named, or may hide experiments; or worth a warning */
};

/* -EINVAL: the regular expression is none. The texts in criteria must live as long. */
int expt_selection_open(struct expt_selection **out, const struct expt_criteria *criteria,
			struct expt_error *err);
void expt_selection_close(struct expt_selection *selection);
/* An experiment; or a directory, for all below it: never in experiments, through links, or on other
 * file systems. -ENOENT: there is none. */
int expt_selection_add(struct expt_selection *selection, const char *path, struct expt_error *err);
int expt_selection_add_directory(struct expt_selection *selection, const char *path,
				 struct expt_error *err);
/* Keep other cleaners of the same user out until the selection is closed: lock the directories, and those
 * around experiments that were added, by a file in each that only this user can open. Where the user may not
 * make one, there is no lock. A lock that is held is waited for this long, then -EBUSY. */
int expt_selection_lock(struct expt_selection *selection, unsigned wait_s, struct expt_error *err);
/* Look at all that was added, and choose. */
int expt_selection_read(struct expt_selection *selection, struct expt_error *err);
/* What could not be judged and was left out. */
size_t expt_selection_problem_count(const struct expt_selection *selection);
const struct expt_selection_problem *expt_selection_problem(const struct expt_selection *selection,
							    size_t i);
/* Remove what interrupted copies and removals left below the directories: how many. report: NULL, or
 * filled with a line EXPT_REMOVED for each, EXPT_FAILED for what could not be removed. dry_run: only
 * that. */
size_t expt_selection_clean(struct expt_selection *selection, bool dry_run,
			    struct expt_report *report);
/* How many are to go at most: limits may be kept before. */
size_t expt_selection_count(const struct expt_selection *selection);
/* The next to go, oldest first: false behind the last. With limits this depends on what was removed
 * before. */
bool expt_selection_next(struct expt_selection *selection, struct expt_selected *out);
/* Remove that one, if it is still what was looked at. -ENOENT: somebody else did; -EBUSY: it is, or
 * may be, still being recorded. */
int expt_selection_remove(struct expt_selection *selection,
			  const struct expt_remove_options *options, struct expt_error *err);

/* ---- single files (output.c) ------------------------------------------------------------- */

/* A file that appears at path whole and durable, or not at all: write to the descriptor, then
 * commit. Without a commit nothing is left. -EEXIST: the name is taken, and replace is false. */
struct expt_output;
int expt_output_open(struct expt_output **out, const char *path, bool replace,
		     struct expt_error *err);
int expt_output_fd(const struct expt_output *output);	/* borrowed: close a duplicate */
int expt_output_commit(struct expt_output *output, struct expt_error *err);
void expt_output_close(struct expt_output *output);

/* ---- bundles (export.c, import.c, bundle.c) ---------------------------------------- */

enum expt_compression {
	EXPT_COMPRESSION_ZSTD, EXPT_COMPRESSION_GZIP, EXPT_COMPRESSION_XZ, EXPT_COMPRESSION_NONE,
};
struct expt_export_options {
	enum expt_archive_mode mode;	/* objects that archives/ lacks go straight into the bundle */
	bool force;			/* replace an existing output */
	bool without_archives, without_sources, without_descendants;
	/* Replace the host, the user and the working directory in logs and notes by neutral words; what
	 * cannot be understood of a log is left out, EXPT_CHANGED. What names load objects and sources
	 * keeps their paths: the map, the archives, their manifest; EXPT_NOTE if they tell. */
	bool anonymize;
	bool dry_run;			/* write nothing, report what would be exported */
	enum expt_compression compression;
	int level;			/* of it: 1 to 19 for zstd, 1 to 9 for others; 0: the default */
	unsigned threads;
	const volatile int *stop;	/* NULL, or: when it is not 0, end with -EINTR */
	struct expt_progress *progress;	/* NULL, or: filled on the way */
	struct expt_report *report;
};
/* All experiments and groups into one bundle, at path, or written to the descriptor fd, which stays the
 * caller's, when path is NULL. At path nothing appears before the bundle is whole. 0 also where something
 * is missing or has changed, which the report says. */
int expt_export(const char *const *experiments, size_t count, const char *path, int fd,
		const struct expt_export_options *options, struct expt_error *err);

struct expt_import_options {
	const char *directory;		/* where to unpack; NULL: the current one */
	bool force, rename;		/* a taken name: replace it, or take the next number */
	bool dry_run;			/* write nothing, check and report everything else */
	bool verify;			/* read back what was written; refuse what has no manifest */
	const char *const *only;	/* NULL, or the names that may come out; then NULL */
	/* Limits, of everything that reads bundles. 0: the safe defaults. max_expansion: bytes out for a
	 * byte in, unless there are fewer than max_bytes. */
	uint64_t max_entries, max_bytes, max_expansion;
	unsigned max_depth;		/* of directories */
	unsigned timeout_s;		/* of silence, of a pipe; 0: any. -ETIMEDOUT */
	unsigned threads;
	const volatile int *stop;	/* NULL, or: when it is not 0, end with -EINTR */
	struct expt_progress *progress;	/* NULL, or: filled on the way, in bytes of the file */
	struct expt_report *report;	/* a line EXPT_COPIED per experiment unpacked */
};
/* Unpack a bundle, or somebody's own tarball of an experiment, from path, or from fd, which stays the
 * caller's, when path is NULL. -EBADMSG: not a bundle, or damaged; -EPERM: a member was refused;
 * -EEXIST: a name is taken. */
int expt_import(const char *path, int fd, const struct expt_import_options *options,
		struct expt_error *err);

struct expt_bundle_member {
	const char *name;		/* valid until the next one, as target */
	uint64_t size;
	int64_t mtime;			/* seconds since the epoch */
	uint32_t mode;			/* permissions, set-id and sticky bits */
	char type;			/* 'f' file, 'd' directory, 'l' link; others: see tar */
	const char *target;		/* of a link */
};
/* Members in order: 1 and *member filled, 0 at the end, negative on error. -EBADMSG: not a bundle, or
 * damaged; -EPERM: too many, or too much to read. The options are as in expt_open_with(): none of the
 * members is refused. */
int expt_bundle_open(struct expt_bundle **out, const char *path,
		     const struct expt_import_options *options, struct expt_error *err);
int expt_bundle_next(struct expt_bundle *bundle, struct expt_bundle_member *member,
		     struct expt_error *err);
void expt_bundle_close(struct expt_bundle *bundle);
/* Every member's checksum against the manifest. Of the options the limits, threads, stop, progress and the
 * report count, which must be there. 0: all is what the manifest says; 1: something differs or there is no
 * manifest, and the report names it; or an error, as expt_import(). */
int expt_bundle_check(const char *path, const struct expt_import_options *options,
		      struct expt_error *err);

/* ---- other hosts (remote.c, remote_*.c) -------------------------------------------- */

/* Whether an operand is on another host: "[user@]host:path", with a colon before the first slash; an
 * address with colons stands in brackets. "./a:b" is a local name. */
bool expt_name_is_remote(const char *operand);
/* The bytes of its host part, up to the colon: "me@desk" of "me@desk:runs". 0: a local name. */
size_t expt_name_host(const char *operand);

/* Experiments as one stream to or from a command on another host: er_import or er_export or, where
 * those are missing, tar. No shell is started here, and the one over there gets every name in
 * quotes. To send: expt_remote_to(), _add() for each operand, _start(), _connect(), questions,
 * _send(); to receive: expt_remote_from(), and then likewise. */
struct expt_remote;

struct expt_remote_options {
	const char *shell;	/* starts commands over there: words as rsync(1) takes them; NULL: ssh */
	int messages;		/* its standard error, and so what is said over there; -1: ours */
	bool is_quiet;		/* no warnings from over there */
	bool move;		/* sources go when they have arrived */
	bool move_live;		/* even those still being recorded */
	bool may_ask;		/* a person may be asked for a password: connecting takes its time */
	unsigned timeout_s;	/* of silence where an answer is due; 0: 60. Ten times that for work */
	const volatile int *stop; /* NULL, or: when it is not 0, what is read here ends with -EINTR */
};
/* -EINVAL: no host, or one that begins with '-', or no directory. */
int expt_remote_to(struct expt_remote **out, const char *place,
		   const struct expt_remote_options *options, struct expt_error *err);
int expt_remote_from(struct expt_remote **out, const char *operand,
		     const struct expt_remote_options *options, struct expt_error *err);
void expt_remote_close(struct expt_remote *remote);

/* An experiment or a group, numbered from 0. To send: it must be fit for it, which is looked at as
 * expt_export() does in a dry run. To receive: "host:path" on the same host. After a failure the others
 * are as they were. */
int expt_remote_add(struct expt_remote *remote, const char *operand,
		    const struct expt_export_options *options, struct expt_error *err);

/* Start the command, which returns at once, and wait for its answer. -EBADMSG: it failed, and has said
 * why on its standard error; -ETIMEDOUT: it was silent for too long, and has been ended; so in the functions
 * below. */
int expt_remote_start(struct expt_remote *remote, struct expt_error *err);
int expt_remote_connect(struct expt_remote *remote, struct expt_error *err);
/* From any thread: what is waited for fails. */
void expt_remote_stop(struct expt_remote *remote);

enum expt_remote_means {
	EXPT_REMOTE_ERKIT,
	EXPT_REMOTE_TAR,		/* and sha256sum: cannot replace, nor take another number */
	EXPT_REMOTE_TAR_UNVERIFIED,	/* nothing to take checksums with: moves are refused */
};
enum expt_remote_means expt_remote_means(const struct expt_remote *remote);
/* The nth name of an operand that is taken over there, or when receiving exists there; NULL: no more. */
const char *expt_remote_there(const struct expt_remote *remote, size_t operand, size_t n);
/* The operand stays where it is. When receiving, before _start(). */
void expt_remote_drop(struct expt_remote *remote, size_t operand);

/* 1: of a move, the operand is whole over there under the taken name, as one that was interrupted leaves
 * it; now it has been removed here, and is dropped. 0: it is not, or nobody can tell. */
int expt_remote_finish(struct expt_remote *remote, size_t operand, struct expt_error *err);

/* The stream: options for the side that gives, and for the side that takes. What has been sent is
 * verified and durable over there when its name appears. A failure may concern the last operands
 * only: expt_remote_arrived() tells. */
int expt_remote_send(struct expt_remote *remote, const struct expt_export_options *giving,
		     const struct expt_import_options *taking, struct expt_error *err);
int expt_remote_receive(struct expt_remote *remote, const struct expt_export_options *giving,
			const struct expt_import_options *taking, struct expt_error *err);
/* The name that a sent operand has over there, or NULL: it has not arrived, as far as we know. */
const char *expt_remote_arrived(const struct expt_remote *remote, size_t operand);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
