/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/elf/content.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/elf/private.h"

#define NAME_SIZE 64

/* The older form of compression has no flag, but another name: ".zdebug_info". */
static Elf_Scn *find(const struct elf *elf, const char *name, bool *is_old)
{
	Elf_Scn *section = elf_find_section(elf, name);
	char old[NAME_SIZE];

	*is_old = false;
	if (section)
		return section;
	*is_old = true;
	if (snprintf(old, sizeof(old), ".z%s", name + 1) >= NAME_SIZE)
		return NULL;
	return elf_find_section(elf, old);
}

static int unpack(Elf_Scn *section, bool is_old, struct expt_error *err)
{
	GElf_Shdr header;

	errno = 0;
	if (!gelf_getshdr(section, &header) ||
	    (is_old && elf_compress_gnu(section, 0, 0) < 0) ||
	    (header.sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0))
		return elf_fail(err, "damaged debug data");
	return 0;
}

static int read_content(struct elf_content *out, const struct elf *elf, const char *name,
			struct expt_error *err)
{
	bool is_old;
	Elf_Scn *section = find(elf, name, &is_old);
	Elf_Data *data;
	int rc;

	*out = (struct elf_content){ .bytes = NULL };
	if (!section)
		return 0;
	rc = unpack(section, is_old, err);
	if (rc < 0)
		return rc;
	data = elf_rawdata(section, NULL);
	if (!data)
		return elf_fail(err, "damaged debug data");
	if (data->d_buf)
		*out = (struct elf_content){ data->d_buf, data->d_size };
	return 0;
}

int elf_contents(struct elf_content *out, const struct elf *elf, const char *const *names,
		 size_t count, const char *suffix, struct expt_error *err)
{
	int rc = elf_check_unpacked(elf, err);

	for (size_t i = 0; rc == 0 && i < count; i++) {
		char name[NAME_SIZE];

		snprintf(name, sizeof(name), "%s%s", names[i], suffix);
		rc = read_content(&out[i], elf, name, err);
	}
	return rc;
}

bool elf_has_content(const struct elf *elf, const char *name)
{
	bool is_old;

	return find(elf, name, &is_old) != NULL;
}

bool elf_is_big_endian(const struct elf *elf)
{
	return elf->header.e_ident[EI_DATA] == ELFDATA2MSB;
}
