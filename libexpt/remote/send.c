/* SPDX-License-Identifier: Apache-2.0 */
/* Sends experiments to another host: exports into a pipe, and completes moves when
 * everything has arrived. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/remote/private.h"

/* ---- what is to be sent ---- */

/* A copy only needs the name: that of the target, if the path is a link. */
static int find_source(struct operand *source, const char *path, struct expt_error *err)
{
	cleanup_free char *resolved = operand_resolve(path);

	if (!resolved)
		return expt_fail(err, -errno, "cannot open '%s'", path);
	return operand_open(source, resolved, err);
}

static int share(struct remote *remote, size_t item, struct expt_error *err)
{
	struct remote_shared *shared = array_add(&remote->shared);

	if (!shared)
		return expt_fail(err, -ENOMEM, "cannot send '%s'",
				 remote->things.items[item].path);
	*shared = (struct remote_shared){ item, remote->operands.count };
	return 1;
}

/* Returns 1 if the experiment was added before, perhaps as a member of another group. */
static int is_added(struct remote *remote, const struct operand *source, const char *path,
		    struct expt_error *err)
{
	for (size_t i = 0; i < remote->things.count; i++) {
		const struct remote_item *item = &remote->things.items[i];

		if (strcmp(item->name, source->name) != 0)
			continue;
		if (io_is_same(&item->source.status, &source->status))
			return share(remote, i, err);
		return expt_refuse(err, -EINVAL,
				   "'%s' and '%s' would have the same name in the bundle",
				   item->path, path);
	}
	return 0;
}

static int add_experiment(struct remote *remote, const char *path, struct expt_error *err)
{
	cleanup(operand_release) struct operand source = OPERAND_INIT;
	struct remote_item *item;
	int rc = find_source(&source, path, err);

	if (rc == 0)
		rc = operand_read_log(&source, path, err);
	if (rc == 0)
		rc = is_added(remote, &source, path, err);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	item = remote_add_item(remote, path, source.name, strlen(source.name));
	if (!item)
		return expt_fail(err, -ENOMEM, "cannot send '%s'", path);
	item->source.status = source.status;
	memcpy(item->source.host, source.host, sizeof(source.host));
	return remote->options.move ? remote_prepare_move(remote, item, err) : 0;
}

/* A missing member is not in the bundle either; the export reports it. */
static int add_members(struct remote *remote, const struct expt_group *group,
		       struct expt_error *err)
{
	for (size_t i = 0; i < expt_group_count(group); i++) {
		int rc = add_experiment(remote, expt_group_member(group, i), err);

		if (rc < 0 && rc != -ENOENT)
			return rc;
	}
	return 0;
}

static void close_group(struct expt_group **group)
{
	expt_group_close(*group);
}

static int add_group(struct remote *remote, const char *path, struct expt_error *err)
{
	cleanup(close_group) struct expt_group *group = NULL;
	struct remote_item *item;
	size_t length;
	const char *name = path_last(path, &length);
	int rc = expt_group_open(&group, path, err);

	if (rc == 0)
		rc = add_members(remote, group, err);
	if (rc < 0)
		return rc;
	item = remote_add_item(remote, path, name, length);
	if (!item)
		return expt_fail(err, -ENOMEM, "cannot send '%s'", path);
	item->group = steal(&group);
	return 0;
}

/* Refuse what the export would refuse, before anything is started. */
static int add_to_send(struct remote *remote, const char *path,
		       const struct expt_export_options *options, struct expt_error *err)
{
	struct expt_export_options planned = *options;
	int rc;

	planned.operation.dry_run = true;
	rc = expt_export(&path, 1, NULL, -1, &planned, err);
	if (rc < 0)
		return rc;
	return expt_name_is_group(path) ? add_group(remote, path, err)
					: add_experiment(remote, path, err);
}

/* ---- what is to be received ---- */

static int add_to_receive(struct remote *remote, const char *operand,
			  struct expt_error *err)
{
	cleanup_free char *host = NULL, *address = NULL, *path = NULL;
	size_t length;
	const char *name;
	int rc = remote_split(&host, &address, &path, operand, err);

	if (rc < 0)
		return rc;
	if (strcmp(host, remote->host) != 0)
		return expt_refuse(err, -EINVAL, "'%s' is not on '%s'", operand,
				   remote->host);
	if (!expt_name_is_experiment(path) && !expt_name_is_group(path))
		return expt_refuse(err, -EINVAL, "'%s' is not an experiment", operand);
	name = path_last(path, &length);
	if (!remote_add_item(remote, path, name, length))
		return expt_fail(err, -ENOMEM, "cannot receive '%s'", operand);
	return 0;
}

/* ---- both ---- */

int remote_add(struct remote *remote, const char *operand,
	       const struct expt_export_options *options, struct expt_error *err)
{
	size_t before = remote->things.count, shared = remote->shared.count;
	struct remote_operand *added;
	char *path = strdup(operand);
	int rc = !path		? expt_fail(err, -ENOMEM, "cannot add '%s'", operand)
		 : remote->path ? add_to_send(remote, operand, options, err)
				: add_to_receive(remote, operand, err);

	added = rc == 0 ? array_add(&remote->operands) : NULL;
	if (added) {
		added->path = path;
		return 0;
	}
	while (remote->things.count > before)
		remote_release_item(&remote->things.items[--remote->things.count]);
	remote->shared.count = shared;
	free(path);
	return rc < 0 ? rc : expt_fail(err, -ENOMEM, "cannot add '%s'", operand);
}

/* ---- the stream ---- */

static int tell_options(struct remote *remote, const struct expt_import_options *taking)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "--verify%s%s%s\n", remote->options.is_quiet ? " -q" : "",
		      taking->replace ? " -f" : "", taking->rename ? " --rename" : "");
	for (size_t i = 0; i < remote->things.count; i++)
		if (!remote_is_dropped(remote, &remote->things.items[i]))
			strbuf_printf(&text, "%s\n", remote->things.items[i].name);
	strbuf_add_char(&text, '\n');
	return remote_send_lines(remote, &text);
}

static int export_all(struct remote *remote, const struct expt_export_options *giving,
		      struct expt_error *err)
{
	struct expt_export_options options = *giving;
	cleanup_free const char **paths = NULL;
	struct child_writing writing;
	size_t count = 0;
	int rc;

	if (remote->means == REMOTE_TAR)
		options.compression = EXPT_COMPRESSION_NONE;
	paths = calloc(remote->operands.count + 1, sizeof(*paths));
	if (!paths)
		return expt_fail(err, -ENOMEM, "cannot send to '%s'", remote->host);
	for (size_t i = 0; i < remote->operands.count; i++)
		if (!remote->operands.items[i].is_dropped)
			paths[count++] = remote->operands.items[i].path;
	child_begin_writing(&writing);
	rc = expt_export(paths, count, NULL, remote->child.in, &options, err);
	child_end_writing(&writing);
	return remote_result(remote, rc, err);
}

static void set_arrived(struct remote_item *item, const char *name, size_t length)
{
	if (length >= sizeof(item->arrived))
		return;
	item->has_arrived = true;
	memcpy(item->arrived, name, length);
	item->arrived[length] = '\0';
}

static bool is_sent_experiment(const struct remote *remote,
			       const struct remote_item *item)
{
	return !remote_is_dropped(remote, item) && !expt_name_is_group(item->name);
}

/* Find the experiment that a reported name belongs to: the one with that name or, if
 * names may have changed, the next one. */
static struct remote_item *find_arrived(struct remote *remote, const char *name,
					size_t length, bool is_renaming)
{
	for (size_t i = 0; i < remote->things.count; i++) {
		struct remote_item *item = &remote->things.items[i];

		if (!is_sent_experiment(remote, item) || item->has_arrived)
			continue;
		if (is_renaming || (strlen(item->name) == length &&
				    memcmp(item->name, name, length) == 0))
			return item;
	}
	return NULL;
}

/* Parse a line like "copied test.2.er: 5 files, 20 bytes"; er_import prints one for each
 * experiment, in order. */
static void take_arrival(struct remote *remote, const char *line, bool is_renaming)
{
	const char *name = line + strlen("copied "), *end = strrchr(line, ':');
	struct remote_item *item;

	if (!text_starts_with(line, "copied ") || !end || end < name)
		return;
	item = find_arrived(remote, name, (size_t)(end - name), is_renaming);
	if (item)
		set_arrived(item, name, (size_t)(end - name));
}

static int read_arrivals(struct remote *remote, bool is_renaming)
{
	size_t most = remote->things.count + REMOTE_NOISE_MAX;
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	int rc;

	for (size_t lines = 0; (rc = remote_read_line(remote, &line)) > 0; lines++) {
		if (lines == most)
			return -EBADMSG;
		if (line.length)
			take_arrival(remote, line.text, is_renaming);
	}
	return rc;
}

/* Arrivals reported so far count even if the pipe broke later. */
static int wait_for_arrivals(struct remote *remote, int rc, bool is_renaming,
			     const struct expt_report *report, struct expt_error *err)
{
	int read;

	remote_expect_work(remote, report ? expt_report_bytes(report) : 0);
	read = read_arrivals(remote, is_renaming);
	return read < 0 && rc == 0 ? remote_fail_answer(remote, read, err) : rc;
}

/* New names match the experiments only if all were reported. */
static void forget_arrivals(struct remote *remote)
{
	for (size_t i = 0; i < remote->things.count; i++)
		remote->things.items[i].has_arrived = false;
}

/* Groups appear if all went well, and so does everything that tar unpacks. */
static void take_rest(struct remote *remote)
{
	for (size_t i = 0; i < remote->things.count; i++) {
		struct remote_item *item = &remote->things.items[i];

		if (!remote_is_dropped(remote, item) &&
		    (remote->means != REMOTE_ERKIT || expt_name_is_group(item->name)))
			set_arrived(item, item->name, strlen(item->name));
	}
}

static int check_all_arrived(const struct remote *remote, struct expt_error *err)
{
	for (size_t i = 0; i < remote->things.count; i++) {
		const struct remote_item *item = &remote->things.items[i];

		if (!remote_is_dropped(remote, item) && !item->has_arrived)
			return expt_refuse(err, -EBADMSG,
					   "'%s' did not confirm that '%s' has arrived",
					   remote->host, item->name);
	}
	return 0;
}

static int stream(struct remote *remote, const struct expt_export_options *giving,
		  const struct expt_import_options *taking, struct expt_error *err)
{
	int rc = tell_options(remote, taking);

	if (rc < 0)
		expt_fail(err, rc, "cannot send to '%s'", remote->host);
	else
		rc = export_all(remote, giving, err);
	child_close_input(&remote->child);
	if (rc == 0 || rc == -EPIPE)
		rc = wait_for_arrivals(remote, rc, taking->rename,
				       giving->operation.report, err);
	rc = remote_wait(remote, rc, err);
	if (rc == 0) {
		take_rest(remote);
		rc = check_all_arrived(remote, err);
	}
	if (rc < 0 && taking->rename)
		forget_arrivals(remote);
	return rc;
}

/* ---- all of it ---- */

static int check_means(const struct remote *remote,
		       const struct expt_import_options *taking, struct expt_error *err)
{
	if (remote->means == REMOTE_ERKIT)
		return 0;
	if (taking->replace || taking->rename)
		return expt_refuse(err, -ENOTSUP,
				   "er_import is missing on '%s': cannot replace or "
				   "rename experiments there",
				   remote->host);
	if (remote->options.move && !remote->has_sums)
		return expt_refuse(err, -ENOTSUP,
				   "er_import and sha256sum are missing on '%s': cannot "
				   "verify the copy there",
				   remote->host);
	return 0;
}

static void warn_of_other_hosts(const struct remote *remote, struct expt_report *report)
{
	for (size_t i = 0; i < remote->things.count; i++) {
		const struct remote_item *item = &remote->things.items[i];

		if (!remote_is_dropped(remote, item))
			operand_warn_of_other_host(&item->source, item->path, report);
	}
}

int remote_send(struct remote *remote, const struct expt_export_options *giving,
		const struct expt_import_options *taking, struct expt_error *err)
{
	int rc = check_means(remote, taking, err);

	if (rc < 0)
		return rc;
	if (giving->mode != EXPT_ARCHIVE_OFF)
		warn_of_other_hosts(remote, giving->operation.report);
	rc = stream(remote, giving, taking, err);
	if (rc == 0 && remote->options.move)
		remote_remove_sources(remote, giving->operation.report);
	return rc;
}

const char *remote_arrived_name(const struct remote *remote, size_t operand)
{
	const char *name = NULL;

	for (size_t i = 0; i < remote->things.count; i++) {
		const struct remote_item *item = &remote->things.items[i];

		if (item->operand != operand)
			continue;
		if (!item->has_arrived)
			return NULL;
		name = item->arrived; /* for a group the last one: the group itself */
	}
	return name;
}
