/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structures of which the program knows how many bytes it reads and writes: it prints
 * them, by structure.
 *
 *	watched SECONDS [THREADS [ROUNDS]]
 *
 * With ROUNDS each thread ends after so many, whatever time they take.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NODES	  30000
#define PARTICLES 30000
#define ORDERS	  20000
#define SAMPLES	  15000

struct node {
	struct node *next;
	long value;
	long unused[2];
};
struct particle {
	double x, speed, unused[2];
};
struct order {
	int id, count;
	double price;
	char name[16];
};
struct sample {
	long time, value;
};

static struct node *nodes;
static struct particle *particles;
static struct order *orders;
static struct sample g_samples[SAMPLES];
static double seconds;
static long rounds, limit;
volatile double g_sum;

#define READER __attribute__((noinline)) static

READER long walk(const struct node *node)
{
	long sum = 0;

	for (; node; node = node->next)
		sum += node->value;
	return sum;
}

READER void move(struct particle *items)
{
	for (int i = 0; i < PARTICLES; i++)
		items[i].x += items[i].speed;
}

READER double add_up(const struct order *items)
{
	double sum = 0;

	for (int i = 0; i < ORDERS; i++)
		sum += items[i].price;
	return sum;
}

READER long scan(void)
{
	long sum = 0;

	for (int i = 0; i < SAMPLES; i++)
		sum += g_samples[i].value;
	return sum;
}

static double used(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *work(void *argument)
{
	double sum = 0, start = used();

	for (long i = 0; limit > 0 ? i < limit : used() - start < seconds; i++) {
		sum += (double)walk(nodes);
		move(particles);
		sum += add_up(orders);
		sum += (double)scan();
		__atomic_fetch_add(&rounds, 1, __ATOMIC_RELAXED);
	}
	g_sum = sum;
	return argument;
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t ids[64];

	seconds = argc > 1 ? atof(argv[1]) : 1;
	limit = argc > 3 ? atol(argv[3]) : 0;
	for (int i = 0; i < NODES; i++) {
		struct node *node = malloc(sizeof(*node));

		node->next = nodes;
		node->value = i;
		nodes = node;
	}
	particles = calloc(PARTICLES, sizeof(*particles));
	orders = calloc(ORDERS, sizeof(*orders));
	for (int i = 0; i < SAMPLES; i++)
		g_samples[i].value = argc + i;
	for (int i = 0; i < threads && i < 64; i++)
		pthread_create(&ids[i], NULL, work, NULL);
	if (threads == 0)
		work(NULL);
	for (int i = 0; i < threads && i < 64; i++)
		pthread_join(ids[i], NULL);
	printf("particle %ld\norder %ld\nnode %ld\nsample %ld\n", rounds * PARTICLES * 24,
	       rounds * ORDERS * 8, rounds * NODES * 16, rounds * SAMPLES * 8);
	return 0;
}
