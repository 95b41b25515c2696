#!/bin/sh
# OpenMP with both runtimes: counts, shares and lines of regions and tasks are those of the program itself, the time of
# threads is work, wait or overhead, and programs behave as alone.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

metrics=e.totalcpu:e.ompwork:e.ompwait:e.ompovhd:name
kernels='independent uneven stencil sparse levels shared ordered sections dependences loop_of_tasks recursion nested alone serial many
	targeted detached threads'

# listed EXPERIMENT COMMAND: "LINE COUNT WORK" of each region or task, by line
listed() {
	er_print -metrics $metrics "-$2" "$1" 2>errors | awk '$6 == "OpenMP" && match($0, /line [0-9]+ in "openmp.c"/) {
		split(substr($0, RSTART), words, " "); count[words[2]] += $5; work[words[2]] += $2 }
		END { for (line in count) print line, count[line], work[line] }' | sort -n
}

counts() { # EXPERIMENT
	listed "$1" OMP_preg | awk '{ print "region", $1, $2 }'
	listed "$1" OMP_task | awk '{ print "task", $1, $2 }'
}

own_counts() {
	awk '$1 != "process" { count[$1 " " $2] += $3 } END { for (name in count) print name, count[name] }' own |
		sort -k 1,1 -k 2n,2
}

# Regions that worked long enough: the share that a sample of this size shows is right to some percent.
shares_differ() { # EXPERIMENT
	listed "$1" OMP_preg >recorded
	awk 'FNR == NR { recorded[$1] = $3; next } $1 == "region" && $4 > 0.1 { tolerance = 0.04 * $4 + 0.025
		if (recorded[$2] < $4 - tolerance || recorded[$2] > $4 + tolerance) print $0, "recorded", recorded[$2] }' \
		recorded own
}

# The total is the sum of its parts, to the rounding.
parts_differ() { # EXPERIMENT
	er_print -metrics $metrics -functions "$1" 2>errors |
		awk '$NF == "<Total>" { found = 1; rest = $1 - $2 - $3 - $4; if (rest * rest > 1e-4 * $1 * $1) print }
			END { if (!found) print "no total" }'
}

# The total is the CPU time of the process by its own clock, but for what it uses before it is recorded.
total_differs() { # EXPERIMENT
	er_print -metrics e.totalcpu:name -functions "$1" 2>errors | awk '
		FNR == NR { if ($NF == "<Total>") recorded = $1; next }
		$1 == "process" { own = $2 }
		END { rest = recorded - own; if (!own || rest * rest > (0.01 * own + 0.02) ^ 2) print recorded, own }' - own
}

functions_of() { # READER EXPERIMENT
	"$1" -metrics $metrics -viewmode machine -functions "$2" 2>/dev/null | awk '$NF == "<Total>" { print $1, $2, $3, $4 }'
}

# The user's stacks begin in main in all threads of a team: what of the time does not, but for the program's start.
outside_of_main() { # EXPERIMENT
	er_print -viewmode user -metrics e.totalcpu:name -calltree "$1" 2>errors | awk '{ sub(/.*\+-/, "", $NF) }
		$NF == "<Total>" { total = $1 } $NF == "main" || $NF == "<OMP-idle>" || $NF ~ /^not_sampled/ { inside += $1 }
		END { if (total == 0 || total - inside > 0.01 * total + 0.02) print total, inside }'
}

main_of() { # READER EXPERIMENT
	"$1" -metrics i.totalcpu:i.ompwork:i.ompwait:name -viewmode user -functions "$2" 2>/dev/null | awk '$NF == "main"'
}

# test_compiler COMPILER
test_compiler() {
	cc=$1
	if ! echo 'int main(void) { return 0; }' | "$cc" -fopenmp -x c -o try - 2>log; then
		skip "there is no $cc with OpenMP: $(head -n 1 log)" "OpenMP with $cc"
		return
	fi
	"$cc" -w -g -O1 -fopenmp -o openmp "$TESTDIR/openmp.c"
	for policy in active passive; do
		export OMP_WAIT_POLICY=$policy
		# shellcheck disable=SC2086
		./openmp $kernels >alone
		rm -rf kernels.er
		# shellcheck disable=SC2086
		collect -p hi -A off -o kernels.er ./openmp $kernels >out 2>err
		is "$? $(cat out)" "0 $(cat alone)" "$cc, $policy: results are as alone"
		is "$(counts kernels.er)" "$(own_counts)" "$cc, $policy: regions and tasks are all there, in their lines"
		is "$(shares_differ kernels.er)" '' "$cc, $policy: work is where the program has worked"
		is "$(parts_differ kernels.er)" '' "$cc, $policy: work, wait and overhead are the time of the threads"
		is "$(total_differs kernels.er)" '' "$cc, $policy: and that is what the process has used"
		if command -v gp-display-text >/dev/null; then
			is "$(functions_of gp-display-text kernels.er)" "$(functions_of er_print kernels.er)" \
				"$cc, $policy: the totals are those of gprofng"
		fi
	done

	export OMP_WAIT_POLICY=active
	rm -rf kernels.er
	collect -p hi -A off -o kernels.er ./openmp independent uneven nested >out 2>err
	is "$(outside_of_main kernels.er)" '' "$cc: the user's stacks begin in main, in all threads of a team"

	if command -v gp-display-text >/dev/null; then
		is "$(main_of gp-display-text kernels.er)" "$(main_of er_print kernels.er)" "$cc: and so they do in gprofng"
	fi
	rm -rf forks.er
	collect -A off -o forks.er ./openmp forks >out 2>err
	is "$(counts forks.er/_f1.er)" "$(own_counts)" "$cc: regions of a child of fork"
	rm -rf ends.er
	collect -p hi -A off -o ends.er ./openmp ends >out 2>err
	is "$? $(er_print -metrics $metrics -OMP_preg ends.er 2>&1 | awk '$6 == "OpenMP" { print $5 }')" '5 1' \
		"$cc: a program that ends in a region"
	rm -rf without.er
	SP_COLLECTOR_NO_OMP=1 collect -A off -o without.er ./openmp many >out 2>err
	is "$(grep -c omptrace without.er/log.xml)" 0 "$cc: SP_COLLECTOR_NO_OMP"
	rm -rf serial.er
	collect -A off -o serial.er ./openmp serial >out 2>err
	is "$(find serial.er -name omptrace)" '' "$cc: a program without regions has no data of them"
}

# test_copies COMPILER
test_copies() {
	cxx=$1
	if ! "$cxx" -w -g -O1 -fopenmp -o copies "$TESTDIR/openmp_copies.cc" 2>log ||
		! "$cxx" -w -g -O1 -fopenmp -shared -fPIC -DLIBRARY -o ./copies.so "$TESTDIR/openmp_copies.cc" 2>log ||
		! "$cxx" -w -g -O1 -o opens "$TESTDIR/openmp_copies.cc" 2>log; then
		skip "there is no $cxx with OpenMP: $(head -n 1 log)" "objects in tasks with $cxx"
		return
	fi
	for command in ./copies "./opens ./copies.so"; do
		$command >alone
		rm -rf copies.er
		# shellcheck disable=SC2086
		collect -A off -o copies.er $command >out 2>err
		is "$? $(cat out)" "0 $(cat alone)" "$cxx, $command: objects in tasks are copied as often as alone"
		is "$(er_print -metrics $metrics -OMP_preg -OMP_task copies.er 2>&1 | awk '$NF == "<Total>" { print $5 }' |
			tr '\n' ' ')" '1 50 ' "$cxx, $command: the region and its tasks are counted"
	done
}

test_fortran() {
	cat >solve.f90 <<-'END'
		program solve
		  use omp_lib
		  integer :: i, total
		  integer(omp_lock_kind) :: lock
		  call omp_init_lock(lock)
		  total = 0
		  do i = 1, 9
		!$omp parallel num_threads(2)
		    call omp_set_lock(lock)
		    total = total + 1
		    call omp_unset_lock(lock)
		!$omp end parallel
		  end do
		  print '(i0)', total
		end program
	END
	if ! gfortran -g -O1 -fopenmp -o solve solve.f90 2>log; then
		skip "there is no gfortran with OpenMP: $(head -n 1 log)" 'Fortran'
		return
	fi
	collect -A off -o solve.er ./solve >out 2>err
	is "$? $(cat out) $(er_print -metrics $metrics -OMP_preg solve.er 2>errors | sed -n 's/.* \([0-9][0-9]*\)  *OpenMP.*, \(line.*\)/\1 \2/p')" \
		'0 18 9 line 8 in "solve.f90"' 'regions of Fortran'
}

# A tool of the program's own, or of the user's, is the only one.
test_tools() {
	if ! clang -w -fopenmp -DPROGRAM -rdynamic -o with_tool "$TESTDIR/openmp_tool.c" 2>log; then
		skip "there is no clang with OpenMP: $(head -n 1 log)" 'other tools'
		return
	fi
	clang -w -shared -fPIC -o ./tool.so "$TESTDIR/openmp_tool.c"
	clang -w -g -fopenmp -o openmp "$TESTDIR/openmp.c"
	./with_tool >alone
	collect -A off -o with_tool.er ./with_tool >out 2>err
	is "$? $(cat out)" "0 $(cat alone)" 'the tool of a program'
	is "$(head -n 1 alone)" 'the tool is there' 'it is started'
	OMP_TOOL_LIBRARIES=$PWD/tool.so collect -A off -o named.er ./openmp many >out 2>err
	is "$(cat out)" "the tool is there
many 20000" 'the tool that OMP_TOOL_LIBRARIES names'
	check 'the log says so' grep -q 'OMP_TOOL_LIBRARIES' named.er/log.xml
}

# Programs of gcc before 4.9 call the functions of regions themselves.
test_old_programs() {
	cat >old.c <<-'END'
		#include <stdio.h>
		void GOMP_parallel_start(void (*function)(void *), void *data, unsigned threads);
		void GOMP_parallel_loop_static_start(void (*function)(void *), void *data, unsigned threads,
						     long from, long to, long step, long chunk);
		void GOMP_parallel_end(void);
		_Bool GOMP_loop_static_next(long *from, long *to);
		void GOMP_loop_end_nowait(void);
		static void work(void *data)
		{
			for (volatile long i = 0; i < 50000000; i++)
				;
			__atomic_add_fetch((int *)data, 1, __ATOMIC_SEQ_CST);
		}
		static void loop(void *data)
		{
			long from, to;
			while (GOMP_loop_static_next(&from, &to))
				for (; from < to; from++)
					work(data);
			GOMP_loop_end_nowait();
		}
		int main(void)
		{
			int count = 0;
			for (int i = 0; i < 5; i++) {
				GOMP_parallel_start(work, &count, 2);
				work(&count);
				GOMP_parallel_end();
			}
			for (int i = 0; i < 3; i++) {
				GOMP_parallel_loop_static_start(loop, &count, 2, 0, 4, 1, 0);
				loop(&count);
				GOMP_parallel_end();
			}
			printf("%d\n", count);
			return 0;
		}
	END
	if ! gcc -w -g -O1 -fopenmp -o old old.c 2>log; then
		skip "gcc cannot compile: $(head -n 1 log)" 'programs of old compilers'
		return
	fi
	export OMP_WAIT_POLICY=passive
	collect -p hi -A off -o old.er ./old >out 2>err
	is "$? $(cat out)" '0 22' 'a program of an old compiler behaves as alone'
	er_print -metrics $metrics -OMP_preg old.er >listed 2>errors
	is "$(sed -n 's/.* \([0-9][0-9]*\)  *OpenMP.*, line \([0-9]*\) in "old.c".*/\2 \1/p' listed | sort -n | tr '\n' ' ')" \
		'26 5 31 3 ' 'its regions are counted, in their lines' || note "$(cat listed)"
	is "$(awk '$6 == "OpenMP" { work += $2 } $NF == "<Total>" { total = $1 } END { print (work > 0.7 * total) }' listed)" 1 \
		'and the time of all threads is their work' || note "$(cat listed)"
}

test_deep() { # COMPILER
	{
		echo '#include <stdio.h>'
		echo 'static void level8(void) { for (volatile long i = 0; i < 100000000; i++) ; }'
		for level in 7 6 5 4 3 2 1; do
			echo "static void __attribute__((noinline)) level$level(void) {"
			echo '#pragma omp parallel num_threads(1)'
			echo "level$((level + 1))(); }"
		done
		echo 'int omp_set_max_active_levels(int); int main(void) { omp_set_max_active_levels(9); level1(); return 0; }'
	} >deep.c
	"$1" -w -g -O1 -fopenmp -o deep deep.c 2>log || return
	rm -rf deep.er
	collect -p hi -A off -o deep.er ./deep >out 2>err
	er_print -metrics $metrics -OMP_preg deep.er >listed 2>errors
	is "$? $(awk '$6 == "OpenMP" && $2 > 0 { print /line [34] in/ }' listed) $(grep -c ' 1 *OpenMP' listed)" \
		'0 1 7' "$1: time in the seventh region of seven" || note "$(cat listed)"
}

# A process that runs already: regions are known from then on.
test_attached() {
	cat >runs.c <<-'END'
		#include <stdio.h>
		#include <unistd.h>
		int main(void)
		{
			long rounds = 0, parts = 0;
			while (access("stop", F_OK) != 0) {
		#pragma omp parallel num_threads(2)
				{
					for (volatile long i = 0; i < 3000000; i++)
						;
		#pragma omp atomic
					parts++;
				}
				rounds++;
			}
			puts(parts == 2 * rounds ? "right" : "wrong");
			return 0;
		}
	END
	if ! gcc -w -g -O1 -fopenmp -o runs runs.c 2>log; then
		skip "gcc cannot compile: $(head -n 1 log)" 'a process that runs already'
		return
	fi
	rm -f stop
	export OMP_WAIT_POLICY=passive
	./runs >out &
	process=$!
	until [ "$(find /proc/$process/task -mindepth 1 -maxdepth 1 | wc -l)" = 2 ]; do
		kill -0 $process || break
		sleep 0.01
	done
	for recording in first second; do
		collect -p hi -t 0.5 -A off -o $recording.er -P $process 2>err
		er_print -metrics $metrics -OMP_preg $recording.er >listed 2>errors
		is "$? $(awk '$6 == "OpenMP" && /line 7 in/ { print ($5 > 10), ($2 > 0.1) }' listed)" '0 1 1' \
			"a process that runs already: its regions, $recording recording" || note "$(cat err errors listed)"
		if command -v gp-display-text >/dev/null; then
			is "$(functions_of gp-display-text $recording.er)" "$(functions_of er_print $recording.er)" 'as in gprofng'
		fi
	done
	touch stop
	wait $process
	is "$? $(cat out)" '0 right' 'and it ends as alone'
}

test_compiler gcc
test_compiler clang
test_copies g++
test_copies clang++
test_fortran
test_tools
test_old_programs
test_deep gcc
test_deep clang
test_attached
done_testing
