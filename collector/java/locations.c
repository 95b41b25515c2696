/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A class has a protection domain, that one a code source, and that one a URL. Their
 * fields are read: a method in Java could load further classes, for which it would be
 * called again.
 */

#include "collector/java/locations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collector/java/tool.h"

static const char file_protocol[] = "file";

static struct {
	bool is_known;
	jfieldID domain;      /* of a class: since Java 25 */
	jmethodID get_domain; /* before that: a native method */
	jfieldID source, location, protocol, file;
} fields;

/* Returns NULL, with no exception pending, if there is no such field. */
static jfieldID find_field(JNIEnv *jni, const char *class, const char *name,
			   const char *type)
{
	jclass found = (*jni)->FindClass(jni, class);
	jfieldID field = found ? (*jni)->GetFieldID(jni, found, name, type) : NULL;

	(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, found);
	return field;
}

static jmethodID find_method(JNIEnv *jni, const char *class, const char *name,
			     const char *type)
{
	jclass found = (*jni)->FindClass(jni, class);
	jmethodID method = found ? (*jni)->GetMethodID(jni, found, name, type) : NULL;

	(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, found);
	return method;
}

void locations_begin(JNIEnv *jni)
{
	static const char class[] = "java/lang/Class";
	static const char domain[] = "java/security/ProtectionDomain";
	static const char source[] = "java/security/CodeSource";
	static const char url[] = "java/net/URL";

	fields.domain = find_field(jni, class, "protectionDomain",
				   "Ljava/security/ProtectionDomain;");
	if (!fields.domain)
		fields.get_domain = find_method(jni, class, "getProtectionDomain0",
						"()Ljava/security/ProtectionDomain;");
	fields.source =
		find_field(jni, domain, "codesource", "Ljava/security/CodeSource;");
	fields.location = find_field(jni, source, "location", "Ljava/net/URL;");
	fields.protocol = find_field(jni, url, "protocol", "Ljava/lang/String;");
	fields.file = find_field(jni, url, "file", "Ljava/lang/String;");
	fields.is_known = (fields.domain || fields.get_domain) && fields.source &&
			  fields.location && fields.protocol && fields.file;
}

/* Returns the object in a field, and gives up the reference to the one around it. */
static jobject step(JNIEnv *jni, jobject object, jfieldID field)
{
	jobject found = object ? (*jni)->GetObjectField(jni, object, field) : NULL;

	(*jni)->DeleteLocalRef(jni, object);
	return found;
}

static jobject find_domain(JNIEnv *jni, jclass class)
{
	jobject domain;

	if (fields.domain)
		return (*jni)->GetObjectField(jni, class, fields.domain);
	domain = (*jni)->CallObjectMethod(jni, class, fields.get_domain);
	(*jni)->ExceptionClear(jni);
	return domain;
}

static bool is_file(JNIEnv *jni, jobject url)
{
	jstring text = (*jni)->GetObjectField(jni, url, fields.protocol);
	const char *protocol = text ? (*jni)->GetStringUTFChars(jni, text, NULL) : NULL;
	bool is = protocol && strcmp(protocol, file_protocol) == 0;

	if (protocol)
		(*jni)->ReleaseStringUTFChars(jni, text, protocol);
	(*jni)->DeleteLocalRef(jni, text);
	return is;
}

/* "file:" and the path. */
static char *copy_path(JNIEnv *jni, jstring path)
{
	jsize length = (*jni)->GetStringUTFLength(jni, path);
	unsigned char *copy;

	if ((*tool)->Allocate(tool, (jlong)sizeof(file_protocol) + length + 1, &copy) !=
	    JVMTI_ERROR_NONE)
		return NULL;
	memcpy(copy, "file:", sizeof(file_protocol));
	(*jni)->GetStringUTFRegion(jni, path, 0, (*jni)->GetStringLength(jni, path),
				   (char *)copy + sizeof(file_protocol));
	copy[sizeof(file_protocol) + (size_t)length] = '\0';
	return (char *)copy;
}

/* The machine's own classes have no loader, or come from "jrt:/". */
static bool has_loader(JNIEnv *jni, jclass class)
{
	jobject loader = NULL;

	(*tool)->GetClassLoader(tool, class, &loader);
	(*jni)->DeleteLocalRef(jni, loader);
	return loader;
}

char *locations_find(JNIEnv *jni, jclass class)
{
	jobject url;
	jstring path;
	char *copy;

	if (!fields.is_known || !has_loader(jni, class))
		return NULL;
	url = step(jni, step(jni, find_domain(jni, class), fields.source),
		   fields.location);
	if (!url || !is_file(jni, url)) {
		(*jni)->DeleteLocalRef(jni, url);
		return NULL;
	}
	path = step(jni, url, fields.file);
	copy = path ? copy_path(jni, path) : NULL;
	(*jni)->DeleteLocalRef(jni, path);
	return copy;
}
