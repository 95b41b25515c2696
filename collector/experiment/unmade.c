/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/experiment/unmade.h"

#include <errno.h>

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/directory_name.h"
#include "collector/common/log_text.h"
#include "collector/files/access.h"
#include "collector/files/create.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "libexpt/format.h"

/* Readers of the founder look there. All data are on the stack, so that this is safe in a
 * child of vfork. */
static long warn(int founder, void *argument)
{
	const struct text *line = argument;
	int fd = sys_openat(founder, WARNINGS_FILE,
			    O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
			    FILE_MODE);

	if (fd < 0)
		return fd;
	if (writer_may_grow(1 << 20))
		system_call(SYS_write, fd, (long)line->start, (long)line->length, 0, 0,
			    0);
	return sys_close(fd);
}

void unmade_warn(struct text *line)
{
	access_run(warn, line);
}

void unmade_report(int error)
{
	char buffer[LINEAGE_MAX + 128];
	struct text line = TEXT_ON(buffer);

	log_header_unmade(&line, process.lineage, error);
	unmade_warn(&line);
}

static long may_write(int founder, void *argument)
{
	(void)argument;
	return sys_may_write(founder);
}

/* Where a directory cannot be made, unmade_report() cannot make its file either. */
void unmade_foresee(const char *lineage)
{
	char name[DIRECTORY_NAME_SIZE];
	long rc;

	if (!access_is_given() || collector_is_frozen())
		return;
	rc = access_run(may_write, NULL);
	if (rc == -EACCES || rc == -EROFS || rc == -ENOENT || rc == -ESTALE)
		log_message("cwarn", EXPT_ERROR_MKDIR,
			    directory_name(name, lineage, false).start, (int)-rc);
}
