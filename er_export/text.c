/* SPDX-License-Identifier: Apache-2.0 */
/* er_export --text: which experiments, and to where. What their text is, text_print.c says. */
#include "er_export/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/cli/cli.h"
#include "libexpt/expt.h"

/* ---- experiments and groups --------------------------------------------------------- */

static int print_experiment(FILE *out, const char *path)
{
	struct expt *founder, *descendant;
	struct expt_error err;
	int status;

	if (expt_open(&founder, path, &err) < 0)
		return cli_failed(&err);
	status = text_print(out, founder);
	for (size_t i = 0; i < expt_descendant_count(founder) && !ferror(out); i++) {
		if (expt_descendant_open(&descendant, founder, i, &err) < 0) {
			status = cli_failed(&err);
			continue;
		}
		if (text_print(out, descendant) != CLI_OK)
			status = CLI_FAILED;
		expt_close(descendant);
	}
	expt_close(founder);
	return status;
}

static int print_group(FILE *out, const char *path)
{
	struct expt_group *group;
	struct expt_error err;
	int status = CLI_OK;

	if (expt_group_open(&group, path, &err) < 0)
		return cli_failed(&err);
	text_header(out, "group", path);
	for (size_t i = 0; i < expt_group_count(group); i++)
		if (print_experiment(out, expt_group_member(group, i)) != CLI_OK)
			status = CLI_FAILED;
	expt_group_close(group);
	return status;
}

static int print_all(FILE *out, char *operands[], int count)
{
	int status = CLI_OK;

	for (int i = 0; i < count && !ferror(out); i++) {
		int rc = expt_name_is_group(operands[i])
				 ? print_group(out, operands[i])
				 : print_experiment(out, operands[i]);

		if (rc != CLI_OK)
			status = CLI_FAILED;
	}
	return status;
}

/* ---- output ------------------------------------------------------------------------ */

static int cannot_write(const char *name, int number)
{
	return cli_error("cannot write '%s': %s", name, strerrordesc_np(number));
}

/* Give the complete text its name. */
static int name_output(const char *temporary, const char *name, bool force)
{
	unsigned flags = force ? 0 : RENAME_NOREPLACE;

	if (renameat2(AT_FDCWD, temporary, AT_FDCWD, name, flags) == 0)
		return CLI_OK;
	/* Not every file system knows the flag; a link never replaces, either. */
	if (errno == EINVAL && link(temporary, name) == 0) {
		unlink(temporary);
		return CLI_OK;
	}
	return cannot_write(name, errno);
}

/* ".NAME.XXXXXX.part" beside name, open; the mode is that of a file made by name. */
static FILE *open_temporary(char **out, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *base = slash ? slash + 1 : name;
	mode_t mask = umask(0);
	FILE *file = NULL;
	char *temporary;
	int fd = -1;

	umask(mask);
	if (asprintf(&temporary, "%.*s.%s.XXXXXX.part", (int)(base - name), name, base) < 0)
		return NULL;
	fd = mkostemps(temporary, (int)strlen(".part"), O_CLOEXEC);
	if (fd >= 0 && fchmod(fd, 0666 & ~mask) == 0)
		file = fdopen(fd, "w");
	if (file) {
		*out = temporary;
		return file;
	}
	if (fd >= 0) {
		unlink(temporary);
		close(fd);
	}
	free(temporary);
	return NULL;
}

static int write_file(char *operands[], int count, const char *name, bool force)
{
	FILE *file = NULL;
	char *temporary;
	int status, rc;

	if (!force && access(name, F_OK) == 0)
		return cannot_write(name, EEXIST);
	file = open_temporary(&temporary, name);
	if (!file)
		return cannot_write(name, errno);
	status = print_all(file, operands, count);
	rc = ferror(file) ? EIO : 0;
	if (fclose(file) != 0)
		rc = errno;
	if (rc)
		status = cannot_write(name, rc);
	else if (name_output(temporary, name, force) != CLI_OK)
		status = rc = CLI_FAILED;
	if (rc)
		unlink(temporary);
	free(temporary);
	return status;
}

int export_text(char *operands[], int count, const char *output, bool force)
{
	int status;

	if (output)
		return write_file(operands, count, output, force);
	status = print_all(stdout, operands, count);
	if (fflush(stdout) != 0 || ferror(stdout))
		return cannot_write("standard output", errno ? errno : EIO);
	return status;
}
