/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stream/compress.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/stream/decompress.h"
#include "libexpt/stream/seek_table.h"

#define PLAIN_SIZE (COMPRESS_FRAME_SIZE * 3 + 12345)

static unsigned char *plain;

/* Makes text-like data: compressible, and different everywhere. */
static int make_plain(void **state)
{
	uint64_t seed = 1;

	plain = malloc(PLAIN_SIZE);
	for (size_t i = 0; i < PLAIN_SIZE; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		plain[i] = (unsigned char)("etaoin shrdlu0123"[(seed >> 60)] + (i >> 21));
	}
	return plain ? 0 : -1;
}

static int free_plain(void **state)
{
	free(plain);
	return 0;
}

static int memory_file(void)
{
	int fd = memfd_create("compress_test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static int packed_with(enum expt_compression method, size_t length, unsigned threads)
{
	struct compressor *compressor;
	int fd = memory_file();

	assert_int_equal(compressor_open(&compressor, fd, method, 1, threads, NULL), 0);
	for (size_t done = 0; done < length;) {
		size_t part = length - done < 99991 ? length - done : 99991;

		assert_int_equal(compressor_write(compressor, plain + done, part, NULL),
				 0);
		done += part;
	}
	assert_int_equal(compressor_finish(compressor, NULL), 0);
	compressor_close(compressor);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static int packed(size_t length, unsigned threads)
{
	return packed_with(EXPT_COMPRESSION_ZSTD, length, threads);
}

/* Compares the unpacked bytes with the plain ones. Returns the result of the last read.
 */
static int unpack(int fd, unsigned threads, size_t *length, struct expt_error *err)
{
	struct decompressor *decompressor;
	const void *bytes;
	ssize_t got;

	*length = 0;
	assert_int_equal(decompressor_open(&decompressor, fd, threads, 0, err), 0);
	while ((got = decompressor_read(decompressor, &bytes, err)) > 0) {
		assert_true(*length + (size_t)got <= PLAIN_SIZE);
		assert_memory_equal(bytes, plain + *length, (size_t)got);
		*length += (size_t)got;
	}
	decompressor_close(decompressor);
	return (int)got;
}

static void assert_unpacks(int fd, size_t expected)
{
	for (unsigned threads = 1; threads <= 3; threads++) {
		size_t length;

		lseek(fd, 0, SEEK_SET);
		assert_int_equal(unpack(fd, threads, &length, NULL), 0);
		assert_int_equal(length, expected);
	}
}

static off_t size_of(int fd)
{
	struct stat status;

	assert_int_equal(fstat(fd, &status), 0);
	return status.st_size;
}

static void what_was_packed_comes_out_again(void **state)
{
	static const size_t lengths[] = { 0,
					  1,
					  COMPRESS_FRAME_SIZE - 1,
					  COMPRESS_FRAME_SIZE,
					  COMPRESS_FRAME_SIZE + 1,
					  PLAIN_SIZE };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		cleanup_fd int fd = packed(lengths[i], 2);

		assert_unpacks(fd, lengths[i]);
	}
}

static void assert_same_bytes(int fd, const unsigned char *expected, off_t size)
{
	unsigned char *bytes = malloc((size_t)size);

	assert_int_equal(size_of(fd), size);
	assert_int_equal(io_pread_full(fd, bytes, (size_t)size, 0), size);
	assert_memory_equal(bytes, expected, (size_t)size);
	free(bytes);
}

static void bytes_do_not_depend_on_the_number_of_threads(void **state)
{
	for (int method = EXPT_COMPRESSION_ZSTD; method < EXPT_COMPRESSION_NONE;
	     method++) {
		size_t length = method == EXPT_COMPRESSION_ZSTD ? PLAIN_SIZE
								: COMPRESS_FRAME_SIZE + 5;
		cleanup_fd int one = packed_with(method, length, 1);
		off_t size = size_of(one);
		unsigned char *expected = malloc((size_t)size);

		assert_int_equal(io_pread_full(one, expected, (size_t)size, 0), size);
		for (unsigned threads = 2; threads <= 4; threads++) {
			cleanup_fd int many = packed_with(method, length, threads);

			assert_same_bytes(many, expected, size);
		}
		free(expected);
	}
}

static void without_compression_bytes_stay_as_they_are(void **state)
{
	cleanup_fd int fd = packed_with(EXPT_COMPRESSION_NONE, PLAIN_SIZE, 2);

	assert_int_equal(size_of(fd), PLAIN_SIZE);
	assert_unpacks(fd, PLAIN_SIZE);
}

static void a_pipe_is_read_serially(void **state)
{
	cleanup_fd int fd = packed(30000, 1);
	unsigned char bytes[65536];
	ssize_t size = io_pread_full(fd, bytes, sizeof(bytes), 0);
	size_t length;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(io_write_all(ends[1], bytes, (size_t)size), 0);
	close(ends[1]);
	assert_int_equal(unpack(ends[0], 2, &length, NULL), 0);
	assert_int_equal(length, 30000);
	close(ends[0]);
}

static void a_wrong_table_is_not_trusted(void **state)
{
	cleanup_fd int fd = packed(PLAIN_SIZE, 1);
	off_t table = size_of(fd) - 9 - 4 * 8;
	unsigned char wrong[] = { 0xff, 0xff, 0xff, 0x7f };

	assert_int_equal(io_pwrite_all(fd, wrong, sizeof(wrong), table), 0);
	assert_unpacks(fd, PLAIN_SIZE);
}

static void a_damaged_byte_is_found(void **state)
{
	for (unsigned threads = 1; threads <= 2; threads++) {
		cleanup_fd int fd = packed(PLAIN_SIZE, 1);
		struct expt_error err;
		unsigned char byte;
		size_t length;

		io_pread_full(fd, &byte, 1, 200000);
		byte ^= 0x10;
		io_pwrite_all(fd, &byte, 1, 200000);
		assert_int_equal(unpack(fd, threads, &length, &err), -EBADMSG);
		assert_non_null(strstr(err.message, "is damaged near byte"));
	}
}

/* Frames that end early depend on the data written, not on threads. */
static void a_frame_ends_where_that_is_asked_for(void **state)
{
	static const size_t parts[] = { COMPRESS_FRAME_MIN - 1, 1, COMPRESS_FRAME_SIZE };
	struct seek_table table = { 0 };
	struct compressor *compressor;
	cleanup_fd int fd = memory_file();
	struct stat status;

	assert_int_equal(
		compressor_open(&compressor, fd, EXPT_COMPRESSION_ZSTD, 1, 2, NULL), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(compressor_write(compressor, plain, parts[i], NULL), 0);
		assert_int_equal(compressor_cut(compressor, COMPRESS_FRAME_MIN, NULL), 0);
	}
	assert_int_equal(compressor_taken(compressor),
			 COMPRESS_FRAME_MIN + COMPRESS_FRAME_SIZE);
	assert_int_equal(compressor_finish(compressor, NULL), 0);
	compressor_close(compressor);
	assert_int_equal(fstat(fd, &status), 0);
	assert_true(seek_table_read(&table, fd, (uint64_t)status.st_size));
	assert_int_equal(table.count, 2);
	assert_int_equal(table.items[0].plain_size, COMPRESS_FRAME_MIN);
	assert_int_equal(table.items[1].plain_size, COMPRESS_FRAME_SIZE);
	array_release(&table);
}

static void a_cut_stream_is_damaged(void **state)
{
	cleanup_fd int whole = packed(40000, 1);
	off_t frames = size_of(whole) - 9 - 8 - 8;

	for (off_t cut = 5; cut < frames; cut += 37) {
		cleanup_fd int fd = packed(40000, 1);
		struct expt_error err;
		size_t length;

		assert_int_equal(ftruncate(fd, cut), 0);
		assert_int_equal(unpack(fd, 2, &length, &err), -EBADMSG);
		assert_non_null(strstr(err.message, "truncated"));
	}
}

static void a_full_disk_is_reported(void **state)
{
	cleanup_fd int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct compressor *compressor;
	struct expt_error err;

	assert_true(full >= 0);
	assert_int_equal(
		compressor_open(&compressor, full, EXPT_COMPRESSION_ZSTD, 0, 2, &err), 0);
	assert_int_equal(compressor_write(compressor, plain, 1000, &err), 0);
	assert_int_equal(compressor_finish(compressor, &err), -ENOSPC);
	assert_string_equal(err.message, "cannot write: No space left on device");
	compressor_close(compressor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_packed_comes_out_again),
		cmocka_unit_test(bytes_do_not_depend_on_the_number_of_threads),
		cmocka_unit_test(without_compression_bytes_stay_as_they_are),
		cmocka_unit_test(a_pipe_is_read_serially),
		cmocka_unit_test(a_wrong_table_is_not_trusted),
		cmocka_unit_test(a_damaged_byte_is_found),
		cmocka_unit_test(a_frame_ends_where_that_is_asked_for),
		cmocka_unit_test(a_cut_stream_is_damaged),
		cmocka_unit_test(a_full_disk_is_reported),
	};

	return cmocka_run_group_tests(tests, make_plain, free_plain);
}
