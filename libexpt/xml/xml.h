/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dialect of log.xml and map.xml, with libxml2 for what is not plain: a sequence of
 * elements without a root, with NULs between them, inner declarations and stray end
 * tags. Depth, counts and lengths are bounded, and no entities are loaded. Values arrive
 * decoded: the five entities and %hh% escapes.
 */
#ifndef LIBEXPT_XML_XML_H
#define LIBEXPT_XML_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "libexpt/expt.h"

struct xml_element {
	const char *name;
	const char *parent; /* name of the enclosing element, or "" */
	unsigned depth;	    /* 0: top level */
	unsigned line;
	const struct expt_attribute *attributes; /* valid only during the call */
	size_t attribute_count;
};

/* Callbacks in document order. A negative return value ends the reading with that
 * error. */
struct xml_handler {
	int (*start)(void *context, const struct xml_element *element);
	int (*end)(void *context, const char *name,
		   const char *text); /* its direct text */
	/* Report an unreadable part at this line; reading continues after it if
	 * possible. */
	void (*damage)(void *context, unsigned line, const char *what);
};

/* Check whether two names are the same; most differ in their first characters. */
static inline bool xml_is_same(const char *a, const char *b)
{
	return a[0] == b[0] && strcmp(a, b) == 0;
}

/* Returns the value of an attribute, or NULL. */
const char *xml_attribute(const struct xml_element *element, const char *name);

/* Returns 0 at the end, even of damaged data; -ENOMEM; or the error of a callback. */
int xml_read(const void *bytes, size_t size, const struct xml_handler *handler,
	     void *context, struct expt_error *err);

#endif
