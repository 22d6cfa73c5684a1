/* SPDX-License-Identifier: MIT
 *
 * What is asked for, in memory: made, copied, released. */
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "run_profile.h"
#include "text.h"

static void run_part_finish(struct run_part *part)
{
	free(part->name);
	free(part->subsystem);
	settings_finish(&part->settings);
	for (char **load = part->loads; load && *load; load++)
		free(*load);
	free(part->loads);
	*part = (struct run_part){ 0 };
}

void run_spec_finish(struct run_spec *spec)
{
	for (size_t i = 0; i < spec->parts_len; i++)
		run_part_finish(&spec->parts[i]);
	free(spec->parts);
	free(spec->profile);
	free(spec->path);
	free(spec->board);
	*spec = (struct run_spec){ 0 };
}

static void run_part_copy(struct run_part *to, const struct run_part *from)
{
	*to = (struct run_part){
		.name = mem_strdup(from->name),
		.subsystem = mem_strdup(from->subsystem),
	};
	settings_copy(&to->settings, &from->settings);
	for (char **load = from->loads; load && *load; load++)
		run_part_add_load(to, *load);
}

void run_spec_copy(struct run_spec *to, const struct run_spec *from)
{
	*to = (struct run_spec){
		.profile = mem_strdup(from->profile),
		.path = mem_strdup(from->path),
		.board = mem_strdup(from->board),
		.parts = mem_zalloc(from->parts_len + 1, sizeof(*to->parts)),
		.parts_len = from->parts_len,
	};
	for (size_t i = 0; i < from->parts_len; i++)
		run_part_copy(&to->parts[i], &from->parts[i]);
}

static bool has_part(const struct run_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->parts_len; i++)
		if (spec->parts[i].name && strcmp(spec->parts[i].name, name) == 0)
			return true;
	return false;
}

struct run_part *run_spec_add(struct run_spec *spec, const char *subsystem)
{
	char name[32];
	size_t number = spec->parts_len + 1;
	do
		snprintf(name, sizeof(name), "case %zu", number++);
	while (has_part(spec, name));
	spec->parts = mem_grow(spec->parts, spec->parts_len + 1, sizeof(*spec->parts));
	struct run_part *part = &spec->parts[spec->parts_len++];
	*part = (struct run_part){
		.name = mem_strdup(name),
		.subsystem = mem_strdup(subsystem),
	};
	return part;
}

void run_part_add_load(struct run_part *part, const char *load)
{
	size_t count = 0;
	while (part->loads && part->loads[count])
		count++;
	part->loads = mem_grow(part->loads, count + 2, sizeof(*part->loads));
	part->loads[count] = mem_strdup(load);
	part->loads[count + 1] = NULL;
}
