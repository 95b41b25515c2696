/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/deadlock/clock.h"

#include <stdatomic.h>
#include <stddef.h>

#include "collector/base/memory.h"
#include "collector/deadlock/party.h"

#define SLOTS_MAX 512
#define SIZE_MIN  8
#define SIZES	  8 /* powers of two from SIZE_MIN up to more than SLOTS_MAX */

static struct {
	uint32_t last; /* number in use or used up */
	bool is_taken;
} slots[SLOTS_MAX];
static uint32_t slot_count;
static _Atomic bool is_used;

/* Unused clocks by size; at[0] and at[1] are the next one. */
static struct clock *spare[SIZES];

#define OBJECTS_BITS   12
#define OBJECTS_MAX    (1U << OBJECTS_BITS)
#define SIGNALLERS_MAX 4
MEMORY_APART static struct object {
	uintptr_t object; /* 0: free */
	struct clock *clock;
	/* Of a gate; more than the most: too many to know */
	uint32_t signaller_count, signallers[SIGNALLERS_MAX];
} objects[OBJECTS_MAX];
static uint32_t object_count;

_Atomic uint64_t clock_gates[(1 << CLOCK_GATE_BITS) / 64];
#define GATE 1 /* added to the address of a gate */

bool clock_is_used(void)
{
	return atomic_load_explicit(&is_used, memory_order_relaxed);
}

/* ---- memory ---- */

static struct clock **next_of(struct clock *clock)
{
	return (struct clock **)(void *)clock->at;
}

static struct clock *make(uint32_t size)
{
	uint32_t rounded = SIZE_MIN, class = 0;
	struct clock *clock;

	for (; rounded < size; rounded *= 2)
		class ++;
	clock = spare[class];
	if (clock)
		spare[class] = *next_of(clock);
	else
		clock = memory_get(sizeof(*clock) + rounded * sizeof(clock->at[0]));
	if (!clock)
		return NULL;
	clock->uses = 1;
	clock->size = rounded;
	for (uint32_t i = 0; i < rounded; i++)
		clock->at[i] = 0;
	return clock;
}

void clock_drop(struct clock *clock)
{
	uint32_t class = 0;

	if (!clock || --clock->uses > 0)
		return;
	for (uint32_t size = SIZE_MIN; size < clock->size; size *= 2)
		class ++;
	*next_of(clock) = spare[class];
	spare[class] = clock;
}

static uint32_t number_at(const struct clock *clock, uint32_t slot)
{
	return clock && slot < clock->size ? clock->at[slot] : 0;
}

/* Returns a clock of this size at least that only the caller uses, with the content of
 * the former one, whose use it takes over; or NULL. */
static struct clock *make_own(struct clock *former, uint32_t size)
{
	struct clock *own;

	if (former && former->uses == 1 && former->size >= size)
		return former;
	own = make(former && former->size > size ? former->size : size);
	for (uint32_t i = 0; own && former && i < former->size; i++)
		own->at[i] = former->at[i];
	if (own)
		clock_drop(former);
	return own;
}

static bool contains(const struct clock *clock, const struct clock *other)
{
	for (uint32_t i = 0; i < other->size; i++)
		if (other->at[i] > number_at(clock, i))
			return false;
	return true;
}

static struct clock *join(struct clock *clock, const struct clock *other)
{
	struct clock *joined = make_own(clock, other->size);

	if (!joined)
		return clock;
	for (uint32_t i = 0; i < other->size; i++)
		if (other->at[i] > joined->at[i])
			joined->at[i] = other->at[i];
	return joined;
}

/* ---- slots ---- */

/* A new thread can go on with the numbers of one that ended before, if it knows that. */
static uint32_t take_slot(const struct party *party)
{
	uint32_t free = SLOT_NONE;

	for (uint32_t i = 0; i < slot_count; i++) {
		if (slots[i].is_taken)
			continue;
		free = i;
		if (number_at(party->clock, i) >= slots[i].last)
			return i;
	}
	return slot_count < SLOTS_MAX ? slot_count++ : free;
}

static bool have_slot(struct party *party)
{
	if (party->slot != SLOT_NONE)
		return true;
	party->slot = take_slot(party);
	if (party->slot == SLOT_NONE)
		return false;
	slots[party->slot].is_taken = true;
	party->must_advance = true;
	atomic_store(&is_used, true);
	return true;
}

bool clock_mark(struct party *party, struct moment *moment)
{
	if (!have_slot(party))
		return false;
	if (party->must_advance) {
		struct clock *own = make_own(party->clock, party->slot + 1);

		if (!own)
			return false;
		party->clock = own;
		own->at[party->slot] = ++slots[party->slot].last;
		party->must_advance = false;
	}
	party->is_marked = true;
	party->clock->uses++;
	*moment = (struct moment){ party->slot, party->clock->at[party->slot],
				   party->clock };
	return true;
}

bool clock_is_before(const struct moment *moment, const struct moment *later)
{
	return number_at(later->clock, moment->slot) >= moment->number;
}

void clock_end(struct party *party)
{
	if (party->slot != SLOT_NONE)
		slots[party->slot].is_taken = false;
	party->slot = SLOT_NONE;
}

void clock_forget(struct party *party)
{
	clock_drop(party->clock);
	party->clock = NULL;
}

/* ---- from thread to thread ---- */

struct clock *clock_release(struct party *party)
{
	if (!party->clock)
		return NULL;
	if (party->is_marked) {
		party->is_marked = false;
		party->must_advance = true;
		party->epoch++;
	}
	party->clock->uses++;
	return party->clock;
}

void clock_acquire(struct party *party, const struct clock *clock)
{
	if (!clock || contains(party->clock, clock))
		return;
	party->clock = join(party->clock, clock);
	party->epoch++;
}

/* ---- objects ---- */

/* Returns the place of the object, or of a free entry for it. */
static uint32_t place_of(uintptr_t object)
{
	uint32_t i = (uint32_t)(party_mix(object) >> (64 - OBJECTS_BITS));

	while (objects[i].object != 0 && objects[i].object != object)
		i = (i + 1) % OBJECTS_MAX;
	return i;
}

/* Returns NULL if there was nothing to release, or no room. */
static struct object *release_to(struct party *party, uintptr_t address)
{
	struct object *object = &objects[place_of(address)];
	struct clock *clock;

	if (object->object == 0 && object_count >= OBJECTS_MAX / 2)
		return NULL;
	clock = clock_release(party);
	if (!clock)
		return NULL;
	if (object->object == 0) {
		*object = (struct object){ .object = address, .clock = clock };
		object_count++;
		return object;
	}
	if (!contains(object->clock, clock))
		object->clock = join(object->clock, clock);
	clock_drop(clock);
	return object;
}

void clock_release_to(struct party *party, uintptr_t object)
{
	release_to(party, object);
}

static bool has_signalled(const struct object *gate, uint32_t party)
{
	for (uint32_t i = 0; i < gate->signaller_count && i < SIGNALLERS_MAX; i++)
		if (gate->signallers[i] == party)
			return true;
	return false;
}

void clock_release_to_gate(struct party *party, uintptr_t mutex)
{
	struct object *gate = mutex ? release_to(party, mutex + GATE) : NULL;
	uintptr_t bit = mutex >> 3 & ((1 << CLOCK_GATE_BITS) - 1);

	if (!gate)
		return;
	atomic_fetch_or(&clock_gates[bit / 64], UINT64_C(1) << bit % 64);
	if (gate->signaller_count > SIGNALLERS_MAX || has_signalled(gate, party->number))
		return;
	if (gate->signaller_count < SIGNALLERS_MAX)
		gate->signallers[gate->signaller_count] = party->number;
	gate->signaller_count++;
}

void clock_acquire_from_gate(struct party *party, uintptr_t mutex)
{
	const struct object *gate = &objects[place_of(mutex + GATE)];

	if (gate->object != 0 && gate->signaller_count <= SIGNALLERS_MAX &&
	    !has_signalled(gate, party->number))
		clock_acquire(party, gate->clock);
}

void clock_acquire_from(struct party *party, uintptr_t object)
{
	uint32_t i = place_of(object);

	if (objects[i].object != 0)
		clock_acquire(party, objects[i].clock);
}

/* Move what follows to where it is searched for. */
static void forget(uintptr_t object)
{
	uint32_t i = place_of(object);

	if (objects[i].object == 0)
		return;
	clock_drop(objects[i].clock);
	objects[i].object = 0;
	object_count--;
	for (uint32_t j = (i + 1) % OBJECTS_MAX; objects[j].object != 0;
	     j = (j + 1) % OBJECTS_MAX) {
		struct object other = objects[j];

		objects[j].object = 0;
		objects[place_of(other.object)] = other;
	}
}

void clock_forget_object(uintptr_t object)
{
	forget(object);
	forget(object + GATE);
}

void clock_after_fork(void)
{
	for (uint32_t i = 0; i < OBJECTS_MAX && object_count > 0; i++)
		objects[i].object = 0;
	object_count = 0;
	for (uint32_t i = 0; i < slot_count; i++)
		slots[i].last = slots[i].is_taken = 0;
	slot_count = 0;
	atomic_store(&is_used, false);
}
