/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "libexpt/base/io.h"

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(io_write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static void nothing_leads_out_of_the_directory(void **state)
{
	int dir, fd;

	assert_int_equal(mkdir("beneath", 0755), 0);
	assert_int_equal(mkdir("beneath/sub", 0755), 0);
	write_file("secret", "secret");
	write_file("beneath/sub/file", "inside");
	assert_int_equal(symlink("../secret", "beneath/link"), 0);
	assert_int_equal(symlink("..", "beneath/up"), 0);
	dir = open("beneath", O_RDONLY | O_DIRECTORY);

	fd = io_open_beneath(dir, "sub/file", O_RDONLY, 0);
	assert_true(fd >= 0);
	close(fd);
	assert_true(io_open_beneath(dir, "../secret", O_RDONLY, 0) < 0);
	assert_true(io_open_beneath(dir, "link", O_RDONLY, 0) < 0);
	assert_true(io_open_beneath(dir, "up/secret", O_RDONLY, 0) < 0);
	assert_true(io_open_beneath(dir, "/etc/passwd", O_RDONLY, 0) < 0);
	assert_int_equal(io_open_beneath(dir, "none", O_RDONLY, 0), -ENOENT);
	close(dir);
}

static void only_regular_files_are_read(void **state)
{
	assert_int_equal(mkfifo("fifo", 0644), 0);
	assert_int_equal(io_open_regular(AT_FDCWD, "fifo"), -EINVAL);
	assert_int_equal(io_open_regular(AT_FDCWD, "beneath"), -EINVAL);
	assert_int_equal(io_open_regular(AT_FDCWD, "none"), -ENOENT);
}

static void a_file_too_large_to_hold_is_refused(void **state)
{
	int fd = open("sparse", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	struct io_file file;

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)IO_FILE_MAX + 1), 0);
	close(fd);
	assert_int_equal(io_file_open(&file, AT_FDCWD, "sparse"), -EFBIG);
}

static void files_of_any_size_are_read_whole(void **state)
{
	static const size_t sizes[] = { 0, 1, 262144, 262145, 1000000 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		char *bytes = malloc(sizes[i] + 1);
		struct io_file file;

		memset(bytes, 'x', sizes[i]);
		bytes[sizes[i]] = '\0';
		write_file("sized", bytes);
		assert_int_equal(io_file_open(&file, AT_FDCWD, "sized"), 0);
		assert_int_equal(file.size, sizes[i]);
		if (sizes[i] == 0)
			assert_null(file.bytes);
		else
			assert_memory_equal(file.bytes, bytes, sizes[i]);
		io_file_close(&file);
		free(bytes);
	}
}

static mode_t mode_of(const char *path)
{
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return status.st_mode & 07777;
}

static void a_mode_is_set_through_any_descriptor(void **state)
{
	int fd, path;

	write_file("moded", "");
	fd = open("moded", O_RDONLY);
	path = open("moded", O_PATH);
	assert_int_equal(io_set_mode(fd, 0600), 0);
	assert_int_equal(mode_of("moded"), 0600);
	assert_int_equal(io_set_mode(path, 0640), 0);
	assert_int_equal(mode_of("moded"), 0640);
	close(fd);
	close(path);
}

static void a_new_directory_is_open_to_its_owner(void **state)
{
	struct stat made, named;
	mode_t before = umask(0777);
	int fd = io_new_directory(AT_FDCWD, "new", 0755);

	umask(before);
	assert_true(fd >= 0);
	assert_int_equal(mode_of("new"), 0700);
	assert_int_equal(fstat(fd, &made), 0);
	assert_int_equal(lstat("new", &named), 0);
	assert_true(io_is_same(&made, &named));
	close(fd);
	assert_int_equal(io_new_directory(AT_FDCWD, "new", 0755), -EEXIST);
	assert_int_equal(io_make_directory(AT_FDCWD, "new", 0755), -EEXIST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_leads_out_of_the_directory),
		cmocka_unit_test(only_regular_files_are_read),
		cmocka_unit_test(a_file_too_large_to_hold_is_refused),
		cmocka_unit_test(files_of_any_size_are_read_whole),
		cmocka_unit_test(a_mode_is_set_through_any_descriptor),
		cmocka_unit_test(a_new_directory_is_open_to_its_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
