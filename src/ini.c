/* SPDX-License-Identifier: MIT
 *
 * Profile files as a list of lines: read, looked up, changed line by line, written whole. */
#include "ini.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "mem.h"
#include "text.h"

/* A file of nothing but newlines would need a hundred times its size in memory. */
#define LINES_MAX 32768

static bool is_key_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.';
}

/* Make room for one line at `index`, all zero. */
static struct ini_line *insert_line(struct ini *ini, size_t index)
{
	/* Grow at each power of two: one resize a doubling without keeping a capacity. */
	if ((ini->len & (ini->len - 1)) == 0)
		ini->lines = mem_grow(ini->lines, ini->len ? 2 * ini->len : 1, sizeof(*ini->lines));
	memmove(&ini->lines[index + 1], &ini->lines[index],
		(ini->len - index) * sizeof(*ini->lines));
	ini->lines[index] = (struct ini_line){ 0 };
	ini->len++;
	return &ini->lines[index];
}

static void line_finish(struct ini_line *line)
{
	free(line->raw);
	free(line->section);
	free(line->key);
	free(line->value);
}

static void delete_line(struct ini *ini, size_t index)
{
	line_finish(&ini->lines[index]);
	memmove(&ini->lines[index], &ini->lines[index + 1],
		(ini->len - index - 1) * sizeof(*ini->lines));
	ini->len--;
}

/* Shortened, so that a message stays one line on a screen. */
static int bad_line(const struct ini *ini, unsigned number, const char *line, const char *why,
	struct error *error)
{
	return error_set(error, EINVAL, "%s:%u: \"%.40s%s\" %s", ini->path, number, line,
		strlen(line) > 40 ? "..." : "", why);
}

static int parse_section(
	const struct ini *ini, struct ini_line *line, char *text, struct error *error)
{
	char *close = strchr(text, ']');
	if (!close)
		return bad_line(ini, line->number, text,
			"has no closing ]: is the file cut off here?", error);
	const char *rest = close + 1 + strspn(close + 1, " \t");
	if (*rest && *rest != '#' && *rest != ';')
		return bad_line(ini, line->number, text,
			"goes on behind the ]: put it on a line of its own", error);
	*close = '\0';
	const char *name = text_trim(text + 1);
	if (!*name)
		return error_set(error, EINVAL, "%s:%u: a section needs a name: [case 1]",
			ini->path, line->number);
	line->is_section = true;
	line->section = mem_strdup(name);
	return 0;
}

static int parse_key(const struct ini *ini, struct ini_line *line, char *text, struct error *error)
{
	size_t length = 0;
	while (is_key_char(text[length]))
		length++;
	const char *equals = text + length + strspn(text + length, " \t");
	if (length == 0 || *equals != '=')
		return bad_line(ini, line->number, text,
			"is neither [section] nor key = value nor a # comment", error);
	line->key = mem_strndup(text, length);
	_autofree_ char *value = mem_strdup(equals + 1);
	line->value = mem_strdup(text_trim(value));
	return 0;
}

static int parse_line(
	struct ini *ini, const char *raw, size_t length, unsigned number, struct error *error)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";

	if (ini->len >= LINES_MAX)
		return error_set(error, EFBIG, "%s: more than %d lines: this is no profile",
			ini->path, LINES_MAX);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)raw[i];
		if ((c < ' ' && c != '\t' && !(c == '\r' && i + 1 == length)) || c == 0x7f)
			return error_set(error, EINVAL,
				"%s:%u: byte 0x%02x is not text: this is no profile", ini->path,
				number, c);
	}
	const char *section = ini->len ? ini->lines[ini->len - 1].section : "";
	struct ini_line *line = insert_line(ini, ini->len);
	line->raw = mem_strndup(raw, length);
	line->number = number;
	bool dos = length > 0 && raw[length - 1] == '\r';
	_autofree_ char *copy = mem_strndup(raw, dos ? length - 1 : length);
	char *text = copy;
	if (number == 1 && text_starts(text, byte_order_mark))
		text += strlen(byte_order_mark);
	text = text_trim(text);
	if (*text == '[')
		return parse_section(ini, line, text, error);
	line->section = mem_strdup(section);
	if (*text == '\0' || *text == '#' || *text == ';')
		return 0;
	return parse_key(ini, line, text, error);
}

int ini_parse(
	const char *path, const char *text, size_t length, struct ini *ini, struct error *error)
{
	*ini = (struct ini){ 0 };
	if (length > INI_SIZE_MAX)
		return error_set(error, EFBIG, "%s: larger than 1 MiB: this is no profile", path);
	ini->path = mem_strdup(path);
	unsigned number = 1;
	for (size_t at = 0; at < length; number++) {
		const char *newline = memchr(text + at, '\n', length - at);
		size_t end = newline ? (size_t)(newline - text) : length;
		int status = parse_line(ini, text + at, end - at, number, error);
		if (status < 0) {
			ini_finish(ini);
			return status;
		}
		ini->unterminated = !newline;
		at = end + 1;
	}
	return 0;
}

static const char *kind_of_file(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory";
	if (S_ISFIFO(mode))
		return "a FIFO";
	if (S_ISSOCK(mode))
		return "a socket";
	return "a device";
}

static int read_error(const char *path, int code, struct error *error)
{
	const char *advice = code == EACCES   ? "; change its permissions, or run as its owner"
			     : code == ENOENT ? "; check the name"
					      : "";
	return error_set(error, code, "cannot read profile %s: %s%s", path, strerror(code), advice);
}

int ini_load(const char *path, struct ini *ini, struct error *error)
{
	*ini = (struct ini){ 0 };
	struct stat status;
	/* Looked at before it is opened: to open a device can have effects. */
	if (stat(path, &status) < 0)
		return read_error(path, errno, error);
	_autoclose_ int fd = -1;
	if (S_ISREG(status.st_mode)) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd < 0 || fstat(fd, &status) < 0)
			return read_error(path, errno, error);
	}
	if (!S_ISREG(status.st_mode))
		return error_set(error, S_ISDIR(status.st_mode) ? EISDIR : EINVAL,
			"profile %s is %s: name a file", path, kind_of_file(status.st_mode));
	if (status.st_size > INI_SIZE_MAX)
		return error_set(
			error, EFBIG, "profile %s is larger than 1 MiB: this is no profile", path);
	_autofree_ char *bytes = mem_zalloc(INI_SIZE_MAX + 1, 1);
	size_t length = 0;
	while (length <= INI_SIZE_MAX) {
		ssize_t got = read(fd, bytes + length, INI_SIZE_MAX + 1 - length);
		if (got == 0)
			break;
		if (got > 0)
			length += (size_t)got;
		else if (errno != EINTR)
			return read_error(path, errno, error);
	}
	return ini_parse(path, bytes, length, ini, error);
}

void ini_finish(struct ini *ini)
{
	for (size_t i = 0; i < ini->len; i++)
		line_finish(&ini->lines[i]);
	free(ini->lines);
	free(ini->path);
	*ini = (struct ini){ 0 };
}

static bool is_key_of(const struct ini_line *line, const char *section, const char *key)
{
	return line->key && strcmp(line->section, section) == 0 && strcmp(line->key, key) == 0;
}

const char *ini_get(const struct ini *ini, const char *section, const char *key)
{
	for (size_t i = 0; i < ini->len; i++)
		if (is_key_of(&ini->lines[i], section, key))
			return ini->lines[i].value;
	return NULL;
}

/* A value with a newline in it would become another line when it is read again. */
static char *one_line(const char *value)
{
	char *copy = mem_strdup(value);
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	char *trimmed = mem_strdup(text_trim(copy));
	free(copy);
	return trimmed;
}

static void fill_line(
	struct ini_line *line, const char *section, const char *key, const char *value)
{
	line->section = mem_strdup(section);
	line->key = mem_strdup(key);
	line->value = one_line(value);
	line->raw = text_printf("%s =%s%s", key, *line->value ? " " : "", line->value);
}

void ini_set(struct ini *ini, const char *section, const char *key, const char *value)
{
	for (size_t i = 0; i < ini->len; i++) {
		struct ini_line *line = &ini->lines[i];
		if (!is_key_of(line, section, key))
			continue;
		_autofree_ char *fresh = one_line(value);
		if (strcmp(fresh, line->value) == 0)
			return; /* also the blanks around it stay as the user has put them */
		/* What stands before the value, and a carriage return, stay as they are. */
		const char *start = strchr(line->raw, '=') + 1;
		start += strspn(start, " \t");
		size_t length = strlen(line->raw);
		bool dos = length > 0 && line->raw[length - 1] == '\r';
		char *raw = text_printf(
			"%.*s%s%s", (int)(start - line->raw), line->raw, fresh, dos ? "\r" : "");
		free(line->raw);
		line->raw = raw;
		free(line->value);
		line->value = mem_strdup(fresh);
		return;
	}
	ini_add(ini, section, key, value);
}

static bool is_blank(const char *raw)
{
	return raw[strspn(raw, " \t\r")] == '\0';
}

/* Where the next line of the section goes: behind its last key, so that blank lines and comments
 * that lead over to the next section stay with that one. SIZE_MAX: there is no such section. */
static size_t end_of_section(const struct ini *ini, const char *section)
{
	size_t end = *section ? SIZE_MAX : 0;
	for (size_t i = 0; i < ini->len; i++) {
		const struct ini_line *line = &ini->lines[i];
		if ((line->is_section || line->key) && strcmp(line->section, section) == 0)
			end = i + 1;
	}
	return end;
}

void ini_add(struct ini *ini, const char *section, const char *key, const char *value)
{
	size_t end = end_of_section(ini, section);
	if (end == SIZE_MAX) {
		if (ini->len && !is_blank(ini->lines[ini->len - 1].raw)) {
			struct ini_line *blank = insert_line(ini, ini->len);
			blank->raw = mem_strdup("");
			blank->section = mem_strdup(ini->lines[ini->len - 2].section);
		}
		struct ini_line *head = insert_line(ini, ini->len);
		head->is_section = true;
		head->section = mem_strdup(section);
		head->raw = text_printf("[%s]", section);
		end = ini->len;
	}
	if (end == ini->len)
		ini->unterminated = false;
	fill_line(insert_line(ini, end), section, key, value);
}

void ini_remove(struct ini *ini, const char *section, const char *key)
{
	for (size_t i = ini->len; i-- > 0;) {
		const struct ini_line *line = &ini->lines[i];
		if (strcmp(line->section, section) == 0 &&
			(key ? line->key && strcmp(line->key, key) == 0 : true))
			delete_line(ini, i);
	}
}

int ini_save(const struct ini *ini, const char *path, struct error *error)
{
	struct text text = { 0 };
	for (size_t i = 0; i < ini->len; i++) {
		text_add_bytes(&text, ini->lines[i].raw, strlen(ini->lines[i].raw));
		if (i + 1 < ini->len || !ini->unterminated)
			text_add_bytes(&text, "\n", 1);
	}
	int status = file_replace(path, text.data ? text.data : "", text.length, error);
	text_finish(&text);
	return status;
}
