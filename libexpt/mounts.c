/* SPDX-License-Identifier: Apache-2.0 */
/* A line of mountinfo: numbers, numbers, a device, what is mounted, the place, and more; with blanks and
 * the like in names as "\040". */
#include "libexpt/mounts.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"

#define MOUNTS_FILE "/proc/self/mountinfo"
#define PLACE_FIELD 4
#define CHUNK	    65536

/* As the kernel names the directory now, in the same view that the list of mounts has. */
static bool path_of(char path[PATH_MAX], int dir)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
	length = readlink(link, path, PATH_MAX - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	return *path == '/';
}

/* The list is made line by line while it is read, and has no size before. */
static bool read_mounts(struct strbuf *text)
{
	cleanup_fd int fd = open(MOUNTS_FILE, O_RDONLY | O_CLOEXEC);
	ssize_t got = -1;

	while (fd >= 0 && strbuf_reserve(text, CHUNK) &&
	       (got = io_read_full(fd, text->text + text->length, CHUNK)) > 0) {
		text->length += (size_t)got;
		text->text[text->length] = '\0';
	}
	return got == 0;
}

static bool is_octal(const char *digits)
{
	return strspn(digits, "01234567") >= 3;
}

static void read_place(char place[PATH_MAX], const char *text)
{
	size_t length = 0;

	while (*text && *text != ' ' && *text != '\n' && length < PATH_MAX - 1) {
		if (*text == '\\' && is_octal(text + 1)) {
			place[length++] = (char)((text[1] - '0') * 64 +
						 (text[2] - '0') * 8 + (text[3] - '0'));
			text += 4;
		} else {
			place[length++] = *text++;
		}
	}
	place[length] = '\0';
}

/* The field of this number in a line; at its end if there are fewer. */
static const char *find_field(const char *line, int field)
{
	while (field-- > 0) {
		line += strcspn(line, " \n");
		line += *line == ' ';
	}
	return line;
}

static bool is_below(char place[PATH_MAX], const char *directory)
{
	size_t length = strlen(directory);

	if (strncmp(place, directory, length) != 0 || place[length] != '/')
		return false;
	memmove(place, place + length + 1, strlen(place + length + 1) + 1);
	return true;
}

bool mounts_find_below(int dir, char place[PATH_MAX])
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	char directory[PATH_MAX];

	if (!path_of(directory, dir) || !read_mounts(&text))
		return false;
	for (const char *line = strbuf_text(&text); *line;) {
		read_place(place, find_field(line, PLACE_FIELD));
		if (is_below(place, directory))
			return true;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return false;
}
