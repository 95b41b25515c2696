/* SPDX-License-Identifier: Apache-2.0 */
/* The handle: the host, the operands, and what is known of them over there. */
#include "libexpt/remote/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"

static struct remote *new_remote(const struct remote_options *options)
{
	static const struct remote_options defaults = { .messages = -1 };
	struct remote *remote = calloc(1, sizeof(*remote));

	if (!options)
		options = &defaults;
	if (!remote)
		return NULL;
	remote->options = *options;
	remote->shell =
		strdup(options->shell && *options->shell ? options->shell : "ssh -x -T");
	if (remote->shell)
		return remote;
	free(remote);
	return NULL;
}

int remote_open_target(struct remote **out, const char *place,
		       const struct remote_options *options, struct expt_error *err)
{
	struct remote *remote = new_remote(options);
	int rc;

	if (!remote)
		return expt_fail(err, -ENOMEM, "cannot reach '%s'", place);
	rc = remote_split(&remote->host, &remote->address, &remote->path, place, err);
	if (rc == 0 &&
	    (expt_name_is_experiment(remote->path) || expt_name_is_group(remote->path)))
		rc = expt_refuse(err, -EINVAL,
				 "'%s' is not a directory: experiments keep their names "
				 "on another host",
				 place);
	if (rc < 0)
		remote_close(remote);
	else
		*out = remote;
	return rc;
}

int remote_open_source(struct remote **out, const char *operand,
		       const struct remote_options *options, struct expt_error *err)
{
	struct remote *remote = new_remote(options);
	cleanup_free char *path = NULL;
	int rc;

	if (!remote)
		return expt_fail(err, -ENOMEM, "cannot reach '%s'", operand);
	rc = remote_split(&remote->host, &remote->address, &path, operand, err);
	if (rc < 0)
		remote_close(remote);
	else
		*out = remote;
	return rc;
}

void remote_release_item(struct remote_item *item)
{
	free(item->path);
	operand_release(&item->source);
	tree_release(&item->tree);
	expt_group_close(item->group);
}

void remote_close(struct remote *remote)
{
	if (!remote)
		return;
	if (remote->is_started)
		child_release(&remote->child);
	for (size_t i = 0; i < remote->things.count; i++)
		remote_release_item(&remote->things.items[i]);
	array_release(&remote->things);
	for (size_t i = 0; i < remote->operands.count; i++)
		free(remote->operands.items[i].path);
	array_release(&remote->operands);
	array_release(&remote->shared);
	free(remote->host);
	free(remote->address);
	free(remote->path);
	free(remote->shell);
	free(remote);
}

struct remote_item *remote_add_item(struct remote *remote, const char *path,
				    const char *name, size_t length)
{
	struct remote_item *item;
	char *copy = strdup(path);

	if (!copy || length >= sizeof(item->name) ||
	    !(item = array_add(&remote->things))) {
		free(copy);
		return NULL;
	}
	item->path = copy;
	item->source = (struct operand)OPERAND_INIT;
	item->operand = remote->operands.count;
	memcpy(item->name, name, length);
	return item;
}

bool remote_is_dropped(const struct remote *remote, const struct remote_item *item)
{
	return remote->operands.items[item->operand].is_dropped;
}

/* Give an item whose operand was dropped to the next operand that shares it. */
static void hand_over(struct remote *remote, const struct remote_shared *shared)
{
	struct remote_item *item = &remote->things.items[shared->item];

	if (remote_is_dropped(remote, item))
		item->operand = shared->operand;
}

void remote_drop(struct remote *remote, size_t operand)
{
	remote->operands.items[operand].is_dropped = true;
	for (size_t i = 0; i < remote->shared.count; i++)
		hand_over(remote, &remote->shared.items[i]);
}

const char *remote_existing_name(const struct remote *remote, size_t operand, size_t n)
{
	for (size_t i = 0; i < remote->things.count; i++) {
		const struct remote_item *item = &remote->things.items[i];

		if (item->operand == operand && item->is_there && n-- == 0)
			return item->name;
	}
	return NULL;
}

enum remote_tools remote_tools(const struct remote *remote)
{
	if (remote->means == REMOTE_ERKIT)
		return REMOTE_TOOLS_ERKIT;
	return remote->has_sums ? REMOTE_TOOLS_TAR : REMOTE_TOOLS_TAR_UNVERIFIED;
}
