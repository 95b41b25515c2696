/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files read through libelf: identity, segments, sections. */
#include "libexpt/elf/elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/hex.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/private.h"
#include "libexpt/format.h"

int elf_fail(struct expt_error *err, const char *what)
{
	int number = elf_errno();

	/* libelf has no error code for a failed allocation, but leaves ENOMEM in
	 * errno. */
	if (errno == ENOMEM)
		return expt_fail(err, -ENOMEM, "%s", what);
	return expt_refuse(err, -EBADMSG, "%s: %s", what,
			   elf_errmsg(number ? number : -1));
}

/* ---- notes: build-id and identity -------------------------------------------------- */

/* Cut the next line "<key> <value>\n" off *text and return the value; NULL: the key
 * differs. */
static char *cut_line(char **text, const char *key)
{
	size_t length = strlen(key);
	char *value = *text + length + 1, *end;

	if (strncmp(*text, key, length) != 0 || (*text)[length] != ' ')
		return NULL;
	end = strchr(value, '\n');
	if (!end)
		return NULL;
	*end = '\0';
	*text = end + 1;
	return value;
}

/* Parse the text of an identity note, see write_identity(). The path is last, as it may
 * contain anything. */
static bool parse_identity(struct elf_note *note, char *text)
{
	const char *size = cut_line(&text, "size");
	const char *mtime = size ? cut_line(&text, "mtime_ns") : NULL;

	note->identity.build_id = mtime ? cut_line(&text, "build-id") : NULL;
	if (!note->identity.build_id || strncmp(text, "path ", 5) != 0)
		return false;
	note->path = text + 5;
	note->identity.has_file = true;
	return number_u64(&note->identity.size, size) &&
	       number_u64(&note->identity.mtime_ns, mtime);
}

static int read_identity(struct elf *elf, const char *text, size_t length)
{
	if (elf->described)
		return 0;
	elf->described = strndup(text, length);
	if (!elf->described)
		return -ENOMEM;
	if (!parse_identity(&elf->note, elf->described))
		elf->note = (struct elf_note){ 0 };
	return 0;
}

static int read_note(struct elf *elf, const GElf_Nhdr *note, const char *owner,
		     const char *bytes)
{
	if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof("GNU") &&
	    memcmp(owner, "GNU", sizeof("GNU")) == 0 && !elf->build_id &&
	    note->n_descsz > 0 && note->n_descsz <= BUILD_ID_MAX) {
		elf->build_id = malloc(2 * (size_t)note->n_descsz + 1);
		if (!elf->build_id)
			return -ENOMEM;
		hex_text(elf->build_id, bytes, note->n_descsz);
		return 0;
	}
	if (note->n_type == IDENTITY_NOTE_TYPE &&
	    note->n_namesz == sizeof(IDENTITY_NOTE_OWNER) &&
	    memcmp(owner, IDENTITY_NOTE_OWNER, sizeof(IDENTITY_NOTE_OWNER)) == 0)
		return read_identity(elf, bytes, note->n_descsz);
	return 0;
}

static int read_notes(struct elf *elf, Elf_Data *data)
{
	size_t offset = 0, owner, bytes;
	GElf_Nhdr note;
	int rc = 0;

	if (!data || !data->d_buf)
		return 0;
	while (rc == 0 && offset < data->d_size) {
		offset = gelf_getnote(data, offset, &note, &owner, &bytes);
		if (offset == 0)
			break;
		rc = read_note(elf, &note, (const char *)data->d_buf + owner,
			       (const char *)data->d_buf + bytes);
	}
	return rc;
}

/* Read notes by segment, for files without section headers. */
static int read_note_segments(struct elf *elf)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const GElf_Phdr *segment = &elf->segments[i];
		int rc;

		if (segment->p_type != PT_NOTE || segment->p_filesz > ELF_TABLE_LIMIT ||
		    segment->p_offset > INT64_MAX)
			continue;
		rc = read_notes(
			elf, elf_getdata_rawchunk(elf->handle, (int64_t)segment->p_offset,
						  segment->p_filesz,
						  segment->p_align == 8 ? ELF_T_NHDR8
									: ELF_T_NHDR));
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* ---- sections ---------------------------------------------------------------------- */

/* .gnu_debuglink: base name, NUL, padding to 4, checksum in the file's byte order. */
static int read_debuglink(struct elf *elf, Elf_Scn *section)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	size_t length, place;
	unsigned char crc[4];

	if (elf->debuglink || !data || !data->d_buf)
		return 0;
	length = strnlen(data->d_buf, data->d_size);
	place = (length + 4) & ~(size_t)3;
	if (length == 0 || place + sizeof(crc) > data->d_size ||
	    memchr(data->d_buf, '/', length))
		return 0;
	memcpy(crc, (const char *)data->d_buf + place, sizeof(crc));
	if (elf->header.e_ident[EI_DATA] == ELFDATA2LSB)
		elf->debuglink_crc = (uint32_t)crc[3] << 24 | (uint32_t)crc[2] << 16 |
				     (uint32_t)crc[1] << 8 | crc[0];
	else
		elf->debuglink_crc = (uint32_t)crc[0] << 24 | (uint32_t)crc[1] << 16 |
				     (uint32_t)crc[2] << 8 | crc[3];
	elf->debuglink = strndup(data->d_buf, length);
	return elf->debuglink ? 0 : -ENOMEM;
}

/* .gnu_debugaltlink: path, NUL, build-id. */
static int read_debugaltlink(struct elf *elf, Elf_Scn *section)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	size_t length, id_length;

	if (elf->debugaltlink || !data || !data->d_buf)
		return 0;
	length = strnlen(data->d_buf, data->d_size);
	if (length == 0 || length == data->d_size)
		return 0;
	id_length = data->d_size - length - 1;
	if (id_length == 0 || id_length > BUILD_ID_MAX)
		return 0;
	elf->debugaltlink = strndup(data->d_buf, length);
	elf->debugaltlink_id = malloc(2 * id_length + 1);
	if (!elf->debugaltlink || !elf->debugaltlink_id)
		return -ENOMEM;
	hex_text(elf->debugaltlink_id, (const char *)data->d_buf + length + 1, id_length);
	return 0;
}

static int read_sections(struct elf *elf)
{
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;
	int rc = 0;

	while (rc == 0 && (section = elf_nextscn(elf->handle, section))) {
		if (!elf_section_header(elf, section, &header, &name) ||
		    header.sh_type == SHT_NOBITS || header.sh_size > ELF_TABLE_LIMIT)
			continue;
		if (header.sh_type == SHT_NOTE)
			rc = read_notes(elf, elf_getdata(section, NULL));
		else if (strcmp(name, ".gnu_debuglink") == 0)
			rc = read_debuglink(elf, section);
		else if (strcmp(name, ".gnu_debugaltlink") == 0)
			rc = read_debugaltlink(elf, section);
	}
	return rc;
}

/* ---- opening ----------------------------------------------------------------------- */

static int read_segments(struct elf *elf, struct expt_error *err)
{
	if (elf_getphdrnum(elf->handle, &elf->segment_count) < 0)
		return elf_fail(err, "damaged program headers");
	if (elf->segment_count == 0)
		return 0;
	elf->segments = calloc(elf->segment_count, sizeof(*elf->segments));
	if (!elf->segments)
		return expt_fail(err, -ENOMEM, "cannot read the program headers");
	for (size_t i = 0; i < elf->segment_count; i++)
		if (!gelf_getphdr(elf->handle, (int)i, &elf->segments[i]))
			return elf_fail(err, "damaged program headers");
	return 0;
}

/* Returns the section of section names, or 0. A damaged file may name one of another
 * kind, even a symbol table, which must not be used as text: a description adds names to
 * it. A compressed one, which no linker makes, would be decompressed by libelf. */
static size_t find_section_names(Elf *handle)
{
	GElf_Shdr header;
	size_t index;

	if (elf_getshdrstrndx(handle, &index) < 0 ||
	    !gelf_getshdr(elf_getscn(handle, index), &header) ||
	    header.sh_type != SHT_STRTAB || header.sh_flags & SHF_COMPRESSED)
		return 0;
	return index;
}

static int read_head(struct elf *elf, struct expt_error *err)
{
	int rc;

	rc = elf_check_file(elf, err);
	if (rc < 0)
		return rc;
	elf_version(EV_CURRENT);
	errno = 0;
	elf->handle = elf_begin(elf->fd, ELF_C_READ, NULL);
	if (!elf->handle && errno)
		return expt_fail(err, -errno, "cannot read it");
	if (!elf->handle || elf_kind(elf->handle) != ELF_K_ELF)
		return expt_refuse(err, -EBADMSG, "not an ELF file");
	if (!gelf_getehdr(elf->handle, &elf->header))
		return elf_fail(err, "damaged ELF header");
	elf->section_names = find_section_names(elf->handle);
	rc = elf_check_sections(elf, err);
	if (rc == 0)
		rc = read_segments(elf, err);
	if (rc < 0)
		return rc;
	rc = read_sections(elf);
	if (rc == 0 && !elf->build_id && !elf_has_sections(elf))
		rc = read_note_segments(elf);
	return rc < 0 ? expt_fail(err, rc, "cannot read the notes") : 0;
}

static void elf_closep(struct elf **elf)
{
	elf_close(*elf);
}

int elf_open(struct elf **out, int fd, struct expt_error *err)
{
	cleanup_fd int held = fd;
	cleanup(elf_closep) struct elf *elf = calloc(1, sizeof(*elf));
	int rc;

	if (!elf)
		return expt_fail(err, -ENOMEM, "cannot read an ELF file");
	elf->fd = steal_fd(&held);
	rc = read_head(elf, err);
	if (rc < 0)
		return rc;
	*out = steal(&elf);
	return 0;
}

void elf_finish(struct elf *elf)
{
	if (elf->fd < 0)
		return;
	elf_cntl(elf->handle, ELF_C_FDDONE);
	close(steal_fd(&elf->fd));
}

void elf_close(struct elf *elf)
{
	if (!elf)
		return;
	elf_end(elf->handle);
	if (elf->fd >= 0)
		close(elf->fd);
	free(elf->segments);
	free(elf->build_id);
	free(elf->debuglink);
	free(elf->debugaltlink);
	free(elf->debugaltlink_id);
	free(elf->described);
	free(elf);
}

/* ---- queries ----------------------------------------------------------------------- */

const char *elf_build_id(const struct elf *elf)
{
	return elf->build_id ? elf->build_id : "";
}

const char *elf_debuglink(const struct elf *elf, uint32_t *crc)
{
	*crc = elf->debuglink_crc;
	return elf->debuglink;
}

const char *elf_debugaltlink(const struct elf *elf, const char **build_id)
{
	*build_id = elf->debugaltlink_id ? elf->debugaltlink_id : "";
	return elf->debugaltlink_id ? elf->debugaltlink : NULL;
}

bool elf_described(const struct elf *elf, struct elf_note *note)
{
	if (!elf->note.path)
		return false;
	*note = elf->note;
	return true;
}

bool elf_has_sections(const struct elf *elf)
{
	size_t count;

	return elf_getshdrnum(elf->handle, &count) == 0 && count > 1;
}

uint64_t elf_code_end(const struct elf *elf)
{
	uint64_t end = 0;

	for (size_t i = 0; i < elf->segment_count; i++) {
		const GElf_Phdr *segment = &elf->segments[i];
		uint64_t stop;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
		    __builtin_add_overflow(segment->p_offset, segment->p_memsz, &stop) ||
		    stop > INT64_MAX)
			continue;
		if (stop > end)
			end = stop;
	}
	return end;
}

bool elf_image_offset(const struct elf *elf, uint64_t address, uint64_t *offset)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const GElf_Phdr *segment = &elf->segments[i];

		/* The memory size decides: description files have a file size of 0. */
		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_memsz)
			return !__builtin_add_overflow(address - segment->p_vaddr,
						       segment->p_offset, offset) &&
			       *offset <= INT64_MAX;
	}
	return false;
}

/* The inverse of elf_image_offset(). */
bool elf_image_address(const struct elf *elf, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const GElf_Phdr *segment = &elf->segments[i];

		if (segment->p_type == PT_LOAD && offset >= segment->p_offset &&
		    offset - segment->p_offset < segment->p_memsz) {
			*address = offset - segment->p_offset + segment->p_vaddr;
			return true;
		}
	}
	return false;
}

bool elf_section(const struct elf *elf, const char *wanted, uint64_t *offset,
		 uint64_t *size)
{
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf->handle, section))) {
		if (!elf_section_header(elf, section, &header, &name) ||
		    strcmp(name, wanted) != 0 || !(header.sh_flags & SHF_ALLOC))
			continue;
		*size = header.sh_size;
		return elf_image_offset(elf, header.sh_addr, offset);
	}
	return false;
}

/* ---- code -------------------------------------------------------------------------- */

unsigned elf_machine(const struct elf *elf)
{
	return elf->header.e_machine;
}

size_t elf_code_size(const struct elf *elf, uint64_t offset, uint64_t limit)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const GElf_Phdr *segment = &elf->segments[i];
		uint64_t rest;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
		    offset < segment->p_offset ||
		    offset - segment->p_offset >= segment->p_filesz)
			continue;
		rest = segment->p_filesz - (offset - segment->p_offset);
		rest = rest < limit ? rest : limit;
		return rest < elf->data_size ? rest : elf->data_size;
	}
	return 0;
}

int elf_read_code(const struct elf *elf, uint64_t offset, unsigned char *bytes,
		  size_t size, struct expt_error *err)
{
	ssize_t got = -EBADF;

	if (offset <= INT64_MAX && elf->fd >= 0)
		got = io_pread_full(elf->fd, bytes, size, (off_t)offset);
	if (got < 0)
		return expt_fail(err, (int)got, "cannot read the code");
	if ((size_t)got < size)
		return expt_refuse(err, -EBADMSG,
				   "the file ends in the middle of its code");
	return 0;
}
