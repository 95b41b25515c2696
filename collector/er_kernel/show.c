/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/show.h"

#include "collector/launch/show.h"
#include "libexpt/cli/cli.h"

static void put_settings(FILE *to, const struct settings *settings,
			 const struct experiment *experiment)
{
	show_number(to, "clock profiling", settings->clock_period_us, "microseconds",
		    "off");
	show_counters(to, settings);
	show_switch(to, "idle processors", settings->has_idle);
	show_number(to, "periodic samples", settings->sample_seconds, "seconds", "off");
	show_window(to, settings);
	show_destination(to, settings, experiment);
	if (!*settings->target)
		return;
	show_command(to, "load", settings->target, *settings->target);
	show_number(to, "quiet", settings->quiet_seconds, "seconds before and after it",
		    "none");
}

int settings_show(const struct settings *settings, const struct experiment *experiment)
{
	FILE *to = show_begin(settings);

	if (!to)
		return CLI_FAILED;
	put_settings(to, settings, experiment);
	return show_end(to, settings);
}
