#!/bin/sh
# Programs that wait in unusual ways behave as alone, with every call recorded.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

library="$library $BUILD/lib/erkit/libcollector-sync.so"
parameters='s:0,n;a:off;'

recorded() { # NAME FUNCTION: which waited, or did not have to
	er_print -metrics e.syncn -functions recorded.er >functions.txt
	check "$1: $2 is recorded" grep -Eq "^ *[1-9][0-9]* +$2\$" functions.txt
}

as_alone "C++" "$programs/cxx_waits"
for function in pthread_mutex_lock pthread_cond_wait pthread_join pthread_mutex_clocklock \
	pthread_rwlock_rdlock; do
	recorded "C++" $function
done

# Condition variables from before glibc 2.3.2, and functions from when threads had a library of their own.
cat >old.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
__asm__(".symver pthread_cond_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver pthread_cond_signal, pthread_cond_signal@GLIBC_2.2.5");
__asm__(".symver pthread_cond_init, pthread_cond_init@GLIBC_2.2.5");
__asm__(".symver pthread_cond_destroy, pthread_cond_destroy@GLIBC_2.2.5");
__asm__(".symver pthread_cond_timedwait, pthread_cond_timedwait@GLIBC_2.2.5");
__asm__(".symver pthread_join, pthread_join@GLIBC_2.2.5");
__asm__(".symver pthread_create, pthread_create@GLIBC_2.2.5");
__asm__(".symver pthread_rwlock_wrlock, pthread_rwlock_wrlock@GLIBC_2.2.5");
__asm__(".symver pthread_spin_lock, pthread_spin_lock@GLIBC_2.2.5");
__asm__(".symver sem_wait, sem_wait@GLIBC_2.2.5");
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
/* The old type was no larger; the bytes after it show whether the new functions are called. */
static struct { pthread_cond_t condition; } area;
static int is_true;
static void *set(void *unused)
{
	pthread_mutex_lock(&lock);
	is_true = 1;
	pthread_cond_signal(&area.condition);
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void)
{
	struct timespec past = { 1, 0 };
	pthread_t thread;
	pthread_cond_init(&area.condition, NULL);
	pthread_mutex_lock(&lock);
	printf("%d\n", pthread_cond_timedwait(&area.condition, &lock, &past));
	pthread_create(&thread, NULL, set, NULL);
	while (!is_true)
		printf("%d\n", pthread_cond_wait(&area.condition, &lock));
	pthread_mutex_unlock(&lock);
	printf("%d\n", pthread_join(thread, NULL));
	printf("%d\n", pthread_rwlock_wrlock(&rwlock));
	pthread_spin_init(&spin, 0);
	printf("%d\n", pthread_spin_lock(&spin));
	sem_init(&semaphore, 0, 1);
	printf("%d\n", sem_wait(&semaphore));
	printf("%d\n", pthread_cond_destroy(&area.condition));
	return 0;
}
END
if ${CC:-cc} -O2 -pthread -o old old.c 2>errors.txt; then
	check "old: it is linked with the old functions" \
		sh -c 'readelf --dyn-syms -W old | grep -q "pthread_cond_wait@GLIBC_2.2.5"'
	as_alone "old" ./old
	recorded "old" 'pthread_cond_wait.*'
	for function in pthread_join pthread_rwlock_wrlock pthread_spin_lock sem_wait; do
		recorded "old" $function
	done
else
	skip "no suitable compiler" "old functions"
fi

seq 200000 >numbers
as_alone "xz -T2" xz -T2 --block-size=100000 -k -c numbers
recorded "xz -T2" pthread_mutex_lock
recorded "xz -T2" 'pthread_cond_(timed)?wait'

cat >threads.py <<'END'
import queue, threading
work, done = queue.Queue(4), []
def run():
    while True:
        item = work.get()
        if item is None:
            return
        done.append(item * item)
threads = [threading.Thread(target=run) for _ in range(4)]
for thread in threads:
    thread.start()
for item in range(500):
    work.put(item)
for _ in threads:
    work.put(None)
for thread in threads:
    thread.join()
barrier = threading.Barrier(2, timeout=60)
other = threading.Thread(target=barrier.wait)
other.start()
barrier.wait()
other.join()
print(len(done), sum(done), threading.Lock().acquire(timeout=.01))
END
as_alone "python3" python3 threads.py
recorded "python3" '(sem|pthread_cond)_[a-z]*'

# Sanitizers come between the wrappers and libc, and see the same calls as without us. Some do not find room
# for their mappings when addresses are very random.
cat >fixed <<'END'
#!/bin/sh
setarch "$(uname -m)" -R true 2>/dev/null && exec setarch "$(uname -m)" -R "$@"
exec "$@"
END
chmod +x fixed
cat >inversion.c <<'END'
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int guarded;
static void *one(void *unused)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	guarded++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}
static void *other(void *unused)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	guarded++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return NULL;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, one, NULL);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, other, NULL);
	pthread_join(thread, NULL);
	printf("%d\n", guarded);
	return 0;
}
END
sanitized() { # NAME COMPILER FLAGS
	if ! $2 "$3" -g -pthread -o inversion inversion.c 2>/dev/null ||
		! ./fixed ./inversion >alone.out 2>alone.err && ! [ -s alone.out ]; then
		skip "it does not work on this system" "$1"
		return
	fi
	./fixed ./inversion >alone.out 2>alone.err
	echo $? >>alone.out
	record recorded.er "$parameters" ./fixed ./inversion >recorded.out 2>recorded.err
	echo $? >>recorded.out
	check "$1: behaves as alone" cmp alone.out recorded.out
	# The place reported may be our wrapper, which the program calls.
	is "$(sed -n 's/^SUMMARY: \([^/]*\) .*/\1/p' recorded.err)" \
		"$(sed -n 's/^SUMMARY: \([^/]*\) .*/\1/p' alone.err)" "$1: it finds the same"
}
sanitized "gcc's thread sanitizer" gcc -fsanitize=thread
sanitized "clang's thread sanitizer" clang -fsanitize=thread
sanitized "clang's address sanitizer" clang -fsanitize=address

done_testing
