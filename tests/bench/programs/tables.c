/* SPDX-License-Identifier: Apache-2.0 */
/* tables LIBRARY THREADS STATEMENTS - threads write to and read from one database of
 * sqlite, by connections with a common cache; prints the rows that there are at the end.
 * The library is loaded, so that no header of it is needed. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SHARED_CACHE 0x00020000 /* of sqlite's documentation, as the next ones */
#define READ_WRITE   0x00000002
#define CREATE	     0x00000004
#define BUSY	     5
#define LOCKED	     6

static int (*open_database)(const char *, void **, int, const char *);
static int (*execute)(void *, const char *, int (*)(void *, int, char **, char **),
		      void *, char **);
static int (*wait_when_busy)(void *, int);
static int (*close_database)(void *);
static long statements;

static void *find(void *library, const char *name)
{
	void *function = dlsym(library, name);

	if (!function) {
		fprintf(stderr, "tables: %s\n", dlerror());
		exit(1);
	}
	return function;
}

static void *connect_to(void)
{
	void *database;

	if (open_database("tables.db", &database, READ_WRITE | CREATE | SHARED_CACHE,
			  NULL) != 0)
		exit(2);
	wait_when_busy(database, 60000);
	return database;
}

static void run(void *database, const char *text)
{
	int rc;

	while ((rc = execute(database, text, NULL, NULL, NULL)) == BUSY || rc == LOCKED)
		usleep(1000);
	if (rc != 0)
		exit(3);
}

static void *work(void *number)
{
	void *database = connect_to();
	char text[128];

	for (long i = 0; i < statements; i++) {
		snprintf(text, sizeof(text),
			 i % 2 ? "SELECT count(*), sum(value) FROM t WHERE thread = %ld"
			       : "INSERT INTO t VALUES (%ld, random() % 1000)",
			 (long)number);
		run(database, text);
	}
	close_database(database);
	return NULL;
}

static int show(void *unused, int count, char **values, char **names)
{
	(void)unused, (void)count, (void)names;
	puts(values[0]);
	return 0;
}

int main(int argc, char *argv[])
{
	void *library = argc == 4 ? dlopen(argv[1], RTLD_NOW) : NULL, *database;
	long threads = argc == 4 ? atol(argv[2]) : 0;
	pthread_t ids[64];

	if (!library || threads > 64)
		return 1;
	statements = atol(argv[3]);
	open_database = find(library, "sqlite3_open_v2");
	execute = find(library, "sqlite3_exec");
	wait_when_busy = find(library, "sqlite3_busy_timeout");
	close_database = find(library, "sqlite3_close");
	unlink("tables.db");
	database = connect_to();
	run(database, "PRAGMA synchronous = off");
	run(database, "CREATE TABLE t (thread INTEGER, value INTEGER)");
	for (long i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, work, (void *)i);
	for (long i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	execute(database, "SELECT count(*) FROM t", show, NULL, NULL);
	close_database(database);
	return 0;
}
