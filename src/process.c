/* SPDX-License-Identifier: MIT
 * Starting, telling, killing and reaping workers. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "mem.h"
#include "wire.h"
#include "worker.h"

struct inheritance {
	int socket, shared, output;
};

/* Only async-signal-safe calls between fork and exec. */
static void child(const struct inheritance *given, char *const *arguments)
{
	sigset_t none;

	/* Above the numbers that they are to have, so that no dup2() overwrites another. */
	int socket = fcntl(given->socket, F_DUPFD, 10);
	int shared = given->shared >= 0 ? fcntl(given->shared, F_DUPFD, 10) : -1;
	int output = fcntl(given->output, F_DUPFD, 10);
	int null = open("/dev/null", O_RDONLY);
	if (socket < 0 || output < 0 || (given->shared >= 0 && shared < 0))
		_exit(126);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	dup2(socket, WORKER_SOCKET_FD);
	if (shared >= 0)
		dup2(shared, WORKER_SHARED_FD);
	close(socket);
	close(output);
	if (shared >= 0)
		close(shared);
	/* Ctrl-C and a hang-up go to all processes of the terminal: the workbench decides what they mean, also
	 * while the worker is not yet far enough to ignore them itself. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(arguments[0], arguments);
	_exit(127);
}

static int own_path(char *path, size_t size, struct error *error)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);

	if (length < 0)
		return error_set(error, errno, "cannot find this program: /proc/self/exe: %s",
			strerror(errno));
	path[length] = '\0';
	/* A program that was replaced while it runs (a fresh build) is still there under this name. */
	if (length > 10 && !strcmp(path + length - 10, " (deleted)"))
		snprintf(path, size, "/proc/self/exe");
	return 0;
}

static pid_t spawn(const struct inheritance *given, struct error *error)
{
	char path[PATH_MAX];
	char worker[] = WORKER_ARGUMENT;

	if (own_path(path, sizeof(path), error) < 0)
		return -1;
	char *runner = getenv("BOARDBENCH_WORKER_RUNNER");
	char *const plain[] = { path, worker, NULL };
	char *const wrapped[] = { runner, path, worker, NULL };
	pid_t pid = fork();
	if (pid == 0)
		child(given, runner && runner[0] ? wrapped : plain);
	if (pid < 0)
		error_set(error, errno, "cannot start a worker: %s", strerror(errno));
	return pid;
}

int process_start(struct process *process, const char *request, size_t length, bool with_shared,
	struct error *error)
{
	_autoclose_ int shared_fd = -1;
	int sockets[2] = { -1, -1 }, pipes[2] = { -1, -1 };

	*process = (struct process){ .socket = -1, .output = -1 };
	if (with_shared && (shared_fd = shared_create(&process->shared, error)) < 0)
		return shared_fd;
	int result = wire_pair(sockets);
	if (result == 0 && pipe2(pipes, O_CLOEXEC) < 0)
		result = -errno;
	if (result < 0) {
		error_set(error, -result, "cannot make a socket for a worker: %s", strerror(-result));
	} else {
		process->pid = spawn(&(struct inheritance){ sockets[1], shared_fd, pipes[1] }, error);
		process->socket = sockets[0];
		process->output = pipes[0];
		fcntl(process->output, F_SETFL, O_NONBLOCK);
	}
	if (sockets[1] >= 0)
		close(sockets[1]);
	if (pipes[1] >= 0)
		close(pipes[1]);
	if (result == 0 && process->pid > 0)
		result = wire_send(process->socket, request, length);
	if (process->pid > 0 && result == 0)
		return 0;
	if (process->pid > 0) {
		process_kill(process, SIGKILL);
		waitpid(process->pid, NULL, 0);
		error_set(error, -result, "a worker ended at once: %s", strerror(-result));
	}
	process->pid = 0;
	process_finish(process);
	return error ? -error->code : -ECHILD;
}

void process_command(struct process *process, enum shared_command command)
{
	struct shared *shared = process->shared;

	if (!shared || atomic_load(&shared->command) >= (uint32_t)command)
		return;
	atomic_store(&shared->command, (uint32_t)command);
	if (process->socket >= 0)
		wire_send(process->socket, "{}", 2);
}

void process_kill(const struct process *process, int signal_number)
{
	if (process->pid > 0)
		kill(process->pid, signal_number);
}

bool process_reap(struct process *process)
{
	if (process->pid <= 0)
		return true;
	if (waitpid(process->pid, &process->status, WNOHANG) != process->pid)
		return false;
	process->pid = 0;
	return true;
}

char *process_end_text(const struct process *process)
{
	if (WIFSIGNALED(process->status))
		return text_printf("killed by signal %d (%s)", WTERMSIG(process->status),
			strsignal(WTERMSIG(process->status)));
	if (WEXITSTATUS(process->status) == 127)
		return text_printf("the program could not be executed anew");
	return text_printf("ended by itself with exit status %d", WEXITSTATUS(process->status));
}

char *process_stuck_text(const struct process *process)
{
	_autofree_ char *wchan = file_read_line("", "/proc/%d/wchan", (int)process->pid);
	_autofree_ char *stat = file_read("", "/proc/%d/stat", (int)process->pid);
	const char *rest = stat ? strrchr(stat, ')') : NULL;
	char state = rest && rest[1] == ' ' ? rest[2] : '?';

	if (wchan && wchan[0] && strcmp(wchan, "0"))
		return text_printf("process %d is in state %c, waiting in the kernel's %s", (int)process->pid,
			state, wchan);
	return text_printf("process %d is in state %c", (int)process->pid, state);
}

void process_finish(struct process *process)
{
	if (process->socket >= 0)
		close(process->socket);
	if (process->output >= 0)
		close(process->output);
	process->socket = process->output = -1;
	shared_unmap(process->shared);
	process->shared = NULL;
}
