/* SPDX-License-Identifier: Apache-2.0 */
/* What collect tells the collector, in the words of format.h. */
#include "collector/collect/collect.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

int installation_find(struct installation *installation)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash;

	*installation = (struct installation){};
	if (length < 0)
		return cli_error("cannot find my own place: %s", strerrordesc_np(errno));
	self[length] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	if (asprintf(&installation->archiver, "%s/er_archive", self) < 0)
		return cli_error("out of memory");
	slash = strrchr(self, '/');
	*slash = '\0';
	if (asprintf(&installation->library, "%s/lib/erkit/" COLLECTOR_LIBRARY, self) < 0)
		return cli_error("out of memory");
	if (access(installation->library, R_OK) < 0)
		return cli_error("cannot read '%s': %s", installation->library,
				 strerrordesc_np(errno));
	/* The dynamic loader splits LD_PRELOAD there and knows no quoting. */
	if (strpbrk(installation->library, " :"))
		return cli_error(
			"'%s' cannot be preloaded: its path has a blank or a colon",
			installation->library);
	return CLI_OK;
}

void installation_release(struct installation *installation)
{
	free(installation->library);
	free(installation->archiver);
	*installation = (struct installation){};
}

char *environment_parameters(const struct settings *settings,
			     const struct installation *installation)
{
	struct strbuf text = STRBUF_INIT;

	/* A path with the separator in it cannot be told; the archive is then made by hand. */
	if (!strchr(installation->archiver, ';'))
		strbuf_printf(&text, "%c:%s;", PARAMETER_ARCHIVER, installation->archiver);
	if (settings->clock_period_us)
		strbuf_printf(&text, "%c:%lu;", PARAMETER_CLOCK,
			      (unsigned long)settings->clock_period_us);
	if (settings->has_window)
		strbuf_printf(&text, "%c:%lu:%lu;", PARAMETER_WINDOW,
			      (unsigned long)settings->window_start_ms,
			      (unsigned long)settings->window_end_ms);
	if (settings->sample_seconds)
		strbuf_printf(&text, "%c:%lu;", PARAMETER_PERIODIC,
			      (unsigned long)settings->sample_seconds);
	if (settings->limit_mb)
		strbuf_printf(&text, "%c:%lu;", PARAMETER_LIMIT,
			      (unsigned long)settings->limit_mb);
	if (settings->follow)
		strbuf_printf(&text, "%c:%d;", PARAMETER_FOLLOW, settings->follow);
	strbuf_printf(&text, "%c:%s;", PARAMETER_ARCHIVE,
		      expt_archive_mode_name(settings->archive));
	return strbuf_steal(&text);
}

/* Our library in front of what the user preloads; an entry that is ours already is dropped. */
static char *preload_list(const char *library)
{
	struct strbuf list = STRBUF_INIT;
	const char *former = getenv("LD_PRELOAD");

	strbuf_add_text(&list, library);
	while (former && *former) {
		size_t length = strcspn(former, " :");

		if (length == strlen(library) && memcmp(former, library, length) == 0)
			cli_warn("LD_PRELOAD has '%s' already", library);
		else if (length > 0)
			strbuf_printf(&list, " %.*s", (int)length, former);
		former += length + (former[length] != '\0');
	}
	return strbuf_steal(&list);
}

static bool set_all(const struct settings *settings, const char *parameters,
		    const char *preload, const struct installation *installation,
		    const struct experiment *experiment, pid_t founder)
{
	char pid[16];
	cleanup_free char *follow = NULL;

	if (settings->follow == FOLLOW_MATCHING &&
	    asprintf(&follow, "^(%s)$", settings->follow_regex) < 0)
		return false;
	snprintf(pid, sizeof pid, "%d", (int)founder);
	return setenv(ENV_EXPERIMENT, experiment->absolute, 1) == 0 &&
	       setenv(ENV_PARAMETERS, parameters, 1) == 0 &&
	       setenv(ENV_FOUNDER, pid, 1) == 0 && setenv(ENV_FROM_COLLECT, "1", 1) == 0 &&
	       setenv(ENV_PRELOAD, installation->library, 1) == 0 &&
	       setenv("LD_PRELOAD", preload, 1) == 0 &&
	       (follow ? setenv(ENV_FOLLOW, follow, 1) : unsetenv(ENV_FOLLOW)) == 0 &&
	       unsetenv(ENV_LINEAGE) == 0;
}

int environment_set(const struct settings *settings,
		    const struct installation *installation,
		    const struct experiment *experiment, pid_t founder)
{
	cleanup_free char *parameters = environment_parameters(settings, installation);
	cleanup_free char *preload = preload_list(installation->library);

	if (!parameters || !preload ||
	    !set_all(settings, parameters, preload, installation, experiment, founder))
		return cli_error("out of memory");
	return CLI_OK;
}
