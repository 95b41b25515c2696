/* SPDX-License-Identifier: Apache-2.0 */
/*
 * race [-n ROUNDS] [-a UID] [-u UID] [-p PREPARE] A B COMMAND... - attacks a
 * single-threaded command
 *
 * Runs the command again and again as the user -u. Another process, with only the rights
 * of the user -a, exchanges the names A and B at some of the command's calls on files: at
 * many or few of them, and at different ones in each round. The command is stopped during
 * an exchange, so that no race depends on how busy the machine is. PREPARE, a shell
 * command line, runs before each round. Prints the number of exchanges; the command's
 * output is passed through.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const long calls[] = {
	SYS_openat,	SYS_openat2,	SYS_newfstatat, SYS_statx,    SYS_chmod,
	SYS_fchmodat,	SYS_fchmod,	SYS_unlinkat,	SYS_unlink,   SYS_rename,
	SYS_renameat,	SYS_renameat2,	SYS_mkdirat,	SYS_mkdir,    SYS_faccessat,
	SYS_faccessat2, SYS_getdents64, SYS_flock,	SYS_readlink, SYS_utimensat,
	SYS_linkat,	SYS_symlinkat,	SYS_fchownat,	SYS_open,     SYS_stat,
	SYS_lstat,	SYS_lgetxattr,	SYS_readlinkat, SYS_fstat,    SYS_fchown,
};

struct race {
	const char *a, *b;
	uid_t user, attacker;
	unsigned long rounds, exchanges;
	const char *prepare;
	int to, from;	       /* pipes to and from the attacker */
	unsigned seed, rarity; /* one call in so many meets an exchange */
	bool is_exchanged;
};

static void fail(const char *what)
{
	perror(what);
	exit(125);
}

static unsigned draw(struct race *race)
{
	race->seed = race->seed * 1103515245 + 12345;
	return race->seed >> 16;
}

static void become(uid_t user)
{
	if (user && (setresgid(user, user, user) < 0 || setresuid(user, user, user) < 0))
		fail("race: cannot become another user");
}

/* Makes one exchange for each byte read, and answers whether it succeeded. */
static void attack(const struct race *race, int in, int out)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	become(race->attacker);
	while (read(in, &byte, 1) == 1) {
		byte = renameat2(AT_FDCWD, race->a, AT_FDCWD, race->b, RENAME_EXCHANGE) ==
		       0;
		if (write(out, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static void start_attacker(struct race *race)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) < 0 || pipe2(from, O_CLOEXEC) < 0)
		fail("race: pipe");
	if (fork() == 0) {
		close(to[1]);
		attack(race, to[0], from[1]);
	}
	race->to = to[1];
	race->from = from[0];
}

static void exchange(struct race *race)
{
	char byte = 0;

	if (write(race->to, &byte, 1) != 1 || read(race->from, &byte, 1) != 1)
		fail("race: the attacker is gone");
	race->exchanges += (unsigned long)byte;
	race->is_exchanged ^= byte;
}

static pid_t start(const struct race *race, char *command[])
{
	pid_t child = fork();

	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		become(race->user);
		execvp(command[0], command);
		_exit(127);
	}
	return child;
}

static bool is_about_files(pid_t child)
{
	struct user_regs_struct registers;

	ptrace(PTRACE_GETREGS, child, NULL, &registers);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i] == (long)registers.orig_rax)
			return true;
	return false;
}

static void play(struct race *race, char *command[])
{
	pid_t child = start(race, command);
	bool has_begun = false;
	int status, signal = 0;

	waitpid(child, &status, 0);
	ptrace(PTRACE_SETOPTIONS, child, NULL,
	       (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC));
	while (WIFSTOPPED(status)) {
		ptrace(PTRACE_SYSCALL, child, NULL, (void *)(long)signal);
		signal = 0;
		if (waitpid(child, &status, 0) < 0)
			fail("race: waitpid");
		if (!WIFSTOPPED(status))
			break;
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			has_begun = true;
		else if (WSTOPSIG(status) != (SIGTRAP | 0x80))
			signal = WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status);
		else if (has_begun && is_about_files(child) &&
			 draw(race) % race->rarity == 0)
			exchange(race);
	}
}

int main(int argc, char *argv[])
{
	struct race race = { .rounds = 1 };
	int option;

	while ((option = getopt(argc, argv, "+n:a:u:p:")) != -1) {
		switch (option) {
		case 'n':
			race.rounds = strtoul(optarg, NULL, 10);
			break;
		case 'a':
			race.attacker = (uid_t)strtoul(optarg, NULL, 10);
			break;
		case 'u':
			race.user = (uid_t)strtoul(optarg, NULL, 10);
			break;
		case 'p':
			race.prepare = optarg;
			break;
		default:
			return 2;
		}
	}
	if (argc - optind < 3)
		return 2;
	race.a = argv[optind];
	race.b = argv[optind + 1];
	start_attacker(&race);
	for (unsigned long i = 0; i < race.rounds; i++) {
		race.seed = (unsigned)i * 2654435761u;
		race.rarity = 4u << i % 6;
		if (race.is_exchanged && !race.prepare)
			exchange(&race);
		race.is_exchanged = false;
		if (race.prepare && system(race.prepare) < 0)
			fail("race: cannot prepare");
		play(&race, argv + optind + 2);
	}
	fflush(stdout);
	fprintf(stderr, "race: %lu exchanges\n", race.exchanges);
	return 0;
}
