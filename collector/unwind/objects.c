/* SPDX-License-Identifier: Apache-2.0 */
/* The published array of load objects. */

#include "collector/unwind/objects.h"

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/unwind/debug_frame.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#define CAPACITY_AT_FIRST 128

struct object_list {
	_Atomic uint32_t version; /* odd: being rewritten */
	uint32_t count, capacity;
	struct unwind_object objects[];
};

static struct object_list *lists[2];
static _Atomic(struct object_list *) published;
static _Atomic uint32_t generation;
static atomic_bool are_behind;

/* The index in the object's unwind table that was found last for each block of code.
 * Blocks share entries, and an entry may be from an object that is gone: it is only a
 * hint. */
#define HINTS	   8192
#define HINT_BLOCK 4096
MEMORY_APART static _Atomic uint32_t hints[HINTS];

static struct object_list *new_list(uint32_t capacity)
{
	size_t size =
		sizeof(struct object_list) + capacity * sizeof(struct unwind_object);
	struct object_list *list = sys_mmap(size, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (list)
		list->capacity = capacity;
	return list;
}

/* ---- searching ------------------------------------------------------------------------
 */

static bool search(const struct object_list *list, struct unwind_object *object,
		   uintptr_t pc)
{
	uint32_t low = 0, high = list->count;

	if (high > list->capacity)
		return false;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (list->objects[middle].low <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return false;
	*object = list->objects[low - 1];
	return pc < object->high;
}

static bool is_same(const struct unwind_object *a, const struct unwind_object *b)
{
	return a->low == b->low && a->high == b->high && a->cfi.header == b->cfi.header;
}

/* ---- collecting -----------------------------------------------------------------------
 */

struct collecting {
	struct object_list *list;
	const struct object_list *earlier; /* the published list, or NULL */
	uintptr_t interpreter_entry;
	uint32_t wanted; /* objects seen, including those without room */
};

/* Returns the address where the kernel enters the dynamic linker, which runs constructors
 * from there. */
static uintptr_t interpreter_entry(void)
{
	uintptr_t base = getauxval(AT_BASE);

	return base ? base + ((const ElfW(Ehdr) *)base)->e_entry : 0;
}

static void cover(struct unwind_object *object, uintptr_t low, uintptr_t high)
{
	if (object->low == object->high) {
		object->low = low;
		object->high = high;
	}
	object->low = low < object->low ? low : object->low;
	object->high = high > object->high ? high : object->high;
}

static void find_rules(struct unwind_object *object, const struct dl_phdr_info *info,
		       uintptr_t header)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD || header - low >= segment->p_filesz)
			continue;
		cfi_section_init(&object->cfi, header, low, low + segment->p_filesz);
		return;
	}
}

static void describe(struct unwind_object *object, const struct dl_phdr_info *info)
{
	uintptr_t header = 0;

	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
			cover(object, low, low + segment->p_memsz);
		if (segment->p_type == PT_GNU_EH_FRAME)
			header = low;
	}
	if (header)
		find_rules(object, info, header);
}

static uintptr_t code_size(const struct dl_phdr_info *info)
{
	uintptr_t size = 0;

	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    info->dlpi_phdr[i].p_flags & PF_X)
			size += info->dlpi_phdr[i].p_memsz;
	return size;
}

/* Read the file only once: a later list copies the result. */
static void add_debug_frame(struct unwind_object *object, const struct dl_phdr_info *info,
			    const struct object_list *earlier)
{
	struct unwind_object former;

	if (earlier && search(earlier, &former, object->low) && is_same(object, &former))
		object->debug = former.debug;
	else
		debug_frame_read(&object->debug, &object->cfi, info, object->low,
				 code_size(info));
}

static int add_object(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct collecting *collecting = argument;
	struct object_list *list = collecting->list;
	struct unwind_object object = { .is_published = true };
	uint32_t place;

	describe(&object, info);
	if (object.low == object.high)
		return 0;
	collecting->wanted++;
	if (list->count == list->capacity)
		return 0;
	add_debug_frame(&object, info, collecting->earlier);
	if (collecting->interpreter_entry - object.low < object.high - object.low)
		object.entry = collecting->interpreter_entry;
	for (place = list->count; place && list->objects[place - 1].low > object.low;
	     place--)
		list->objects[place] = list->objects[place - 1];
	list->objects[place] = object;
	list->count++;
	return 0;
}

static bool lacks_any(const struct object_list *list, const struct object_list *earlier)
{
	for (uint32_t i = 0; earlier && i < earlier->count; i++) {
		const struct unwind_object *object = &earlier->objects[i];
		struct unwind_object now;

		if (!search(list, &now, object->low) || !is_same(&now, object))
			return true;
	}
	return false;
}

/* ---- publishing -----------------------------------------------------------------------
 */

/* Returns the list that is not published, with room for that many objects. */
static struct object_list *spare_list(uint32_t capacity)
{
	struct object_list **spare = &lists[lists[0] == atomic_load(&published)];

	if (!*spare || (*spare)->capacity < capacity) {
		struct object_list *larger = new_list(capacity);

		if (!larger)
			return NULL;
		*spare = larger; /* a handler may still read the smaller list */
	}
	return *spare;
}

static void collect(struct collecting *collecting)
{
	struct object_list *list = collecting->list;

	atomic_fetch_add_explicit(&list->version, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	list->count = 0;
	collecting->wanted = 0;
	dl_iterate_phdr(add_object, collecting);
	atomic_fetch_add_explicit(&list->version, 1, memory_order_release);
}

bool objects_refresh(bool *has_shrunk)
{
	struct object_list *earlier = atomic_load(&published);
	struct collecting collecting = {
		.earlier = earlier,
		.interpreter_entry = interpreter_entry(),
		.wanted = earlier ? earlier->capacity : CAPACITY_AT_FIRST,
	};

	atomic_store(&are_behind, false);
	do {
		uint32_t capacity = CAPACITY_AT_FIRST;

		while (capacity < collecting.wanted)
			capacity *= 2;
		collecting.list = spare_list(capacity);
		if (!collecting.list)
			return false;
		collect(&collecting);
	} while (collecting.wanted > collecting.list->capacity);
	*has_shrunk = lacks_any(collecting.list, earlier);
	atomic_store_explicit(&published, collecting.list, memory_order_release);
	atomic_fetch_add_explicit(&generation, 1, memory_order_release);
	return true;
}

/* ---- reading --------------------------------------------------------------------------
 */

static bool find_published(struct unwind_object *object, uintptr_t pc)
{
	for (;;) {
		struct object_list *list =
			atomic_load_explicit(&published, memory_order_acquire);
		uint32_t version;
		bool is_found;

		if (!list)
			return false;
		version = atomic_load_explicit(&list->version, memory_order_acquire);
		is_found = search(list, object, pc);
		atomic_thread_fence(memory_order_acquire);
		if (!(version & 1) &&
		    version == atomic_load_explicit(&list->version, memory_order_relaxed))
			return is_found;
	}
}

/* libc keeps these data for unwinders; handlers may read them. */
static bool ask_libc(struct unwind_object *object, uintptr_t pc)
{
	struct dl_find_object found;
	uintptr_t low, high;

	if (_dl_find_object((void *)pc, &found) != 0)
		return false;
	low = (uintptr_t)found.dlfo_map_start;
	high = (uintptr_t)found.dlfo_map_end;
	*object = (struct unwind_object){ .low = low, .high = high };
	cfi_section_init(&object->cfi, (uintptr_t)found.dlfo_eh_frame, low, high);
	atomic_store_explicit(&are_behind, true, memory_order_relaxed);
	return true;
}

bool objects_find(struct unwind_object *object, uintptr_t pc)
{
	return find_published(object, pc) || ask_libc(object, pc);
}

bool objects_is_return_address(uintptr_t pc)
{
	struct unwind_object object;

	return objects_find(&object, pc - 1) &&
	       is_returned_to(pc, object.low, object.high);
}

enum cfi_result objects_find_rules(struct cfi_rules *rules,
				   const struct unwind_object *object, uintptr_t address)
{
	_Atomic uint32_t *place = &hints[address / HINT_BLOCK % HINTS];
	uint32_t hint = atomic_load_explicit(place, memory_order_relaxed);
	enum cfi_result result = cfi_find(rules, &object->cfi, address, &hint);
	uint32_t none = 0;

	atomic_store_explicit(place, hint, memory_order_relaxed);
	return result == CFI_NONE ? cfi_find(rules, &object->debug, address, &none)
				  : result;
}

bool objects_are_behind(void)
{
	return atomic_load_explicit(&are_behind, memory_order_relaxed);
}

/* Another thread may have been rewriting a list at the time of the fork. */
void objects_after_fork(void)
{
	for (unsigned i = 0; i < 2; i++) {
		if (lists[i] && atomic_load(&lists[i]->version) & 1)
			atomic_fetch_add(&lists[i]->version, 1);
	}
}

uint32_t objects_generation(void)
{
	return atomic_load_explicit(&generation, memory_order_acquire);
}
