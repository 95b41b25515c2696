/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls EXPERIMENT,... [MODULE FLAGS]... - make known numbers of calls before, during and
 * after a recording, in the program, a library and modules: opened before, during and
 * closed. FLAGS: "before" or "during", "now" or "lazy", "deep" or "local". After each
 * recording all slots are as before.
 */

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

#include "late.h"
#include "situation.h"

CALLS(program)
CALLS(before)
CALLS(after)
void calls_in_library(int fd);

/* ---- the slots of all modules, and their protection ---- */

#define SLOTS_MAX 200000

struct slots {
	size_t count, text_size;
	struct {
		uintptr_t *at, value;
	} all[SLOTS_MAX];
	char text[1 << 20]; /* of /proc/self/maps */
};

static struct slots before, after;

static void add_table(struct slots *slots, uintptr_t base, const ElfW(Rela) * table,
		      size_t size)
{
	for (size_t i = 0; table && i < size / sizeof(*table); i++) {
		unsigned type = ELF64_R_TYPE(table[i].r_info);
		uintptr_t *at = (void *)(base + table[i].r_offset);

		if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) ||
		    slots->count == SLOTS_MAX)
			continue;
		slots->all[slots->count].at = at;
		slots->all[slots->count++].value = *at;
	}
}

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	const ElfW(Rela) *calls = NULL, *others = NULL;
	size_t calls_size = 0, others_size = 0;
	const ElfW(Dyn) *entry = NULL;

	(void)size;
	if (strstr(info->dlpi_name, "/erkit/") || strstr(info->dlpi_name, "linux-vdso"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			entry = (void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	for (; entry && entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_JMPREL)
			calls = (void *)entry->d_un.d_ptr;
		if (entry->d_tag == DT_PLTRELSZ)
			calls_size = entry->d_un.d_val;
		if (entry->d_tag == DT_RELA)
			others = (void *)entry->d_un.d_ptr;
		if (entry->d_tag == DT_RELASZ)
			others_size = entry->d_un.d_val;
	}
	add_table(data, info->dlpi_addr, calls, calls_size);
	add_table(data, info->dlpi_addr, others, others_size);
	return 0;
}

/* Lines of our libraries, the heap and memory without a name come and go. */
static void add_maps(struct slots *slots)
{
	FILE *file = fopen("/proc/self/maps", "re");
	char line[4096], *path;

	while (file && fgets(line, sizeof(line), file)) {
		path = strchr(line, '/');
		if (path && !strstr(line, "/erkit") && !strstr(line, "(deleted)"))
			slots->text_size +=
				(size_t)snprintf(slots->text + slots->text_size,
						 sizeof(slots->text) - slots->text_size,
						 "%.32s %s", line, path);
	}
	if (file)
		fclose(file);
}

static void take_slots(struct slots *slots)
{
	slots->count = slots->text_size = 0;
	dl_iterate_phdr(add_module, slots);
	add_maps(slots);
}

static const char *file_of(uintptr_t address)
{
	Dl_info info;

	return dladdr((void *)address, &info) != 0 ? info.dli_fname : "nothing";
}

/* Returns whether a call that led to the module's own PLT has been bound. */
static bool is_bound(uintptr_t *slot, uintptr_t from, uintptr_t to)
{
	return strcmp(file_of((uintptr_t)slot), file_of(from)) == 0 &&
	       !strstr(file_of(to), "/erkit/");
}

/* Returns the place of the slot in the other list, where modules may be missing. */
static size_t find_slot(const struct slots *slots, size_t from, const uintptr_t *at)
{
	while (from < slots->count && slots->all[from].at != at)
		from++;
	return from;
}

static size_t count_changed(bool is_told)
{
	size_t changed = 0, next = 0;

	for (size_t i = 0; i < after.count; i++) {
		size_t k = find_slot(&before, next, after.all[i].at);
		uintptr_t from, to = after.all[i].value;

		if (k == before.count)
			continue;
		next = k + 1;
		from = before.all[k].value;
		if (from == to || is_bound(after.all[i].at, from, to))
			continue;
		if (is_told)
			fprintf(stderr, "a slot of %s leads into %s\n",
				file_of((uintptr_t)after.all[i].at), file_of(to));
		changed++;
	}
	return changed;
}

/* Lines of modules that were closed are missing. */
static size_t count_protection(void)
{
	char *rest = after.text, *line;
	size_t missing = 0;

	while ((line = strsep(&rest, "\n")) != NULL)
		missing += !strstr(before.text, line);
	if (missing == 0)
		return 0;
	fprintf(stderr, "before:\n%s", before.text);
	return missing;
}

/* ---- */

static void call_in(void *module, int fd)
{
	void (*calls)(int) = (void (*)(int))dlsym(module, "calls_in_module");

	if (!calls)
		late_fail("the module has no calls");
	calls(fd);
}

static void *open_module(const char *name, const char *flags)
{
	void *module = dlopen(name, (strstr(flags, "lazy") ? RTLD_LAZY : RTLD_NOW) |
					    (strstr(flags, "deep") ? RTLD_DEEPBIND : 0));

	if (!module)
		late_fail(dlerror());
	return module;
}

#define MODULES_MAX 400

static void make_recording(int fd, int count, char **modules, void **opened)
{
	void *collector;

	calls_in_before(fd);
	take_slots(&before);
	collector = late_begin();
	calls_in_program(fd);
	calls_in_library(fd);
	for (int i = 0; i < count; i++) {
		void *module = opened[i];

		if (!module)
			module = open_module(modules[2 * i], modules[2 * i + 1]);
		call_in(module, fd);
		if (!opened[i] || strstr(modules[2 * i + 1], "closed")) {
			dlclose(module);
			opened[i] = NULL;
		}
	}
	take_slots(&after);
	if (count_changed(false) == 0)
		late_fail("no slot was changed");
	late_end(collector);
	take_slots(&after);
}

int main(int argc, char **argv)
{
	void *opened[MODULES_MAX] = { NULL };
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC), count = (argc - 2) / 2;
	size_t changed = 0;
	char *rest = NULL;

	if (argc < 2 || count > MODULES_MAX || fd < 0)
		return 99;
	for (char *name = strtok_r(argv[1], ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		setenv("LATE_SP_COLLECTOR_EXPNAME", name, 1);
		for (int i = 0; i < count; i++)
			if (!opened[i] && strstr(argv[2 * i + 3], "before"))
				opened[i] = open_module(argv[2 * i + 2], argv[2 * i + 3]);
		make_recording(fd, count, argv + 2, opened);
		calls_in_after(fd);
		changed += count_changed(true) + count_protection();
	}
	printf("%zu slots changed\n", changed);
	return 0;
}
