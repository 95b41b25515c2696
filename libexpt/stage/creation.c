/* SPDX-License-Identifier: Apache-2.0 */
/* New experiments, for programs. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/stage/commit.h"
#include "libexpt/stage/stage.h"

struct expt_creation {
	struct stage stage;
	bool replace;
};

static int begin(struct stage *stage, const char *path, bool replace,
		 struct expt_error *err)
{
	int rc;

	if (!expt_name_is_experiment(path))
		return expt_refuse(err, -EINVAL,
				   "'%s' is not the name of an experiment: it does not "
				   "end in '" EXPERIMENT_SUFFIX "'",
				   path);
	rc = stage_open(stage, path, replace, err);
	if (rc == 0 && expt_directory_is_inside(stage->parent))
		rc = expt_refuse(err, -EINVAL, "'%s' would be inside another experiment",
				 path);
	return rc;
}

int expt_creation_open(struct expt_creation **out, const char *path, bool replace,
		       struct expt_error *err)
{
	struct expt_creation *creation = calloc(1, sizeof(*creation));
	int rc;

	if (!creation)
		return expt_fail(err, -ENOMEM, "cannot create '%s'", path);
	creation->stage = (struct stage)STAGE_INIT;
	creation->replace = replace;
	rc = begin(&creation->stage, path, replace, err);
	if (rc < 0) {
		expt_creation_close(creation);
		return rc;
	}
	*out = creation;
	return 0;
}

int expt_creation_dir(const struct expt_creation *creation)
{
	return creation->stage.dir;
}

/* The stage is private: the experiment gets the mode of a new directory. */
int expt_creation_commit(struct expt_creation *creation, struct expt_error *err)
{
	struct stat made;
	int rc = io_probe_file(creation->stage.dir, PROBE_FILE, &made);

	if (rc < 0)
		return expt_fail(err, rc, "cannot finish '%s'", creation->stage.final);
	return stage_commit(&creation->stage, creation->replace, STAGE_SYNC,
			    made.st_mode & DIRECTORY_MODE, err);
}

void expt_creation_close(struct expt_creation *creation)
{
	if (!creation)
		return;
	stage_release(&creation->stage);
	free(creation);
}
