/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bundle/package.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/bundle/checklist.h"
#include "libexpt/bundle/index.h"
#include "libexpt/bundle/unpack.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/format.h"
#include "libexpt/stage/scratch.h"
#include "libexpt/stream/seekable.h"

#define MEMORY_FILE_MAX 262144 /* larger members go to disk */

struct top {
	size_t member;
	bool has_sums;	  /* its manifest was read */
	bool is_verified; /* there was a manifest */
};

/* An open package; callers see its base. */
struct open_package {
	struct package base;
	int fd;
	struct seekable *stream; /* of fd, or of the file with the decompressed data */
	int spool;
	struct {
		struct top *items;
		size_t count, capacity;
	} tops;
	struct digest *digest;
	struct tar_reading how;	  /* only while opening */
	const volatile int *stop; /* of the caller that reads data now */
	pthread_mutex_t lock;	  /* of all above while reading data, and of users */
	unsigned users;
};

/* ---- temporary files ---- */

static int temporary_fd(uint64_t size, struct expt_error *err)
{
	int fd;

	if (size > MEMORY_FILE_MAX)
		return scratch_file(err);
	fd = memfd_create("member", MFD_CLOEXEC);
	return fd < 0 ? expt_fail(err, -errno, "cannot create a temporary file") : fd;
}

/* ---- contents ---- */

static int add_top(struct open_package *package, size_t member)
{
	struct top *top = array_add(&package->tops);

	if (!top)
		return -ENOMEM;
	top->member = member;
	return 0;
}

/* Add a member, and the directories above it that it implies. */
static int add_member(struct open_package *package, const struct tar_member *member,
		      uint64_t consumed, struct expt_error *err)
{
	size_t first = package->base.members.count, index;
	int rc = members_add(&package->base.members, &index, member, consumed,
			     seekable_packed_size(package->stream), err);

	for (size_t i = first; rc >= 0 && i < package->base.members.count; i++) {
		const struct member *new = &package->base.members.items[i];

		if (new->type == TAR_DIRECTORY && !*new->path && add_top(package, i) < 0)
			rc = expt_fail(err, -ENOMEM, "cannot read the bundle");
	}
	return rc < 0 ? rc : 0;
}

static int read_index(struct open_package *package, char *text, struct expt_error *err)
{
	struct bundle_index index;
	struct tar_member member;
	int rc = bundle_index_start(&index, text, seekable_size(package->stream), err);

	while (rc == 0 && (rc = bundle_index_next(&index, &member, err)) > 0)
		rc = add_member(package, &member, 0, err);
	return rc;
}

/* Read every header of the archive. Returns 1 if its data can only be read from the
 * beginning. */
static int read_headers(struct open_package *package, int fd, struct expt_error *err)
{
	struct tar_reader *reader;
	struct tar_member member;
	int rc = tar_reader_open(&reader, fd, &package->how, err);

	if (rc < 0)
		return rc;
	progress_expect(package->how.progress, 0, tar_reader_size(reader));
	progress_begin(package->how.progress, EXPT_PHASE_COPYING);
	while ((rc = tar_reader_next(reader, &member, err)) > 0) {
		rc = add_member(package, &member, tar_reader_consumed(reader), err);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = tar_reader_is_packed(reader);
	tar_reader_close(reader);
	return rc;
}

/* The members determine how much data there is; a stream that is much longer is
 * refused. */
static int spool(struct open_package *package, struct expt_error *err)
{
	uint64_t max = package->base.members.bytes +
		       package->base.members.count * LIMITS_PADDING;
	int rc;

	package->spool = temporary_fd(UINT64_MAX, err);
	if (package->spool < 0)
		return package->spool;
	if (lseek(package->fd, 0, SEEK_SET) < 0)
		return expt_fail(err, -errno, "cannot read");
	progress_begin(package->how.progress, EXPT_PHASE_COPYING);
	rc = tar_spool(package->fd, package->spool, max + LIMITS_TRAILER, &package->how,
		       err);
	seekable_close(package->stream);
	package->stream = NULL;
	return rc < 0 ? rc : seekable_open(&package->stream, package->spool, err);
}

static int read_members(struct open_package *package, struct expt_error *err)
{
	cleanup_free char *text = NULL;
	int rc = seekable_index(&text, package->stream, BUNDLE_INDEX_MAX, err);

	if (rc > 0)
		return read_index(package, text, err);
	if (rc == 0)
		rc = read_headers(package, package->fd, err);
	return rc > 0 ? spool(package, err) : rc;
}

/* ---- opening ---- */

/* Open the file that path names, or a prefix of path up to a slash; the rest is a path
 * inside. */
static int open_prefix(char *prefix, size_t *length)
{
	*length = strlen(prefix);
	for (;;) {
		int fd = open(prefix, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

		if (fd >= 0 || errno != ENOTDIR)
			return fd < 0 ? -errno : fd;
		while (*length > 0 && prefix[*length - 1] != '/')
			--*length;
		while (*length > 0 && prefix[*length - 1] == '/')
			--*length;
		if (*length == 0)
			return -ENOTDIR;
		prefix[*length] = '\0';
	}
}

static int open_file(struct open_package *package, const char *path, const char **inside,
		     struct expt_error *err)
{
	struct stat status;
	size_t length;

	package->base.path = strdup(path);
	if (!package->base.path)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", path);
	package->fd = open_prefix(package->base.path, &length);
	if (package->fd < 0)
		return expt_fail(err, package->fd, "cannot open '%s'", path);
	if (fstat(package->fd, &status) < 0)
		return expt_fail(err, -errno, "cannot open '%s'", path);
	if (!S_ISREG(status.st_mode))
		return expt_fail(err, -ENOTDIR, "cannot open '%s'", path);
	*inside = path + length + strspn(path + length, "/");
	return 0;
}

static int read_package(struct open_package *package, struct expt_error *err)
{
	int rc = seekable_open(&package->stream, package->fd, err);

	if (rc == 0)
		rc = digest_open(&package->digest, err);
	if (rc == 0)
		rc = read_members(package, err);
	if (rc == 0 && package->tops.count == 0)
		rc = expt_refuse(err, -EBADMSG, "it contains no experiment");
	if (rc == -EBADMSG && package->base.members.count == 0)
		return expt_fail_in(err, rc, "'%s' is neither an experiment nor a bundle",
				    package->base.path);
	return rc < 0 ? expt_fail_in(err, rc, "'%s'", package->base.path) : 0;
}

static const struct package_operations operations;

/* Keep the limits; progress and stop are valid only while opening. */
static void set_options(struct open_package *package,
			const struct expt_import_options *options)
{
	struct members *members = &package->base.members;

	members_init(members, options);
	package->how.limits = &members->limits;
	if (!options)
		return;
	package->how.threads = options->operation.threads;
	package->how.progress = options->operation.progress;
	package->how.stop = options->operation.stop;
}

int package_open(struct package **out, const char *path, const char **inside,
		 const struct expt_import_options *options, struct expt_error *err)
{
	struct open_package *package = calloc(1, sizeof(*package));
	int rc;

	if (!package)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", path);
	package->base.operations = &operations;
	package->fd = package->spool = -1;
	package->users = 1;
	pthread_mutex_init(&package->lock, NULL);
	set_options(package, options);
	rc = open_file(package, path, inside, err);
	if (rc == 0)
		rc = read_package(package, err);
	if (rc < 0) {
		package_close(&package->base);
		return rc;
	}
	package->how = (struct tar_reading){ .threads = 0 };
	*out = &package->base;
	return 0;
}

static struct open_package *opened(struct package *package)
{
	return (struct open_package *)package;
}

static struct package *share(struct package *base)
{
	struct open_package *package = opened(base);

	pthread_mutex_lock(&package->lock);
	package->users++;
	pthread_mutex_unlock(&package->lock);
	return base;
}

static void close_package(struct package *base)
{
	struct open_package *package = opened(base);
	unsigned left;

	pthread_mutex_lock(&package->lock);
	left = --package->users;
	pthread_mutex_unlock(&package->lock);
	if (left > 0)
		return;
	seekable_close(package->stream);
	digest_close(package->digest);
	members_release(&package->base.members);
	array_release(&package->tops);
	cleanup_fdp(&package->fd);
	cleanup_fdp(&package->spool);
	pthread_mutex_destroy(&package->lock);
	free(package->base.path);
	free(package);
}

size_t package_count(const struct package *package)
{
	return ((const struct open_package *)package)->tops.count;
}

size_t package_experiment(const struct package *package, size_t i)
{
	return ((const struct open_package *)package)->tops.items[i].member;
}

/* ---- data ---- */

/* Check that the headers at the member's position agree with the index. */
static int check_headers(struct tar_reader *reader, const struct member *member,
			 struct expt_error *err)
{
	struct tar_member there;
	const char *name;
	int rc = tar_reader_next(reader, &there, err);

	if (rc < 0)
		return rc;
	name = rc > 0 ? there.name : "";
	while (name[0] == '.' && name[1] == '/')
		name += 2 + strspn(name + 2, "/");
	if (rc == 0 || strcmp(name, member->name) != 0 || there.type != TAR_FILE ||
	    there.size != member->size)
		return expt_refuse(err, -EBADMSG,
				   "another member is at byte %llu of the archive",
				   (unsigned long long)member->place);
	return 0;
}

/* Copy the member to fd, or only compute its sum, which replaces *sum. */
static int copy_data(struct open_package *package, struct member *member, int fd,
		     char **text, struct expt_error *err)
{
	struct unpacker from = { .digest = package->digest,
				 .members = &package->base.members,
				 .stop = package->stop };
	int rc = tar_reader_open_at(&from.reader, package->stream, member->place,
				    member->span, err);

	if (rc < 0)
		return rc;
	package->base.members.data = 0; /* the limit applies to each read */
	rc = check_headers(from.reader, member, err);
	if (rc == 0)
		rc = text ? unpack_text(text, &from, CHECKLIST_BYTES_MAX, member, err)
			  : unpack_data(&from, fd, member, err);
	tar_reader_close(from.reader);
	return rc;
}

/* Read the sums of this experiment's files, and all others in its manifest. */
static int read_sums(struct open_package *package, struct top *top,
		     struct expt_error *err)
{
	cleanup_free char *text = NULL;
	char name[512];
	size_t index;
	int rc;

	if (top->has_sums)
		return 0;
	snprintf(name, sizeof(name), "%s/%s",
		 package->base.members.items[top->member].name, EXPORT_MANIFEST);
	index = members_find(&package->base.members, name);
	top->has_sums = true;
	if (index == MEMBER_NONE || package->base.members.items[index].type != TAR_FILE)
		return 0;
	rc = copy_data(package, &package->base.members.items[index], -1, &text, err);
	if (rc == 0)
		rc = checklist_copy_sums(&package->base.members, text, err);
	if (rc < 0) {
		top->has_sums = false;
		return expt_fail_in(err, rc, "'%s'", name);
	}
	top->is_verified = true;
	return 0;
}

static struct top *top_of(struct open_package *package, const struct member *member)
{
	size_t length = strcspn(member->name, "/");

	for (size_t i = 0; i < package->tops.count; i++) {
		const char *name =
			package->base.members.items[package->tops.items[i].member].name;

		if (strlen(name) == length && memcmp(name, member->name, length) == 0)
			return &package->tops.items[i];
	}
	return NULL;
}

static int read_checked(struct open_package *package, struct member *member, int fd,
			struct expt_error *err)
{
	unsigned char wanted[DIGEST_SIZE];
	struct top *top = top_of(package, member);
	int rc = top ? read_sums(package, top, err) : 0;

	if (rc < 0)
		return rc;
	memcpy(wanted, member->sum, sizeof(wanted));
	rc = copy_data(package, member, fd, NULL, err);
	if (rc == 0 && top && top->is_verified && !member->is_listed &&
	    !member->is_manifest)
		rc = expt_refuse(err, -EBADMSG, "it is not in the manifest");
	if (rc == 0 && member->is_listed &&
	    memcmp(wanted, member->sum, sizeof(wanted)) != 0)
		rc = expt_refuse(err, -EBADMSG,
				 "its checksum does not match the manifest");
	memcpy(member->sum, wanted, sizeof(wanted));
	return rc;
}

int package_copy(struct package *base, size_t index, int fd, const volatile int *stop,
		 struct expt_error *err)
{
	struct open_package *package = opened(base);
	int rc;

	pthread_mutex_lock(&package->lock);
	package->stop = stop;
	rc = read_checked(package, &base->members.items[index], fd, err);
	pthread_mutex_unlock(&package->lock);
	return rc;
}

static int open_member(struct package *base, size_t index, struct expt_error *err)
{
	cleanup_fd int fd = temporary_fd(base->members.items[index].size, err);
	int rc = fd < 0 ? fd : package_copy(base, index, fd, NULL, err);

	if (rc == 0 && lseek(fd, 0, SEEK_SET) < 0)
		rc = expt_fail(err, -errno, "cannot read");
	return rc < 0 ? rc : steal_fd(&fd);
}

static void rest(struct package *base)
{
	struct open_package *package = opened(base);

	pthread_mutex_lock(&package->lock);
	seekable_rest(package->stream);
	pthread_mutex_unlock(&package->lock);
}

static const struct package_operations operations = {
	.share = share,
	.close = close_package,
	.file = open_member,
	.rest = rest,
};
