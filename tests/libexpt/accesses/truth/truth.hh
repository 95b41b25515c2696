// SPDX-License-Identifier: Apache-2.0
// Members of classes, by their addresses in an object: offsetof is for plain ones only.
#ifndef TRUTH_HH
#define TRUTH_HH

#include "truth.h"

template <class T, class P> size_t truth_offset(const T &object, const P &part)
{
	return reinterpret_cast<const char *>(&part) -
	       reinterpret_cast<const char *>(&object);
}

template <class T, class M>
void truth_part(const char *owner, const T &object, const char *name, const M &part,
		const char *type = nullptr)
{
	truth_member(owner, name, truth_offset(object, part), sizeof(M), type);
}

// The base class B; the size is that of B without its own virtual base classes.
template <class B, class T>
void truth_base(const char *owner, const T &object, const char *type,
		size_t size = sizeof(B))
{
	truth_member(owner, "-", truth_offset(object, static_cast<const B &>(object)),
		     size, type);
}

#endif
