/* SPDX-License-Identifier: Apache-2.0 */
/* The files that belong to this program, and which libraries a recording needs. */
#include "collector/launch/installation.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/common/sanitizer.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

int installation_find(struct installation *installation)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	*installation = (struct installation){};
	if (length < 0)
		return cli_error("cannot locate this program: %s",
				 strerrordesc_np(errno));
	self[length] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	if (asprintf(&installation->archiver, "%s/er_archive", self) < 0 ||
	    asprintf(&installation->remover, "%s/er_rm", self) < 0)
		return cli_error("out of memory");
	slash = strrchr(self, '/');
	*slash = '\0';
	if (asprintf(&installation->readme, "%s/share/doc/erkit/README.md", self) < 0 ||
	    asprintf(&installation->plugins, "%s/lib/erkit", self) < 0 ||
	    asprintf(&installation->gdb_commands, "%s/lib/erkit/gdb/collector.py", self) <
		    0)
		return cli_error("out of memory");
	return CLI_OK;
}

int installation_check_preload(const struct installation *installation)
{
	/* The dynamic loader splits LD_PRELOAD there and knows no quoting. */
	if (strpbrk(installation->plugins, " :"))
		return cli_error(
			"cannot preload from '%s': its path contains a blank or a colon",
			installation->plugins);
	return CLI_OK;
}

void installation_release(struct installation *installation)
{
	free(installation->plugins);
	free(installation->archiver);
	free(installation->remover);
	free(installation->readme);
	free(installation->gdb_commands);
	*installation = (struct installation){};
}

static int add_library(struct strbuf *list, const struct installation *installation,
		       const char *name)
{
	size_t start = list->length ? list->length + 1 : 0;

	strbuf_printf(list, "%s%s/%s", start ? " " : "", installation->plugins, name);
	if (access(strbuf_text(list) + start, R_OK) < 0)
		return cli_error("cannot read '%s': %s", strbuf_text(list) + start,
				 strerrordesc_np(errno));
	return CLI_OK;
}

/* Watchpoints need to know which blocks there are. */
static bool watches(const struct counter_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (counter_is_watch(&list->items[i]))
			return true;
	return false;
}

int installation_libraries(struct strbuf *list, const struct installation *installation,
			   const struct settings *settings)
{
	const struct {
		bool is_wanted;
		const char *name;
	} libraries[] = {
		{ true, COLLECTOR_LIBRARY },
		{ settings->has_heap || watches(&settings->counters),
		  COLLECTOR_HEAP_LIBRARY },
		/* Before that of waits, which is called by it. */
		{ settings->has_deadlocks, COLLECTOR_DEADLOCK_LIBRARY },
		{ settings->has_sync && settings->sync_scope & SYNC_SCOPE_NATIVE,
		  COLLECTOR_SYNC_LIBRARY },
		{ settings->has_io, COLLECTOR_IO_LIBRARY },
		{ settings->has_races, COLLECTOR_RACE_LIBRARY },
		{ settings->has_mpi, COLLECTOR_MPI_LIBRARY },
	};
	int status = CLI_OK;

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (libraries[i].is_wanted && status == CLI_OK)
			status = add_library(list, installation, libraries[i].name);
	return status;
}

static bool is_among(const char *libraries, const char *word, size_t length)
{
	while (*libraries) {
		size_t n = strcspn(libraries, " ");

		if (n == length && memcmp(libraries, word, n) == 0)
			return true;
		libraries += n + (libraries[n] != '\0');
	}
	return false;
}

char *installation_preload(const char *libraries, const char *sanitizer)
{
	struct strbuf list = STRBUF_INIT;
	const char *former = getenv("LD_PRELOAD");

	if (sanitizer[0] != '\0')
		strbuf_printf(&list, "%s ", sanitizer);
	else if (former && sanitizer_length(former) > 0)
		strbuf_printf(&list, "%.*s ", (int)sanitizer_length(former), former);
	strbuf_add_text(&list, libraries);
	while (former && *former) {
		size_t length = strcspn(former, " :");

		if (length > 0 && is_among(libraries, former, length))
			cli_warn("LD_PRELOAD already contains '%.*s'", (int)length,
				 former);
		else if (length > 0)
			strbuf_printf(&list, " %.*s", (int)length, former);
		former += length + (former[length] != '\0');
	}
	return strbuf_steal(&list);
}
