/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bundle/tar.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "tests/libexpt/test.h"

static const struct tar_member file = {
	.name = "x.er/profile",
	.type = TAR_FILE,
	.mode = 0644,
	.size = 5,
	.mtime = { 1600000000, 123456789 },
};
static const struct tar_member directory = {
	.name = "x.er",
	.type = TAR_DIRECTORY,
	.mode = 0755,
	.mtime = { 1600000000, 0 },
};

static int make_tar(enum expt_compression method)
{
	int fd = memfd_create("tar_test", MFD_CLOEXEC);
	struct compressor *compressor;
	struct tar_writer *writer;

	assert_int_equal(compressor_open(&compressor, fd, method, 1, 1, NULL), 0);
	assert_int_equal(tar_writer_open(&writer, compressor, NULL), 0);
	assert_int_equal(tar_writer_member(writer, &file, NULL), 0);
	assert_int_equal(tar_writer_data(writer, "12", 2, NULL), 0);
	assert_int_equal(tar_writer_data(writer, "345", 3, NULL), 0);
	assert_int_equal(tar_writer_member(writer, &directory, NULL), 0);
	assert_int_equal(tar_writer_finish(writer, NULL), 0);
	assert_int_equal(compressor_finish(compressor, NULL), 0);
	tar_writer_close(writer);
	compressor_close(compressor);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void assert_member(const struct tar_member *member,
			  const struct tar_member *expected)
{
	assert_int_equal(member->type, expected->type);
	assert_int_equal(member->mode, expected->mode);
	assert_int_equal(member->size, expected->size);
	assert_int_equal(member->mtime.tv_sec, expected->mtime.tv_sec);
	assert_int_equal(member->mtime.tv_nsec, expected->mtime.tv_nsec);
}

static void what_was_written_is_read(void **state)
{
	for (int method = EXPT_COMPRESSION_ZSTD; method <= EXPT_COMPRESSION_NONE;
	     method++) {
		cleanup_fd int fd = make_tar((enum expt_compression)method);
		struct tar_reader *reader;
		struct tar_member member;
		const void *bytes;
		uint64_t offset;

		assert_int_equal(tar_reader_open(&reader, fd, NULL, NULL), 0);
		assert_int_equal(tar_reader_next(reader, &member, NULL), 1);
		assert_string_equal(member.name, "x.er/profile");
		assert_member(&member, &file);
		assert_int_equal(tar_reader_data(reader, &bytes, &offset, NULL), 5);
		assert_int_equal(offset, 0);
		assert_memory_equal(bytes, "12345", 5);
		assert_int_equal(tar_reader_data(reader, &bytes, &offset, NULL), 0);
		assert_int_equal(tar_reader_next(reader, &member, NULL), 1);
		assert_string_equal(member.name, "x.er/");
		assert_member(&member, &directory);
		assert_int_equal(tar_reader_next(reader, &member, NULL), 0);
		tar_reader_close(reader);
	}
}

/* Every cut is an error, so that no member is lost silently. */
static void a_cut_archive_is_damaged(void **state)
{
	cleanup_fd int whole = make_tar(EXPT_COMPRESSION_NONE);
	struct stat status;

	assert_int_equal(fstat(whole, &status), 0);
	for (off_t cut = 0; cut < status.st_size; cut += 256) {
		cleanup_fd int fd = make_tar(EXPT_COMPRESSION_NONE);
		struct tar_reader *reader;
		struct tar_member member;
		struct expt_error err;
		int rc;

		assert_int_equal(ftruncate(fd, cut), 0);
		rc = tar_reader_open(&reader, fd, NULL, &err);
		if (rc == 0) {
			while ((rc = tar_reader_next(reader, &member, &err)) > 0)
				;
			tar_reader_close(reader);
		}
		assert_int_equal(rc, -EBADMSG);
	}
}

static void a_failed_write_is_the_compressors(void **state)
{
	struct tar_member large = file;
	struct compressor *compressor;
	struct tar_writer *writer;
	struct expt_error err;
	static char bytes[1 << 20];
	int rc = 0;

	large.size = 32 << 20;
	assert_int_equal(
		compressor_open(&compressor, -1, EXPT_COMPRESSION_NONE, 0, 1, NULL), 0);
	assert_int_equal(tar_writer_open(&writer, compressor, NULL), 0);
	assert_int_equal(tar_writer_member(writer, &large, NULL), 0);
	for (int i = 0; i < 32 && rc == 0; i++)
		rc = tar_writer_data(writer, bytes, sizeof(bytes), &err);
	assert_int_equal(rc, -EBADF);
	assert_string_equal(err.message, "cannot write: Bad file descriptor");
	tar_writer_close(writer);
	compressor_close(compressor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(a_cut_archive_is_damaged),
		cmocka_unit_test(a_failed_write_is_the_compressors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
