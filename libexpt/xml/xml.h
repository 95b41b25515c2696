/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dialect of log.xml and map.xml, read through libxml2: a sequence of elements
 * without a root, NULs between them, inner declarations, stray end tags. Bounded in
 * depth, counts and lengths; no entities are loaded. Values arrive decoded: the five
 * entities and %hh% escapes.
 */
#ifndef LIBEXPT_XML_XML_H
#define LIBEXPT_XML_XML_H

#include <stddef.h>

#include "libexpt/expt.h"

struct xml_element {
	const char *name;
	const char *parent; /* name of the enclosing element, or "" */
	unsigned depth;	    /* 0: top level */
	unsigned line;
	const struct expt_attribute *attributes; /* strings valid during the call only */
	size_t attribute_count;
};

/* Called in document order. A negative return ends the reading with that error. */
struct xml_handler {
	int (*start)(void *context, const struct xml_element *element);
	int (*end)(void *context, const char *name,
		   const char *text); /* its direct text */
	/* Something at this line could not be read; reading goes on behind it if it can.
	 */
	void (*damage)(void *context, unsigned line, const char *what);
};

/* The value of an attribute, or NULL. */
const char *xml_attribute(const struct xml_element *element, const char *name);

/* 0 when the end was reached, damaged or not; -ENOMEM, or what a callback returned. */
int xml_read(const void *bytes, size_t size, const struct xml_handler *handler,
	     void *context, struct expt_error *err);

#endif
