/* SPDX-License-Identifier: MIT
 * Arguments to one of: the screens, list, show, run, report, compare, doctor, or a worker. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "config.h"
#include "list.h"
#include "mem.h"
#include "worker.h"
#ifdef BB_UI
#include "../ui/ui.h"
#endif

enum option_code { OPT_BOARD = 256, OPT_PROFILE, OPT_SAVE, OPT_WITH, OPT_SETTING, OPT_FORMAT, OPT_OUTPUT,
	OPT_FAIL_BELOW, OPT_STORE, OPT_PROFILE_DIR, OPT_ROOT, OPT_QUIET_RUN, OPT_PLAIN, OPT_BAUD, OPT_SIZE,
	OPT_TERM, OPT_UTF8, OPT_ACS, OPT_ON_HANGUP, OPT_RESUME, OPT_YES, OPT_HELP, OPT_VERSION };

static const struct option options[] = {
	{ "board", required_argument, NULL, OPT_BOARD },
	{ "profile", required_argument, NULL, OPT_PROFILE },
	{ "save", required_argument, NULL, OPT_SAVE },
	{ "with", required_argument, NULL, OPT_WITH },
	{ "repeat", required_argument, NULL, OPT_SETTING },
	{ "duration", required_argument, NULL, OPT_SETTING },
	{ "warmup", required_argument, NULL, OPT_SETTING },
	{ "steady", required_argument, NULL, OPT_SETTING },
	{ "cpus", required_argument, NULL, OPT_SETTING },
	{ "stall", required_argument, NULL, OPT_SETTING },
	{ "resume", required_argument, NULL, OPT_RESUME },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "output", required_argument, NULL, OPT_OUTPUT },
	{ "fail-below", required_argument, NULL, OPT_FAIL_BELOW },
	{ "store", required_argument, NULL, OPT_STORE },
	{ "profile-dir", required_argument, NULL, OPT_PROFILE_DIR },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "quiet-run", no_argument, NULL, OPT_QUIET_RUN },
	{ "plain", no_argument, NULL, OPT_PLAIN },
	{ "baud", required_argument, NULL, OPT_BAUD },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "term", required_argument, NULL, OPT_TERM },
	{ "utf8", no_argument, NULL, OPT_UTF8 },
	{ "acs", no_argument, NULL, OPT_ACS },
	{ "on-hangup", required_argument, NULL, OPT_ON_HANGUP },
	{ "yes", no_argument, NULL, OPT_YES },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 },
};

static const char usage[] =
	"boardbench: a benchmark workbench for embedded-Linux boards\n"
	"\n"
	"usage:\n"
	"  boardbench [--board NAME]           the workbench on this terminal\n"
	"  boardbench list [boards|subsystems|modules|runs]\n"
	"  boardbench show MODULE              parameters, metrics, method, devices found\n"
	"  boardbench run SUBSYSTEM|MODULE [PARAM=VALUE[,VALUE...]]...\n"
	"  boardbench run --profile NAME|FILE\n"
	"  boardbench run --resume skip|repeat what a reset or a crash broke off\n"
	"  boardbench report [RESULT...]       results again; RESULT: id, run, name, file\n"
	"  boardbench compare A B              side by side\n"
	"  boardbench doctor                   what would spoil a measurement here\n"
	"\n"
	"  VALUE: 12, 100KiB, 48k, 500us, on, write; lists a,b; ranges 1..64*2, 0..100+10\n"
	"\n"
	"run:\n"
	"  --with \"SUBSYSTEM PARAM=VALUE...\"   a load meanwhile; may be repeated\n"
	"  --repeat N                          measure each case N times\n"
	"  --duration T                        go on for so long (10s, 500ms)\n"
	"  --warmup T                          go on for so long before the timed part\n"
	"  --steady PERCENT                    warm up until the slope over 5 s is below\n"
	"  --cpus LIST                         one instance on each: 0-1, all\n"
	"  --stall T                           give up when nothing moves (default 120s)\n"
	"  --save NAME                         keep this as a run profile\n"
	"  --quiet-run                         print nothing while measuring\n"
	"output:\n"
	"  --format text|json|csv|markdown     --output FILE\n"
	"  --fail-below PERCENT                compare: exit 1 when B is worse by more\n"
	"places:\n"
	"  --store DIR                         journal and undo files\n"
	"  --profile-dir DIR                   board profiles, sought first\n"
	"  --root DIR                          facts of board and devices from a dump\n"
	"terminal:\n"
	"  --plain  --baud N  --size COLSxROWS  --term NAME  --utf8  --acs\n"
	"  --on-hangup continue|stop\n"
	"  --yes                               yes to what would be asked (replace a saved run)\n"
	"  --help  --version\n"
	"\n"
	"exit status: 0 ok, 1 a case failed or a comparison is worse, 2 usage,\n"
	"3 not available on this machine, 130 cancelled\n";

void cli_complain(const char *format, ...)
{
	va_list arguments;

	fputs("boardbench: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

int cli_status_of(const struct error *error)
{
	return error->code == ENODEV || error->code == ENOEXEC || error->code == EPROTO ?
		CLI_UNAVAILABLE : CLI_USAGE;
}

FILE *cli_output_open(const struct cli *cli)
{
	if (!cli->output || !strcmp(cli->output, "-"))
		return stdout;
	int fd = open(cli->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0644);
	FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!stream)
		cli_complain("cannot write %s: %s", cli->output, strerror(errno));
	if (!stream && fd >= 0)
		close(fd);
	return stream;
}

int cli_output_close(FILE *stream, const struct cli *cli, int status)
{
	bool bad = fflush(stream) != 0 || ferror(stream);

	if (stream != stdout)
		bad = fclose(stream) != 0 || bad;
	if (!bad)
		return status;
	cli_complain("cannot write %s: %s", cli->output ? cli->output : "standard output",
		strerror(errno));
	return status == CLI_OK ? CLI_FAILED : status;
}

static void tell_unfinished(const struct session *session)
{
	struct journal_unfinished found = { 0 };

	if (!session->journal_open || !journal_find_unfinished(&session->journal, &found))
		return;
	cli_complain("the %s during run %s: case %u of %u had begun (%s: %s) and is unfinished; %u complete "
		"results are kept; go on with: boardbench run --resume skip (or repeat)",
		found.rebooted ? "machine went away" : "program was ended", found.begun.run,
		found.begun.case_index, found.begun.cases, found.begun.subsystem, found.begun.what,
		found.complete);
	journal_unfinished_finish(&found);
}

void cli_tell_start(const struct session *session)
{
	for (size_t i = 0; session->recovered && session->recovered[i]; i++)
		cli_complain("%s", session->recovered[i]);
	for (size_t i = 0; session->board.warnings && session->board.warnings[i]; i++)
		cli_complain("%s", session->board.warnings[i]);
	if (session->journal.problem)
		cli_complain("%s", session->journal.problem);
	if (session->journal.torn)
		cli_complain("the last line of the journal was torn and is kept in %s/journal.torn",
			session->store);
	tell_unfinished(session);
}

static int parse_number(const char *name, const char *text, double minimum, double maximum,
	double *number)
{
	char *end;

	errno = 0;
	*number = strtod(text, &end);
	if (errno || end == text || *end || !(*number >= minimum && *number <= maximum)) {
		cli_complain("--%s takes a number from %g to %g, not \"%s\"", name, minimum, maximum, text);
		return -EINVAL;
	}
	return 0;
}

static int parse_size(const char *text, struct session_options *session)
{
	unsigned columns, rows;
	char rest;

	if (sscanf(text, "%ux%u%c", &columns, &rows, &rest) != 2 || columns < 1 || rows < 1 ||
		columns > 1000 || rows > 1000) {
		cli_complain("--size takes COLSxROWS, as 80x24, not \"%s\"", text);
		return -EINVAL;
	}
	session->columns = columns;
	session->rows = rows;
	return 0;
}

static int parse_option(struct cli *cli, int code, const char *name, char *value)
{
	struct error error = { 0 };
	double number;

	switch (code) {
	case OPT_BOARD: cli->session.board = value; return 0;
	case OPT_PROFILE: cli->profile = value; return 0;
	case OPT_SAVE: cli->save = value; return 0;
	case OPT_RESUME: cli->resume = value; return 0;
	case OPT_WITH: list_add(&cli->loads, "%s", value); return 0;
	case OPT_SETTING: settings_set(&cli->options, name, value); return 0;
	case OPT_OUTPUT: cli->output = value; return 0;
	case OPT_FAIL_BELOW: return parse_number(name, value, 0, 1e6, &cli->fail_below);
	case OPT_STORE: cli->session.store = value; return 0;
	case OPT_PROFILE_DIR: cli->session.profile_dir = value; return 0;
	case OPT_ROOT: cli->session.root = value; return 0;
	case OPT_QUIET_RUN: cli->session.quiet_run = true; return 0;
	case OPT_PLAIN: cli->session.plain = true; return 0;
	case OPT_SIZE: return parse_size(value, &cli->session);
	case OPT_TERM: cli->session.term = value; return 0;
	case OPT_UTF8: cli->session.utf8 = true; return 0;
	case OPT_ACS: cli->session.acs = true; return 0;
	case OPT_YES: cli->yes = true; return 0;
	case OPT_BAUD:
		if (parse_number(name, value, 50, 4e6, &number) < 0)
			return -EINVAL;
		cli->session.baud = (unsigned)number;
		return 0;
	case OPT_FORMAT:
		if (output_format_parse(value, &cli->format, &error) == 0)
			return 0;
		cli_complain("%s", error.text);
		return -EINVAL;
	case OPT_ON_HANGUP:
		cli->session.stop_on_hangup = !strcmp(value, "stop");
		if (cli->session.stop_on_hangup || !strcmp(value, "continue"))
			return 0;
		cli_complain("--on-hangup takes continue or stop, not \"%s\"", value);
		return -EINVAL;
	default:
		cli_complain("boardbench --help shows the usage");
		return -EINVAL;
	}
}

/* 0: go on; 1: said what was asked (help, version); -EINVAL. */
static int parse_options(struct cli *cli, int argc, char **argv)
{
	int index = 0, code;

	while ((code = getopt_long(argc, argv, "", options, &index)) != -1) {
		if (code == OPT_HELP) {
			fputs(usage, stdout);
			return 1;
		}
		if (code == OPT_VERSION) {
			puts("boardbench " BB_VERSION);
			return 1;
		}
		if (parse_option(cli, code, code < 256 ? "" : options[index].name, optarg) < 0)
			return -EINVAL;
	}
	cli->words = argv + optind;
	cli->words_len = argc - optind;
	return 0;
}

static const struct command {
	const char *name;
	int (*call)(const struct cli *cli, struct session *session);
} commands[] = {
	{ "list", cli_list }, { "show", cli_show }, { "run", cli_run }, { "report", cli_report },
	{ "compare", cli_compare }, { "doctor", cli_doctor },
};

static const struct command *find_command(const char *name)
{
	const char *names[ARRAY_LEN(commands)];

	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		names[i] = commands[i].name;
		if (!strcmp(names[i], name))
			return &commands[i];
	}
	const char *nearest = text_nearest(name, names, ARRAY_LEN(commands));
	cli_complain("no command \"%s\"%s%s%s; boardbench --help shows the usage", name,
		nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
	return NULL;
}

static int screens(const struct cli *cli, struct session *session)
{
	struct error error = { 0 };

	(void)cli;
	cli_tell_start(session);
	if (session->options.plain) {
		cli_complain("there is no screen with --plain: name a command (boardbench --help)");
		return CLI_USAGE;
	}
#ifdef BB_UI
	int result = ui_run(session, &error);
	if (result == 0)
		return CLI_OK;
	if (result == -EINTR)
		return CLI_CANCELLED;
	cli_complain("%s; without a screen: boardbench run, list, report (boardbench --help)", error.text);
	return CLI_USAGE;
#else
	(void)error;
	cli_complain("built without screens (ncurses was not found): name a command (boardbench --help)");
	return CLI_USAGE;
#endif
}

static int run_command(const struct cli *cli)
{
	const struct command *command = cli->words_len ? find_command(cli->words[0]) : NULL;
	struct session session = { 0 };
	struct error error = { 0 };

	if (cli->words_len && !command)
		return CLI_USAGE;
	if (session_open(&cli->session, &session, &error) < 0) {
		cli_complain("%s", error.text);
		return CLI_USAGE;
	}
	int status = command ? command->call(cli, &session) : screens(cli, &session);
	session_close(&session);
	return status;
}

int main(int argc, char **argv)
{
	struct cli cli = { .fail_below = -1, .session = { .root = "" } };
	int status;

	if (argc == 2 && !strcmp(argv[1], WORKER_ARGUMENT))
		return worker_main();
	setlocale(LC_CTYPE, ""); /* numbers stay as in C: they are read by programs */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error to be told */
	int result = parse_options(&cli, argc, argv);
	if (result < 0)
		status = CLI_USAGE;
	else
		status = result > 0 ? CLI_OK : run_command(&cli);
	settings_finish(&cli.options);
	list_finish(&cli.loads);
	return status;
}
