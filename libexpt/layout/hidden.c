/* SPDX-License-Identifier: Apache-2.0 */
/* Names of stages and of removals: hidden siblings of the final name. */
#include "libexpt/layout/hidden.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/base/random.h"
#include "libexpt/common/error.h"
#include "libexpt/common/hash.h"
#include "libexpt/format.h"

#define CHECKSUM_LENGTH 16

int stage_split(int *parent, char *name, const char *path, struct expt_error *err)
{
	size_t length, start;
	const char *last = path_last(path, &length);
	cleanup_free char *directory = NULL;

	if (length == 0 || (*last == '.' && length == 1) ||
	    (length == 2 && memcmp(last, "..", 2) == 0))
		return expt_refuse(err, -EINVAL, "'%s' is not a name for an experiment",
				   path);
	if (length >= STAGE_NAME_SIZE)
		return expt_fail(err, -ENAMETOOLONG, "'%.60s...'", last);
	memcpy(name, last, length);
	name[length] = '\0';

	start = (size_t)(last - path);
	while (start > 1 && path[start - 1] == '/')
		start--;
	directory = start ? strndup(path, start) : strdup(".");
	if (!directory)
		return expt_fail(err, -ENOMEM, "cannot open the parent directory of '%s'",
				 path);
	*parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*parent < 0 && errno == EACCES) /* the user may write but not list it */
		*parent = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*parent < 0)
		return expt_fail(err, -errno, "cannot open directory '%s'", directory);
	return 0;
}

static bool is_continuation(char c) /* of a UTF-8 character */
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

size_t stage_hidden_prefix(char prefix[STAGE_NAME_SIZE], const char *final)
{
	size_t room =
		STAGE_NAME_SIZE - 1 - 2 - HIDDEN_RANDOM_LENGTH - strlen(PART_SUFFIX);
	size_t length = strlen(final);
	unsigned char digest[HASH_SIZE];
	char text[HASH_TEXT_SIZE];
	struct hash hash;

	if (length <= room)
		return (size_t)snprintf(prefix, STAGE_NAME_SIZE, ".%s.", final);
	hash_init(&hash);
	hash_update(&hash, final, length);
	hash_digest(&hash, digest);
	hash_text(text, digest);
	length = room - CHECKSUM_LENGTH - 1;
	while (length > 1 && is_continuation(final[length]))
		length--;
	return (size_t)snprintf(prefix, STAGE_NAME_SIZE, ".%.*s~%.*s.", (int)length,
				final, CHECKSUM_LENGTH, text);
}

void stage_hidden_name(char name[STAGE_NAME_SIZE], const char *final, const char *suffix)
{
	size_t length = stage_hidden_prefix(name, final);

	random_letters(name + length, HIDDEN_RANDOM_LENGTH);
	strcpy(name + length + HIDDEN_RANDOM_LENGTH, suffix);
}

bool stage_is_hidden_name(const char *name, const char *prefix, const char *suffix)
{
	size_t length = strlen(prefix);

	return strlen(name) == length + HIDDEN_RANDOM_LENGTH + strlen(suffix) &&
	       memcmp(name, prefix, length) == 0 &&
	       strcmp(name + length + HIDDEN_RANDOM_LENGTH, suffix) == 0;
}

void stage_part_name(char name[STAGE_NAME_SIZE], const char *final)
{
	stage_hidden_name(name, final, PART_SUFFIX);
}

bool stage_is_part_name(const char *name, const char *final)
{
	char prefix[STAGE_NAME_SIZE];

	stage_hidden_prefix(prefix, final);
	return stage_is_hidden_name(name, prefix, PART_SUFFIX);
}

/* Returns whether the name between the dots of a hidden one is an experiment's, even if
 * cut. */
static bool is_experiments(const char *name)
{
	size_t length = strlen(name);

	return text_ends_with(name, EXPERIMENT_SUFFIX) ||
	       (length > CHECKSUM_LENGTH + 1 &&
		name[length - CHECKSUM_LENGTH - 1] == '~');
}

bool stage_final_name(char *final, const char *name)
{
	size_t length = strlen(name), tail = 1 + HIDDEN_RANDOM_LENGTH;

	if (text_ends_with(name, PART_SUFFIX))
		tail += strlen(PART_SUFFIX);
	else if (text_ends_with(name, DELETED_SUFFIX))
		tail += strlen(DELETED_SUFFIX);
	else
		return false;
	if (name[0] != '.' || length < tail + 2 || length - tail > STAGE_NAME_SIZE ||
	    name[length - tail] != '.')
		return false;
	memcpy(final, name + 1, length - tail - 1);
	final[length - tail - 1] = '\0';
	return true;
}

bool stage_is_hidden(const char *name)
{
	char final[STAGE_NAME_SIZE];

	return stage_final_name(final, name) && is_experiments(final);
}
