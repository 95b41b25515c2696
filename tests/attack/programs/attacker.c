/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attacker TREE CANARIES SEED - does everything that an unprivileged user can do to
 * experiments that others work on, as fast as it can, until it is killed: exchanges
 * names, replaces directories by links that lead to CANARIES, changes modes, makes fifos
 * and hard links, refills directories, and holds locks.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *tree, *canaries;
static unsigned state;

static const char *const directories[] = { "mine", "shared", "sticky" };
static const char *const parts[] = {
	"",
	"/archives",
	"/_f1.er",
	"/jdynclasses",
	"/_f1.er/archives",
	"/log.xml",
	"/map.xml",
	"/notes",
	"/profile",
	"/archives/manifest",
	"/archives/a",
	"/_f1.er/log.xml",
	"/data.frameinfo",
	"/jdynclasses/org",
	"/archives/prog_UHyILZt997d",
};
static const char *const targets[] = {
	"/secret.c", "/program",     "/private", "/private/inner",
	"/victim",   "/victim/file", "",	 "/object.so",
};
static const mode_t modes[] = { 0,    0277, 04777, 02777, 0555,
				0700, 0755, 01777, 0600,  06755 };

static unsigned draw(unsigned below)
{
	state = state * 1103515245 + 12345;
	return (state >> 16) % below;
}

#define PICK(array) (array)[draw(sizeof(array) / sizeof(*(array)))]

struct path {
	char text[512];
};

static struct path experiment(void)
{
	struct path path;
	const char *directory = PICK(directories);

	if (*directory == 'm')
		snprintf(path.text, sizeof(path.text), "%s/mine%u/x%u.er", tree, getuid(),
			 draw(6));
	else
		snprintf(path.text, sizeof(path.text), "%s/%s/x%u.er", tree, directory,
			 draw(12));
	return path;
}

static struct path part(void)
{
	struct path path = experiment();

	strcat(path.text, PICK(parts));
	return path;
}

static struct path aside(void)
{
	struct path path;

	snprintf(path.text, sizeof(path.text), "%s/%s/aside%u", tree,
		 draw(2) ? "shared" : "sticky", draw(8));
	return path;
}

static struct path target(void)
{
	struct path path;

	snprintf(path.text, sizeof(path.text), "%s%s", canaries, PICK(targets));
	return path;
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0644);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		state++;
	close(fd);
}

static void write_part(const char *experiment, const char *name, const char *text)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", experiment, name);
	write_file(path, text);
}

/* Writes a map that names private files, and an object whose line table does. */
static void make_map(const char *experiment)
{
	char text[4096] = "<?xml version=\"1.0\"?>\n";
	size_t at = strlen(text);

	for (unsigned i = 0, count = draw(3) ? 0 : draw(6); i < count; i++)
		at += (size_t)snprintf(
			text + at, sizeof(text) - at,
			"<event kind=\"map\" object=\"segment\" tstamp=\"0.%u\" "
			"vaddr=\"0x%x0000000\" size=\"65536\" pagesz=\"4096\" "
			"foffset=\"+0x00000000\" modes=\"0x005\" chksum=\"0x0\" "
			"name=\"%s\"/>\n",
			i, i + 1, i ? target().text : aside().text);
	snprintf(text + at, sizeof(text) - at,
		 "<event kind=\"map\" object=\"segment\" tstamp=\"0.9\" "
		 "vaddr=\"0x90000000\" "
		 "size=\"65536\" pagesz=\"4096\" foffset=\"+0x00000000\" modes=\"0x005\" "
		 "chksum=\"0x0\" name=\"%s/mine%u/names.so\"/>\n",
		 tree, getuid());
	write_part(experiment, "map.xml", text);
}

static void make_log(const char *experiment)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "<experiment version=\"12.4\"><system hostname=\"h\" arch=\"x86_64\"/>"
		 "<process pid=\"%u\"/><event kind=\"run\" tstamp=\"0.5\" time=\"%lld\"/>"
		 "<event kind=\"exit\" tstamp=\"1.0\"/></experiment>",
		 draw(40000), draw(4) ? 1700000000LL + draw(50000000) : 4102444800LL);
	write_part(experiment, "log.xml", text);
}

static void make_at(const struct path *path)
{
	char below[600];

	if (mkdir(path->text, 0755) < 0 && errno != EEXIST)
		return;
	make_log(path->text);
	make_map(path->text);
	write_part(path->text, "profile", "");
	write_part(path->text, "notes", "a note\n");
	for (size_t i = 1; i < 5; i++) {
		snprintf(below, sizeof(below), "%s%s", path->text, parts[i]);
		mkdir(below, 0755);
	}
	snprintf(below, sizeof(below), "%s/_f1.er", path->text);
	make_log(below);
	make_map(below);
}

static void make(void)
{
	struct path path = experiment();

	make_at(&path);
}

static void exchange(void)
{
	struct path a = draw(2) ? part() : experiment(), b = draw(3) ? aside() : part();

	renameat2(AT_FDCWD, a.text, AT_FDCWD, b.text, draw(8) ? RENAME_EXCHANGE : 0);
}

static void place_link(void)
{
	struct path path = draw(2) ? aside() : part();

	unlink(path.text);
	if (symlink(target().text, path.text) < 0)
		rename(aside().text, path.text);
}

static void change_mode(void)
{
	chmod(part().text, PICK(modes));
}

static void place_hard_link(void)
{
	struct path to = part();

	unlink(to.text);
	linkat(AT_FDCWD, draw(2) ? target().text : part().text, AT_FDCWD, to.text, 0);
}

static void place_fifo(void)
{
	struct path path = part();

	unlink(path.text);
	mkfifo(path.text, 0666);
}

static void place_rc(void)
{
	struct path path = aside();
	char text[1200];

	snprintf(strrchr(path.text, '/'), 16, "/.er.rc");
	unlink(path.text);
	snprintf(text, sizeof(text), "addpath %s\npathmap /usr %s\n", canaries, canaries);
	if (draw(3) == 0)
		mkfifo(path.text, 0666);
	else if (draw(3) == 0 && symlink("/dev/zero", path.text) < 0)
		state++;
	else
		write_file(path.text, text);
}

static void refill(void)
{
	struct path path = experiment();
	int dir = open(path.text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	char name[64];

	for (unsigned i = 0; dir >= 0 && i < 300; i++) {
		snprintf(name, sizeof(name), "_f%u.er", i + 1);
		if (mkdirat(dir, name, 0755) < 0 && errno == ENOENT)
			break;
	}
	if (dir >= 0)
		close(dir);
}

static int held[16];

static void hold_lock(void)
{
	int *slot = &held[draw(16)];

	if (*slot > 0)
		close(*slot);
	*slot = open(draw(2) ? experiment().text : tree, O_RDONLY | O_NONBLOCK);
	if (*slot > 0)
		flock(*slot, LOCK_NB | (draw(2) ? LOCK_EX : LOCK_SH));
}

static void grow(void)
{
	int fd = open(part().text, O_WRONLY | O_NONBLOCK | O_NOFOLLOW);

	if (fd >= 0 && ftruncate(fd, draw(2) ? (off_t)draw(100000) << 20 : draw(100)) < 0)
		state++;
	if (fd >= 0)
		close(fd);
}

static void lose(void)
{
	struct path path = part();

	if (unlink(path.text) < 0)
		rmdir(path.text);
}

/* Makes an experiment usable again: tools get further where most of it is as it should
 * be. */
static void repair(void)
{
	struct path path = experiment();
	char below[600];

	chmod(path.text, 0777);
	for (size_t i = sizeof(parts) / sizeof(*parts); i-- > 1;) {
		snprintf(below, sizeof(below), "%s%s", path.text, parts[i]);
		if (unlink(below) < 0 && errno == EISDIR)
			chmod(below, 0777);
	}
	make_at(&path);
}

static void pause_sometimes(void)
{
	const struct timespec wait = { .tv_nsec = (long)draw(3000) * 1000 };

	if (draw(20) == 0)
		nanosleep(&wait, NULL);
}

int main(int argc, char *argv[])
{
	static void (*const actions[])(void) = {
		make,	    make,	 make,	     exchange,	      exchange, exchange,
		place_link, change_mode, place_fifo, place_hard_link, place_rc, refill,
		hold_lock,  grow,	 lose,	     place_link,      make,	exchange,
		repair,	    repair,	 repair,     repair,	      repair,	repair,
		repair,	    repair,	 repair,     repair,
	};
	unsigned long count = 0;

	if (argc != 4)
		return 2;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGXFSZ, SIG_IGN);
	umask(0);
	tree = argv[1];
	canaries = argv[2];
	state = (unsigned)atoi(argv[3]);
	for (;; count++) {
		PICK(actions)();
		pause_sometimes();
	}
}
