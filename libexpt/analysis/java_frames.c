/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A native method's function has a name that the Java Native Interface prescribes. The
 * native frames from it on are shown after the method: to the leaf for the last method of
 * a stack, else to the next frame of the Java machine, which calls Java code again.
 */
#include "libexpt/analysis/java_frames.h"

#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/strbuf.h"

#define JAVA_MACHINE "<libjvm.so>"

/* A search that fails looks at the rest of the native stack. A stack with more native
 * methods than these whose functions have other names would take too long. */
#define FAILURES_MAX 8

struct walk {
	struct frame_list *frames; /* root first, while walking */
	struct expt *expt;
	uint64_t time_ns;
	const struct expt_stack *native;
	size_t left; /* native frames that are nearer to the leaf */
	unsigned failures;
};

bool frame_list_add(struct frame_list *frames, const struct expt_place *place)
{
	struct expt_place *new = array_add(frames);

	if (new)
		*new = *place;
	return new;
}

/* ---- names of functions ---- */

/* Take a character of a name in UTF-8, as the machine writes it: up to three bytes. */
static unsigned take_character(const unsigned char **next)
{
	const unsigned char *bytes = *next;
	unsigned length = bytes[0] < 0xc0 ? 1 : bytes[0] < 0xe0 ? 2 : 3;
	unsigned value = length == 1   ? bytes[0]
			 : length == 2 ? bytes[0] & 0x1f
				       : bytes[0] & 0x0f;

	for (unsigned i = 1; i < length && bytes[i]; i++, ++*next)
		value = value << 6 | (bytes[i] & 0x3f);
	++*next;
	return value;
}

/* Add "Java_pkg_Cell_work" for "pkg.Cell.work". */
static void add_function_name(struct strbuf *name, const char *method)
{
	const unsigned char *next = (const unsigned char *)method;

	strbuf_add_text(name, "Java_");
	while (*next) {
		unsigned c = take_character(&next);

		if (c == '.')
			strbuf_add_char(name, '_');
		else if (c == '_')
			strbuf_add_text(name, "_1");
		else if (c < 0x80 && strchr("0123456789abcdefghijklmnopqrstuvwxyz"
					    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
					    (int)c))
			strbuf_add_char(name, (char)c);
		else
			strbuf_printf(name, "_0%04x", c & 0xffff);
	}
}

/* Check for the name, or the name with the types of the arguments after "__". */
static bool has_name(const struct expt_function *function, const char *name,
		     size_t length)
{
	const char *own = expt_function_name(function, EXPT_NAME_MANGLED);

	return strncmp(own, name, length) == 0 &&
	       (own[length] == '\0' || strncmp(own + length, "__", 2) == 0);
}

/* ---- native frames ---- */

static void place_at(const struct walk *walk, size_t i, struct expt_place *place)
{
	expt_place(walk->expt, walk->native->pcs[i], walk->time_ns, place);
}

/* Find the function of a native method, and leave it as the next frame. */
static bool find_function(struct walk *walk, const struct expt_function *method)
{
	cleanup_strbuf struct strbuf name = STRBUF_INIT;

	add_function_name(&name, expt_function_name(method, EXPT_NAME_MANGLED));
	for (size_t i = walk->left; i > 0 && walk->failures < FAILURES_MAX; i--) {
		struct expt_place place;

		place_at(walk, i - 1, &place);
		if (has_name(place.function, strbuf_text(&name), name.length)) {
			walk->left = i;
			return true;
		}
	}
	walk->failures++;
	return false;
}

static bool is_machine(const struct expt_place *place)
{
	return strcmp(expt_object_name(expt_function_object(place->function)),
		      JAVA_MACHINE) == 0;
}

static bool add_native(struct walk *walk, bool is_last)
{
	size_t first = walk->left;

	while (walk->left > 0) {
		struct expt_place place;

		place_at(walk, walk->left - 1, &place);
		if (!is_last && walk->left < first && is_machine(&place))
			break;
		if (!frame_list_add(walk->frames, &place))
			return false;
		walk->left--;
	}
	return true;
}

static bool add_method(struct walk *walk, const struct expt_java_frame *frame,
		       bool is_last)
{
	struct expt_place place;
	bool is_known = expt_java_place(walk->expt, frame->method, frame->bci,
					walk->time_ns, &place);

	if (!frame_list_add(walk->frames, &place))
		return false;
	return !is_known || frame->bci != EXPT_JAVA_NATIVE ||
	       !find_function(walk, place.function) || add_native(walk, is_last);
}

static void reverse(struct frame_list *frames)
{
	for (size_t i = 0; i < frames->count / 2; i++) {
		struct expt_place place = frames->items[i];

		frames->items[i] = frames->items[frames->count - 1 - i];
		frames->items[frames->count - 1 - i] = place;
	}
}

bool java_frames_add(struct frame_list *frames, struct expt *expt,
		     const struct expt_java_stack *java, const struct expt_stack *native,
		     uint64_t time_ns)
{
	struct walk walk = {
		.frames = frames,
		.expt = expt,
		.time_ns = time_ns,
		.native = native,
		.left = native->count,
	};

	for (size_t i = java->count; i > 0; i--)
		if (!add_method(&walk, &java->frames[i - 1], i == 1))
			return false;
	reverse(frames);
	return true;
}
