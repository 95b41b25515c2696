/* SPDX-License-Identifier: Apache-2.0 */
/* Names of directories and experiments on other hosts. */
#include <errno.h>
#include <string.h>

#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/remote/private.h"

size_t expt_name_host(const char *operand)
{
	size_t length = strcspn(operand, "/");
	const char *at = memchr(operand, '@', length);
	const char *host = at ? at + 1 : operand;
	const char *close = *host == '[' ? strstr(host, "]:") : NULL;
	const char *colon = memchr(operand, ':', length);

	if (close && close < operand + length)
		return (size_t)(close + 1 - operand);
	return colon ? (size_t)(colon - operand) : 0;
}

bool expt_name_is_remote(const char *operand)
{
	return expt_name_host(operand) > 0;
}

/* Change "me@[::1]" to "me@::1". */
static void drop_brackets(char *address)
{
	char *at = strchr(address, '@');
	char *host = at ? at + 1 : address;
	size_t length = strlen(host);

	if (*host != '[' || host[length - 1] != ']')
		return;
	memmove(host, host + 1, length - 2);
	host[length - 2] = '\0';
}

static bool is_good_address(const char *address)
{
	const char *at = strchr(address, '@');
	const char *host = at ? at + 1 : address;

	return *address != '-' && *address != '@' && *host && *host != '-';
}

int remote_split(char **host, char **address, char **path, const char *operand,
		 struct expt_error *err)
{
	size_t length = expt_name_host(operand);

	*host = *address = *path = NULL;
	if (length == 0)
		return expt_refuse(err, -EINVAL, "'%s' is not on another host", operand);
	*host = strndup(operand, length);
	*address = strndup(operand, length);
	*path = strdup(operand + length + 1);
	if (!*host || !*address || !*path)
		return expt_fail(err, -ENOMEM, "cannot reach '%s'", operand);
	drop_brackets(*address);
	if (!is_good_address(*address))
		return expt_refuse(err, -EINVAL, "'%s' is not the name of a host", *host);
	return 0;
}

int remote_path(struct strbuf *out, const char *path)
{
	if (strcmp(path, "~") == 0 || strcmp(path, "~/") == 0)
		path = "";
	else if (text_starts_with(path, "~/"))
		path += strlen("~/");
	if (*path != '/')
		strbuf_add_text(out, "./");
	strbuf_add(out, path, *path ? path_length(path) : 0);
	return out->failed ? -ENOMEM : 0;
}
