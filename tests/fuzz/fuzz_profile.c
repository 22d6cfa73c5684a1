/* SPDX-License-Identifier: MIT
 *
 * Profiles of both kinds from any bytes: no crash, and what is accepted reads back the same after
 * it was written. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "board.h"
#include "file.h"
#include "ini.h"
#include "list.h"
#include "mem.h"
#include "run_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* A rewrite of an accepted file is accepted again, whatever was changed. */
static void fuzz_ini(const char *text, size_t size)
{
	struct ini ini;
	struct error error = { 0 };
	if (ini_parse("fuzz", text, size, &ini, &error) < 0) {
		must(error.code != 0 && error.text[0] != '\0');
		return;
	}
	if (ini.len) {
		_autofree_ char *section = mem_strdup(ini.lines[ini.len / 2].section);
		ini_set(&ini, section, "added", "1");
		must(strcmp(ini_get(&ini, section, "added"), "1") == 0);
		ini_add(&ini, section, "added", "2");
		ini_remove(&ini, section, "added");
		must(ini_get(&ini, section, "added") == NULL);
		ini_remove(&ini, section, NULL);
	}
	ini_finish(&ini);
}

static void fuzz_run(const char *text, size_t size)
{
	struct run_spec spec, again;
	struct error error = { 0 };
	char **warnings = NULL;
	if (run_spec_from_text("fuzz", text, size, &spec, &warnings, &error) < 0) {
		must(error.code != 0 && error.text[0] != '\0');
		return;
	}
	list_finish(&warnings);
	_autofree_ char *written = run_spec_to_text(&spec);
	must(run_spec_from_text("again", written, strlen(written), &again, NULL, NULL) == 0);
	_autofree_ char *twice = run_spec_to_text(&again);
	must(strcmp(written, twice) == 0);
	must(spec.parts_len == again.parts_len);
	run_spec_finish(&spec);
	run_spec_finish(&again);
}

/* Boards are only ever read from files; this one is in memory. */
static void fuzz_board(const char *text, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0)
		return;
	char path[64];
	struct board board;
	struct error error = { 0 };
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (file_write_all(fd, text, size) == 0) {
		if (board_load(path, &board, &error) == 0)
			board_finish(&board);
		else
			must(error.code != 0 && error.text[0] != '\0');
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A copy that is as large as the input, so that a read past its end is seen. */
	_autofree_ char *text = mem_zalloc(size ? size : 1, 1);
	memcpy(text, data, size);
	fuzz_ini(text, size);
	fuzz_run(text, size);
	fuzz_board(text, size);
	return 0;
}
