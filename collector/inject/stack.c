/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Few functions of the C library have a name in its file, so what matters is in which
 * library a frame is; only functions that are exported are known by name, and only those
 * of two kinds are looked for: see names.
 */
#include "collector/inject/stack.h"

#include <elf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/inject/maps.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/late.h"
#include "libexpt/cli/cli.h"

/* clang-format off */
#define FUNCTIONS(F)                                                                     \
	F(dwfl_begin) F(dwfl_end) F(dwfl_linux_proc_report) F(dwfl_report_end)           \
	F(dwfl_linux_proc_attach) F(dwfl_linux_proc_find_elf) F(dwfl_getmodules)         \
	F(dwfl_module_getsymtab) F(dwfl_module_getsym_info) F(dwfl_module_eh_cfi)        \
	F(dwfl_module_info) F(dwfl_addrmodule) F(dwfl_frame_pc) F(dwfl_getthread_frames)
/* clang-format on */
FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library libdw = LATE_LIBRARY(LATE_LIBDW, functions);

enum kind { LOCKED, START };

struct range {
	uint64_t start, end;
	enum kind kind;
};

struct stack_reader {
	pid_t process;
	uint64_t entry;	  /* of the program */
	struct maps maps; /* while it is opened */
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	struct {
		struct range *items;
		size_t count, capacity;
	} ranges;
};

static const struct stack_reader *opening; /* for find_file() */

/* Allocators of the program's own have locks as well. Others may not open libraries while
 * dl_iterate_phdr() calls the program. */
static const struct {
	const char *name;
	enum kind kind;
} names[] = {
	{ "malloc", LOCKED },
	{ "free", LOCKED },
	{ "calloc", LOCKED },
	{ "realloc", LOCKED },
	{ "reallocarray", LOCKED },
	{ "memalign", LOCKED },
	{ "aligned_alloc", LOCKED },
	{ "posix_memalign", LOCKED },
	{ "valloc", LOCKED },
	{ "pvalloc", LOCKED },
	{ "malloc_trim", LOCKED },
	{ "malloc_info", LOCKED },
	{ "mallinfo", LOCKED },
	{ "mallinfo2", LOCKED },
	{ "fork", LOCKED },
	{ "dl_iterate_phdr", LOCKED },
	{ "__libc_start_main", START },
};

/* The kernel's own link to a mapped file is for root only. */
static int open_mapped(const struct mapping *mapping, pid_t process)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
		 (int)process, mapping->start, mapping->end);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_named(const char *name)
{
	cleanup_fd int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 ? -errno : io_open_regular(root, name + 1);
}

/* Open the file of a module. Others may exchange what has its name, or cut it off while
 * it is read: so it is never mapped, and libdw opens only the memory of a file that a
 * user's own process has mapped and removed. */
static int find_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		     char **found, Elf **elf)
{
	const struct mapping *mapping = maps_find(&opening->maps, base);
	cleanup_fd int fd = -ENOENT;

	if (name[0] == '/' && mapping)
		fd = open_mapped(mapping, opening->process);
	if (name[0] == '/' && fd < 0)
		fd = open_named(name);
	if (fd < 0 && (name[0] != '/' || geteuid() != 0))
		return late_dwfl_linux_proc_find_elf(module, data, name, base, found,
						     elf);
	if (fd < 0)
		return -1;
	elf_version(EV_CURRENT);
	*elf = elf_begin(fd, ELF_C_READ, NULL);
	*found = strdup(name);
	return *elf ? steal_fd(&fd) : -1;
}

/* Only the files themselves have the tables that are needed: debug files are not looked
 * for, which may take long. */
static int find_no_debug_file(Dwfl_Module *module, void **data, const char *name,
			      Dwarf_Addr base, const char *file, const char *link,
			      GElf_Word crc, char **found)
{
	return -1;
}

static bool begins(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static void add_range(struct stack_reader *reader, uint64_t start, uint64_t end,
		      enum kind kind)
{
	struct range *range = array_add(&reader->ranges);

	if (range)
		*range = (struct range){ start, end, kind };
}

static bool is_operator(const char *name)
{
	return begins(name, "_Znw") || begins(name, "_Zna") || begins(name, "_Zdl") ||
	       begins(name, "_Zda");
}

static void add_symbol(struct stack_reader *reader, const char *name, uint64_t start,
		       uint64_t size)
{
	if (is_operator(name))
		add_range(reader, start, start + size, LOCKED);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i].name, name) == 0)
			add_range(reader, start, start + size, names[i].kind);
}

/* Whether a library with its own malloc() is nothing but an allocator: the program is
 * more, and so are sanitizers, below whose functions all others run. */
static bool is_allocator(const struct stack_reader *reader, const char *name,
			 uint64_t start, uint64_t end)
{
	static const char *const others[] = { "libc.",	      "libc-",	    "ld-",
					      "libcollector", "libasan",    "libtsan",
					      "liblsan",      "libclang_rt" };
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (begins(name, others[i]))
			return false;
	return reader->entry < start || reader->entry >= end;
}

/* The functions at work may have no names, and may have been jumped to. */
static void add_allocator(struct stack_reader *reader, Dwfl_Module *module,
			  const char *name)
{
	Dwarf_Addr start, end;

	late_dwfl_module_info(module, NULL, &start, &end, NULL, NULL, NULL, NULL);
	if (is_allocator(reader, name, start, end))
		add_range(reader, start, end, LOCKED);
}

/* Prepare the module, so that this takes no time while a thread is stopped. */
static int prepare_module(Dwfl_Module *module, void **data, const char *name,
			  Dwarf_Addr base, void *to)
{
	int count = late_dwfl_module_getsymtab(module);
	bool has_malloc = false;
	GElf_Addr address;
	Dwarf_Addr bias;
	GElf_Sym symbol;

	late_dwfl_module_eh_cfi(module, &bias);
	for (int i = 1; i < count; i++) {
		const char *called = late_dwfl_module_getsym_info(
			module, i, &symbol, &address, NULL, NULL, NULL);

		if (!called || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
		    symbol.st_shndx == SHN_UNDEF)
			continue;
		add_symbol(to, called, address, symbol.st_size);
		has_malloc = has_malloc || strcmp(called, "malloc") == 0;
	}
	if (has_malloc)
		add_allocator(to, module, name);
	return DWARF_CB_OK;
}

int stack_load(void)
{
	const char *missing = late_load(&libdw);

	return missing ? cli_error("cannot look at call stacks: %s", missing) : CLI_OK;
}

/* Returns the first instruction of the program; 0: unknown. */
static uint64_t find_entry(pid_t process)
{
	cleanup_fd int fd = -1;
	uint64_t pair[2];
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/auxv", (int)process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && io_read_full(fd, pair, sizeof(pair)) == sizeof(pair))
		if (pair[0] == AT_ENTRY)
			return pair[1];
	return 0;
}

struct stack_reader *stack_reader_open(pid_t process)
{
	struct stack_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return NULL;
	reader->process = process;
	reader->entry = find_entry(process);
	opening = reader;
	maps_read(&reader->maps, process);
	reader->callbacks.find_elf = find_file;
	reader->callbacks.find_debuginfo = find_no_debug_file;
	reader->dwfl = late_dwfl_begin(&reader->callbacks);
	if (!reader->dwfl || late_dwfl_linux_proc_report(reader->dwfl, process) != 0 ||
	    late_dwfl_report_end(reader->dwfl, NULL, NULL) != 0 ||
	    late_dwfl_linux_proc_attach(reader->dwfl, process, true) != 0) {
		stack_reader_close(reader);
		return NULL;
	}
	late_dwfl_getmodules(reader->dwfl, prepare_module, reader, 0);
	maps_release(&reader->maps);
	return reader;
}

void stack_reader_close(struct stack_reader *reader)
{
	if (!reader)
		return;
	late_dwfl_end(reader->dwfl);
	array_release(&reader->ranges);
	maps_release(&reader->maps);
	free(reader);
}

static bool is_in(const struct stack_reader *reader, uint64_t pc, enum kind kind)
{
	for (size_t i = 0; i < reader->ranges.count; i++) {
		const struct range *range = &reader->ranges.items[i];

		if (pc >= range->start && pc < range->end && range->kind == kind)
			return true;
	}
	return false;
}

static void take_module(struct frame *frame, Dwfl_Module *module)
{
	const char *name = module ? late_dwfl_module_info(module, NULL, NULL, NULL, NULL,
							  NULL, NULL, NULL)
				  : "";
	const char *slash = strrchr(name, '/');

	name = slash ? slash + 1 : name;
	frame->is_loader = begins(name, "ld-linux") || begins(name, "ld-2.");
	frame->is_collector = begins(name, "libcollector");
	frame->is_delicate = frame->is_loader || frame->is_collector ||
			     begins(name, "libc.so") || begins(name, "libc-2.") ||
			     begins(name, "libpthread") || begins(name, "libdl") ||
			     begins(name, "[vdso");
}

struct reading {
	struct stack *stack;
	const struct stack_reader *reader;
};

static int take_frame(Dwfl_Frame *state, void *to)
{
	struct reading *reading = to;
	struct stack *stack = reading->stack;
	struct frame *frame = &stack->frames[stack->count];
	Dwarf_Addr pc;

	if (stack->count == FRAMES_MAX ||
	    !late_dwfl_frame_pc(state, &pc, &frame->is_interrupted))
		return DWARF_CB_ABORT;
	stack->count++;
	frame->pc = pc;
	/* A call may be the last instruction of its function. */
	if (!frame->is_interrupted)
		pc--;
	take_module(frame, late_dwfl_addrmodule(reading->reader->dwfl, pc));
	frame->is_start = is_in(reading->reader, pc, START);
	frame->is_locked = is_in(reading->reader, pc, LOCKED);
	return DWARF_CB_OK;
}

void stack_read(struct stack *stack, struct stack_reader *reader, pid_t thread)
{
	struct reading reading = { stack, reader };

	stack->count = 0;
	late_dwfl_getthread_frames(reader->dwfl, thread, take_frame, &reading);
}
