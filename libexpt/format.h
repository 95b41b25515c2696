/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The on-disk form of experiments: names, record layouts, tags, and the strings that
 * collect passes to the collector. Constants and structs, no code: the collector includes
 * this header and, with it, values.h, and nothing else of libexpt. expt(5) is the same
 * contract in prose.
 *
 * All integers are in the byte order of the recorded machine; every supported machine is
 * little-endian.
 */
/* clang-format off */
#ifndef LIBEXPT_FORMAT_H
#define LIBEXPT_FORMAT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/values.h"

/* ---- names ------------------------------------------------------------------------- */

#define EXPERIMENT_SUFFIX	".er"
#define GROUP_SUFFIX		".erg"
#define GROUP_HEADER		"#analyzer experiment group"
#define DEFAULT_STEM		"test"		/* test.1.er */
#define KERNEL_STEM		"ktest"		/* of er_kernel */
#define EXPERIMENT_NUMBER_TRIES	4095		/* of mkdir, if numbers are taken */

/* log.xml's <experiment version=>: gprofng 2.40 writes it, and its reader accepts it. */
#define FORMAT_VERSION		"12.4"
#define FORMAT_VERSION_MAJOR	12		/* readers refuse smaller ones */

#define LOG_FILE		"log.xml"
#define LOAD_MAP_FILE		"map.xml"	/* MAP_FILE is in sys/mman.h */
#define OVERVIEW_FILE		"overview"
#define FRAMEINFO_FILE		"data.frameinfo"
#define FRAMEINFO_FILE_SUN	"frameinfo"	/* read, never written */
#define CLOCK_FILE		"profile"
#define HWC_FILE		"hwcounters"
#define HEAP_FILE		"heaptrace"
#define SYNC_FILE		"synctrace"
#define IO_FILE			"iotrace"
#define OMP_FILE		"omptrace"
#define RACE_FILE		"dataraces"
#define DEADLOCK_FILE		"deadlocks"
#define MPI_FILE		"mpitrace"
#define DYNTEXT_FILE		"dyntext"
#define JCLASSES_FILE		"jclasses"
#define JAVA_MACHINE		"libjvm.so" /* if mapped, JCLASSES_FILE may exist */
#define JCLASSES_FILE_SUN	"JAVA_CLASSES"	/* read, never written */
#define JDYNCLASSES_DIR		"jdynclasses"
#define NOTES_FILE		"notes"
#define LABELS_FILE		"labels.xml"
#define WARNINGS_FILE		"warnings.xml"
#define CUT_ATTRIBUTE		"cut"	/* of a cwarn: when it was copied, live */
#define IFREQ_FILE		"ifreq"
#define KALLMODSYMS_FILE	"kallmodsyms"
#define MPVIEW_FILE		"mpview.dat3"
#define METADATA_PREFIX		"metadata."	/* metadata.<kind>.xml */
#define ARCHIVE_LOG_FILE	"archive.log"
#define ARCHIVES_DIR		"archives"

/* Files in archives/: copies BASE_CODE, descriptions BASE_CODE.archive, one manifest. */
#define DESCRIPTION_SUFFIX	".archive"
#define MANIFEST_FILE		"manifest"
#define MANIFEST_HEADER		"# erkit archive 1"	/* its first line */
#define ARCHIVE_CODE_LENGTH	11		/* of the code of the directory */
#define ARCHIVE_LONG_BASE	243		/* longer base names get a second code */
#define ARCHIVE_LONG_BASE_KEPT	231

/* A description's identity is a note with the text "size <bytes>\nmtime_ns <n>\nbuild-id
 * <hex>\npath <as mapped>"; the path extends to the end of the note. */
#define IDENTITY_NOTE_SECTION	".note.erkit"
#define IDENTITY_NOTE_OWNER	"erkit"
#define IDENTITY_NOTE_TYPE	0x65726b69	/* not a generic note type */
/* Symbols in a description that come from a debug file not beside the object: they name
 * only what the object's own tables do not. */
#define SEPARATE_SYMTAB_SECTION	".symtab.separate"
#define SEPARATE_STRTAB_SECTION	".strtab.separate"
#define BUILD_ID_MAX		64		/* bytes; longer ones are ignored */

/* Files being made or removed have a hidden name beside the final one:
 * ".NAME.XXXXXX.part". */
#define PART_SUFFIX		".part"
#define DELETED_SUFFIX		".del"
#define LOCK_SUFFIX		".lock"
#define CLEANING_PREFIX		".er_rm." /* a lock, with a user number; see lock.h */
#define PROBE_FILE		".probe" /* in a stage, to learn the modes of new files */
#define HIDDEN_RANDOM_LENGTH	6
#define RECORDER_PART_SUFFIX	".record" PART_SUFFIX	/* one maker per file */
static_assert(sizeof(RECORDER_PART_SUFFIX) ==
		      1 + HIDDEN_RANDOM_LENGTH + sizeof(PART_SUFFIX),
	      "in the place of the random letters");

/* Modes before the umask. */
#define DIRECTORY_MODE		0755
#define FILE_MODE		0644

/* Lineage elements of descendants, each followed by a number: _f3_x1.er. */
#define LINEAGE_FORK		'f'
#define LINEAGE_EXEC		'x'
#define LINEAGE_COMBO		'c'		/* system, popen, posix_spawn */
#define LINEAGE_CLONE		'C'
#define MPI_RANK_PREFIX		"M_r"		/* M_r0.er */
#define MPI_RANK_SETTING	"mpi_rank"	/* of a founder that is a rank itself */

/* Last member of each experiment in a bundle, and its first line. */
#define EXPORT_MANIFEST		"EXPORT.manifest"
#define EXPORT_MANIFEST_HEADER	"# erkit bundle 1"
#define EXPORT_INDEX_HEADER	"# erkit index 1"	/* after all members */

/* Padded text files and block files grow by this much, or by a larger page. */
#define BLOCK_SIZE		65536
/* Readers resume at a multiple of this after a packet of size 0 or misaligned. Measured
 * with gprofng. */
#define RESYNC_SIZE		16384

/* ---- packets of the block files ---------------------------------------------------- */

struct packet_head {
	uint16_t size;			/* of the whole packet, including the head */
	uint16_t type;			/* enum packet_type */
};

enum packet_type {
	PACKET_EMPTY	= 0,		/* filler, skipped by its size */
	PACKET_CLOCK_OLD = 1,
	PACKET_SYNC	= 2,
	PACKET_HWC	= 3,
	PACKET_HWC_OLD	= 4,
	PACKET_HEAP	= 5,
	PACKET_MPI	= 6,
	PACKET_HWC_ADDRESS = 7,
	PACKET_CLOCK	= 8,
	PACKET_OMP_FORK	= 9,
	PACKET_RACE	= 10,
	PACKET_FRAME	= 11,
	PACKET_OMP_REGION_ENTER = 12,
	PACKET_DEADLOCK	= 13,
	PACKET_OMP_TASK_ENTER = 14,
	PACKET_OMP_REGION = 15,
	PACKET_OMP_TASK	= 16,
	PACKET_UID	= 17,
	PACKET_IO	= 19,
	PACKET_HEAP_FREE = 20,		/* this and the next two: erkit's */
	PACKET_HEAP_MOVE = 21,
	PACKET_IO_OPEN	= 22,
	PACKET_MPI_CALL	= 23,		/* shorter forms, here and below */
	PACKET_MPI_SENT	= 24,
	PACKET_MPI_RECEIVED = 25,
	PACKET_JAVA_CLASS = 0xA03,	/* of JCLASSES_FILE */
	PACKET_JAVA_METHOD = 0xB03,
	PACKET_JAVA_LOCATION = 0xE03,
	PACKET_JAVA_LINES = 0xF03,	/* erkit's: of the method before it */
	PACKET_CLOSED	= 65535,	/* filler up to the end of a full block */
};

/* The head of erkit's event packets. Readers take the offsets from log.xml, not from
 * here. */
struct event_head {
	struct packet_head packet;
	uint32_t pad0;
	int64_t lwp;			/* LWPID: kernel thread id */
	int64_t thread;			/* THRID: the same number on Linux */
	int32_t cpu;			/* CPUID */
	uint32_t pad1;
	uint64_t time_ns;		/* TSTAMP: absolute, CLOCK_MONOTONIC_RAW */
	uint64_t stack;			/* FRINFO: uid of a frame packet, 0 for none */
};
static_assert(sizeof(struct event_head) == 48, "common head of event packets");

/* Classes and methods of a Java machine, followed by two strings, each with a NUL and
 * padded to a multiple of 4. In a location they begin in place of the second number. */
struct java_packet {
	struct packet_head packet;
	uint32_t pad;
	uint64_t class_id;
	uint64_t time_or_method;	/* class: absolute ns; method: id */
};
static_assert(sizeof(struct java_packet) == 24, "head of Java packets");

/* Follow the head in a packet of lines, by bytecode index. A packet with the most that it
 * may have is continued by the next one. */
#define JAVA_LINES_MAX	4096
struct java_line {
	uint32_t bci, line;
};
static_assert(sizeof(struct java_line) == 8, "line of a Java method");

struct clock_packet {
	struct event_head head;
	int32_t state;			/* MSTATE: enum expt_thread_state */
	int32_t ticks;			/* NTICK: since the last, in <profile ptimer=> */
};
static_assert(sizeof(struct clock_packet) == 56, "clock packet");
static_assert(offsetof(struct clock_packet, state) == 48, "MSTATE");

struct counter_packet {
	struct event_head head;
	int32_t tag;			/* HWCTAG: the number of the counter */
	uint32_t pad;
	int64_t events;			/* HWCINT: since its last overflow */
};
static_assert(sizeof(struct counter_packet) == 64, "counter packet");

#define COUNTER_REGISTERS	16	/* of x86-64, numbered as in DWARF */
struct counter_address_packet {
	struct counter_packet counter;
	uint64_t address;		/* VADDR: of the data; < 256: a code */
	uint64_t pc;			/* VIRTPC: of the instruction; 0: unknown */
	uint64_t physical;		/* PADDR: of the data; 0: unknown */
	uint64_t registers[COUNTER_REGISTERS];	/* REG0 ...; all 0: unknown */
};
static_assert(sizeof(struct counter_address_packet) == 216,
	      "packet of a counter with addresses");

/* The head of packets of traced calls. It is compact, because allocations are many: LWPID
 * and THRID are one field of 32 bits, which gprofng's reader accepts, and there is no
 * CPUID. */
struct trace_head {
	struct packet_head packet;
	int32_t what;			/* depends on the kind: HTYPE, IOTYPE */
	int32_t thread;
	int32_t fd;			/* IOFD, -1: none; other kinds: 0, undeclared */
	uint64_t time_ns;		/* as in struct event_head */
};
static_assert(sizeof(struct trace_head) == 24, "common head of traced calls");

/* Heap calls have three packets, each with its own fields: gprofng's reader accepts any
 * declared size, but reads beyond a packet that ends before its fields do. */
struct heap_free_packet {
	struct trace_head head;		/* what, here and below: enum expt_heap_call */
	uint64_t address;		/* HVADDR: of the freed block */
};
static_assert(sizeof(struct heap_free_packet) == 32, "packet of a free");

struct heap_packet {
	struct trace_head head;
	uint64_t stack;			/* FRINFO, here and below */
	uint64_t address, size;		/* HVADDR: the result; HSIZE */
};
static_assert(sizeof(struct heap_packet) == 48, "heap packet");

struct heap_move_packet {
	struct heap_packet heap;
	uint64_t old_address;		/* HOVADDR */
};
static_assert(sizeof(struct heap_move_packet) == 56, "packet of a realloc");

struct sync_packet {
	struct trace_head head;		/* time_ns: when the wait ended */
	uint64_t stack;
	uint64_t requested_ns;		/* SRQST: when it began */
	uint64_t object;		/* SOBJ: mutex, semaphore, thread ... */
};
static_assert(sizeof(struct sync_packet) == 48, "synchronization packet");

struct io_packet {
	struct trace_head head;		/* what: enum expt_io_call; time_ns: its end */
	uint64_t stack;
	int64_t bytes;			/* IONBYTE */
	uint64_t requested_ns;		/* IORQST */
};
static_assert(sizeof(struct io_packet) == 48, "I/O packet");

/* A call that returns a new descriptor. */
struct io_open_packet {
	struct io_packet io;
	int32_t old_fd;			/* IOOFD, of dup and the like */
	int32_t file_system;		/* IOFSTYPE: enum expt_file_system */
	char name[8];			/* IOFNAME: begins here; NUL, padded to 8 bytes */
};
static_assert(sizeof(struct io_open_packet) == 64, "I/O packet of a new descriptor");
static_assert(offsetof(struct io_open_packet, name) == 56, "IOFNAME");

/* A call of MPI. Requests count where they are completed. A packet has one message
 * between two ranks at most; EXPT_MPI_MESSAGE packets after it have the others. */
struct mpi_packet {
	struct trace_head head;		/* what: enum expt_mpi_call; time_ns: its end */
	uint64_t stack;
	uint64_t requested_ns;		/* MPIRQST: when it began */
	uint64_t communicator;		/* MPICOMM: 1: MPI_COMM_WORLD; 0: none */
	/* PACKET_MPI_CALL ends here: there is no message. */
	int32_t peer;			/* MPIPEER: in MPI_COMM_WORLD; -1: none */
	int32_t tag;			/* MPITAG: of a message between two ranks */
	int64_t sent;			/* MPISBYTES */
	/* PACKET_MPI_SENT and PACKET_MPI_RECEIVED end here, with one message: the count
	 * is head.fd, and sent has its bytes. */
	int64_t received;		/* MPIRBYTES */
	int32_t sends, receives;	/* MPISCOUNT, MPIRCOUNT: messages */
};
static_assert(sizeof(struct mpi_packet) == 80, "packet of a call of MPI");
static_assert(offsetof(struct mpi_packet, peer) == 48, "the same without a message");
static_assert(offsetof(struct mpi_packet, received) == 64, "with one message");

/* A thread is in another parallel region of OpenMP, or in another task, than before; id:
 * CPRID or TSKID, 0: in none. */
struct omp_enter_packet {
	struct event_head head;		/* without a stack, here and below */
	uint64_t id;
};
static_assert(sizeof(struct omp_enter_packet) == 56, "packet of an entry of OpenMP");

/* A region or a task. Its id is the address of its pragma; it may be described again. */
struct omp_packet {
	struct event_head head;
	uint64_t id, outer;		/* CPRID, PPRID, or TSKID, PTSKID */
	uint64_t pragma;		/* PRPC: the address of the call of the runtime */
	uint64_t count;			/* OMPCOUNT: begun, or run, by THRID since the
					 * last packet */
};
static_assert(sizeof(struct omp_packet) == 80, "packet of a region or task of OpenMP");

/* An access of a race. The two of one have the same id and time, in this order. */
struct race_packet {
	struct trace_head head;		/* what: enum expt_access_kind (RTYPE) */
	uint64_t stack;			/* with the access as its leaf */
	int64_t id;			/* RID */
	uint64_t address;		/* RVADDR */
	int64_t count;			/* RCNT */
};
static_assert(sizeof(struct race_packet) == 56, "packet of an access of a race");

/* A lock of a deadlock. The packets of one have the same id, and follow each other. */
struct deadlock_packet {
	struct trace_head head;		/* what: enum expt_lock_kind (DTYPE) */
	uint64_t stack;			/* of the call that has, or requests, the lock */
	int64_t id;			/* DID */
	uint64_t lock;			/* DVADDR */
	int32_t kind;			/* DLTYPE: enum expt_deadlock_kind */
	uint32_t pad;
};
static_assert(sizeof(struct deadlock_packet) == 56, "packet of a lock of a deadlock");

#define SYNC_SCOPE_NATIVE	1	/* <profile scope=>: bits */
#define SYNC_SCOPE_JAVA		2
#define SYNC_CALIBRATE		(-1)	/* a threshold: to be measured */

#define CLOCK_UNIT_US		1	/* <profile ptimer=>: unit of CPU time */
#define CLOCK_UNIT_NS		1000
/* Prefix of the names of functions that represent time without samples, and of no
 * others. */
#define CLOCK_NOT_SAMPLED	"not_sampled"
#define CLOCK_NUMSTATES		2	/* <profile numstates=>: user and system */
#define CLOCK_NUMSTATES_KERNEL	3	/* the kernel's CPU time alone */
#define CLOCK_NUMSTATES_WAITS	10	/* all of a thread's time */

/* ---- call stacks: data.frameinfo --------------------------------------------------- */

struct frame_packet {
	struct packet_head packet;	/* PACKET_FRAME */
	uint32_t infos;			/* offset of the first info: 16 */
	uint64_t uid;			/* FRINFO of event packets */
};
static_assert(sizeof(struct frame_packet) == 16, "frame packet");

struct frame_info {
	uint32_t size;			/* of this info, head and values */
	uint32_t kind;			/* frame_kind, maybe with FRAME_COMPRESSED */
	uint64_t uid;			/* of this list of values only */
};
static_assert(sizeof(struct frame_info) == 16, "frame info");

enum frame_kind {
	FRAME_NATIVE = 1, FRAME_JAVA = 2, FRAME_OMP_STATE = 3, FRAME_MPI_STATE = 4,
	FRAME_OMP_USER = 5,
};
#define FRAME_COMPRESSED	0x80000000u	/* the last 8 bytes link to a list */

/* A value of FRAME_JAVA. */
struct java_frame {
	int32_t bci;			/* bytecode index; EXPT_JAVA_NATIVE; or a code */
	uint32_t pad;			/* 0 */
	uint64_t method;		/* id; 0: the bci is the code of a failure */
};
static_assert(sizeof(struct java_frame) == 16, "frame of a Java stack");

struct uid_packet {
	struct packet_head packet;	/* PACKET_UID */
	uint32_t flags;			/* FRAME_COMPRESSED or 0 */
	uint64_t uid;
};
static_assert(sizeof(struct uid_packet) == 16, "uid packet");

/* Markers in the last (rootmost) value of a native stack; the first one also as the
 * method of a Java stack. */
#define STACK_TRUNCATED		((uint64_t)-2)
#define STACK_UNWIND_FAILED	((uint64_t)-3)
#define STACK_DEPTH_DEFAULT	256
#define STACK_DEPTH_MIN		5
#define STACK_DEPTH_MAX		2048

/* uid = (uid + value) * STACK_UID_FACTOR, from the root to the leaf; see expt(5). */
#define STACK_UID_FACTOR	UINT64_C(0x0B1F3C4B5701D8BD)
#define STACK_INFO_UID_START	UINT64_C(1)
#define STACK_FRAME_UID_START	STACK_UID_FACTOR

/* ---- overview: process resource use, one record per sample ------------------------- */

struct overview_time {
	int64_t seconds, nanoseconds;
};

/* The record of 64-bit processes. All values are cumulative; the first record is the
 * baseline. */
struct overview_record {
	int32_t id;			/* process id */
	int32_t contributors;		/* 1 */
	struct overview_time stamp;	/* absolute, CLOCK_MONOTONIC_RAW */
	struct overview_time created, ended; /* created: absolute; ended: 0 */
	struct overview_time real, user, system, trap, text_fault, data_fault,
			     kernel_fault, user_lock, sleep, wait_cpu, stopped;
	struct overview_time spare_times[6];
	int64_t minor_faults, major_faults, swaps, blocks_in, blocks_out, messages_sent,
		messages_received, signals, voluntary_switches, involuntary_switches,
		system_calls, characters;
	int64_t spare_counts[10];
};
static_assert(sizeof(struct overview_record) == 504, "overview record");
static_assert(offsetof(struct overview_record, minor_faults) == 328, "overview counters");
#define OVERVIEW_RECORD_SIZE_32	256

/* ---- dyntext: the code of dynamic functions ---------------------------------------- */

enum dyntext_type {
	DYNTEXT_HEADER = 1, DYNTEXT_CODE = 2, DYNTEXT_LINES = 3, DYNTEXT_SOURCE = 4,
};
struct dyntext_record {
	uint32_t type, size;		/* size of the whole record */
};
struct dyntext_header {
	struct dyntext_record record;	/* DYNTEXT_HEADER, 24 */
	int64_t time_ns;		/* since the start of the experiment */
	uint64_t address;
};
static_assert(sizeof(struct dyntext_header) == 24, "dyntext header");

/* ---- map.xml ----------------------------------------------------------------------- */

#define MAP_CHECKSUM_UNKNOWN	"0xFFFFFFFF"
#define DYNAMIC_FUNCTIONS	"DYNAMIC_FUNCTIONS"
#define KERNEL_OBJECT		"LinuxKernel"

/* ---- log.xml ----------------------------------------------------------------------- */
/* A comment in experiments that are not to be archived: erkit's first one, gprofng's
 * last. */
#define NO_ARCHIVE_COMMENT	"No archive command: archiving is off"
#define NO_ARCHIVE_COMMENT_GPROFNG "No archive command run"
/* Last comment of a descendant that is archived with its founder. */
#define FOUNDER_ARCHIVES_COMMENT "No archive command: the founder's run sees to it"
/* Begins the comment that names a file in jitdump format; see expt.5. */
#define JITDUMP_COMMENT		"jitdump: "

/* Labels of the samples that the collector takes by itself. */
#define SAMPLE_OPEN		"collector_open_experiment"
#define SAMPLE_CLOSE		"collector_close_experiment"
#define SAMPLE_PERIODIC		"periodic"
#define SAMPLE_SIGNAL		"signal"
#define SAMPLE_EXEC		"suspend_for_exec"
#define SAMPLE_RESUME_EXEC	"collector_resume_experiment"
#define SAMPLE_PAUSE_BEGIN	"collector_pause("	/* then the cause and ")" */
#define SAMPLE_RESUME		"collector_resume"
/* Causes of a pause, also in <event kind="pause" name=>. */
#define PAUSE_BY_API		"API"
#define PAUSE_BY_SIGNAL		"signal"
#define PAUSE_BY_DEBUGGER	"debugger"

/* ---- from collect to the collector ------------------------------------------------- */

#define ENV_PREFIX		"SP_COLLECTOR_"
#define ENV_EXPERIMENT		"SP_COLLECTOR_EXPNAME"	/* absolute path of the founder */
#define ENV_PARAMETERS		"SP_COLLECTOR_PARAMS"	/* letter:value; ..., see below */
#define ENV_FOUNDER		"SP_COLLECTOR_FOUNDER"	/* pid that will be the founder */
/* Set by collect. In a process that runs already: the debugger that is there, which is
 * collect itself, does not stay. */
#define ENV_FROM_COLLECT	"SP_COLLECTOR_ORIGIN_COLLECT"
#define ENV_FOLLOW		"SP_COLLECTOR_FOLLOW_SPEC"
#define ENV_PRELOAD		"SP_COLLECTOR_PRELOAD"	/* our libraries, absolute */
#define ENV_LINEAGE		"SP_COLLECTOR_LINEAGE"	/* of the next image: "_f1_x1" */
/* Set by the collector: the founder's start in ns:pid:MHz; with a pause signal, also :1
 * if paused, or :0. */
#define ENV_RUN			"SP_COLLECTOR_RUN"
/* Set by the caller of exec: the process's recorded CPU time so far, in ns. */
#define ENV_CPU_TIME		"SP_COLLECTOR_CPU_TIME"
/* Set by collect -P, which blocks signals in the thread that starts the recording: those
 * that the thread itself blocks, a word in the kernel's format as a decimal number. */
#define ENV_MASK		"SP_COLLECTOR_MASK"
/* Set by debuggers and collect -P: "pc:sp:bp" of that thread before the call, as decimal
 * numbers. */
#define ENV_FRAME		"SP_COLLECTOR_FRAME"
#define ENV_NO_OPENMP		"SP_COLLECTOR_NO_OMP"	/* the user's, for collect */
#define ENV_STACK_DEPTH		"GPROFNG_MAX_CALL_STACK_DEPTH"
#define ENV_JAVA_DEPTH		"GPROFNG_JAVA_MAX_CALL_STACK_DEPTH"
#define ENV_STACK_BYTES		"SP_COLLECTOR_STACKBUFSZ" /* eight bytes per frame */

/* Grammar of ENV_PARAMETERS: { letter ':' value ';' }; unknown letters are ignored. */
enum parameter {
	PARAMETER_ARCHIVER	= 'P',	/* absolute path of er_archive */
	PARAMETER_CLOCK		= 'p',	/* clock profiling interval in microseconds */
	PARAMETER_PERIODIC	= 'S',	/* seconds between periodic samples */
	PARAMETER_WINDOW	= 't',	/* "end" or "start:end" in milliseconds */
	PARAMETER_LIMIT		= 'L',	/* of data, in units of 2^20 bytes */
	PARAMETER_FOLLOW	= 'F',	/* 3: on, 7: by ENV_FOLLOW; absent: off */
	PARAMETER_ARCHIVE	= 'a',	/* archive mode */
	PARAMETER_COUNTERS	= 'h',	/* counters, see below */
	PARAMETER_DEPTH		= 'k',	/* frames per stack; ENV_STACK_DEPTH wins */
	PARAMETER_HEAP		= 'H',	/* empty, or "smallest-largest" in bytes */
	PARAMETER_SYNC		= 's',	/* us, -1: measured; ",n" native, ",j" Java */
	PARAMETER_IO		= 'i',	/* no value */
	PARAMETER_MPI		= 'm',	/* no value */
	PARAMETER_RANK		= 'n',	/* in an MPI job without a founder */
	PARAMETER_THREADS	= 'r',	/* 'r' races; 'd' deadlocks, deadlock_action */
	PARAMETER_NO_OPENMP	= 'o',	/* no value */
	PARAMETER_JAVA		= 'j',	/* "1": Java machines load the agent */
	PARAMETER_SAMPLE_SIGNAL	= 'g',	/* number of the signal for a sample */
	PARAMETER_DIRECTORY	= 'D',	/* device:inode:owner of the founder */
	PARAMETER_VERSION	= 'V',	/* of collect */
	PARAMETER_PAUSE_SIGNAL	= 'd',	/* signal to pause and resume; "p": paused */
};
/* When threads wait for each other for ever. */
enum deadlock_action { DEADLOCK_TERMINATE, DEADLOCK_ABORT, DEADLOCK_CONTINUE };
/* A counter: name,internal,cpu,type,config,config1,config2,period,flags, followed by '|';
 * names contain no comma, '|' or ';'. */
#define COUNTER_USER_ONLY	1u	/* flags: not in the kernel */
#define COUNTER_ADDRESS		2u	/* with data addresses */
#define COUNTER_PRECISE_SHIFT	2	/* flags: precise_ip, shifted */
#define FOLLOW_ALL		3
#define FOLLOW_MATCHING		7

/* Periods for the words of -p: primes, so that sampling does not run in step with the
 * system's tick. */
#define CLOCK_PERIOD_ON_US	10007
#define CLOCK_PERIOD_HIGH_US	997
#define CLOCK_PERIOD_LOW_US	100003
#define CLOCK_PERIOD_MIN_US	100
#define CLOCK_PERIOD_MAX_US	1000000
#define SIZE_LIMIT_DEFAULT_MB	2000
#define SAMPLE_PERIOD_DEFAULT_S	1

#define COLLECTOR_LIBRARY	"libcollector.so"
#define COLLECTOR_HEAP_LIBRARY	"libcollector-heap.so"
#define COLLECTOR_SYNC_LIBRARY	"libcollector-sync.so"
#define COLLECTOR_IO_LIBRARY	"libcollector-io.so"
#define COLLECTOR_DEADLOCK_LIBRARY "libcollector-deadlock.so"
#define COLLECTOR_RACE_LIBRARY	"libcollector-race.so"
#define COLLECTOR_MPI_LIBRARY	"libcollector-mpi.so"
#define COLLECTOR_JAVA_LIBRARY	"libcollector-java.so"	/* not preloaded: an agent */
#define COLLECTOR_SAMPLER	"erkit-sampler"		/* in the same directory */

#endif
