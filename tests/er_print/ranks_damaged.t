#!/bin/sh
# Traces of MPI with bytes that no recorder writes, and ranks with numbers that no job has: er_print's lists end soon,
# whatever they show.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
library=openmpi
command -v mpicc.$library >/dev/null || library=mpich
if ! command -v mpicc.$library >/dev/null; then
	skip 'there is no mpicc.openmpi, nor mpicc.mpich' 'damaged traces'
	done_testing
fi
mpicc.$library -w -O1 -o ranks "$TESTDIR/ranks.c"
check 'a job is recorded' timeout 120 collect -A off -o job.er -M auto mpirun.$library -np 4 -- ./ranks own

cat >damage.py <<'END'
import random, struct, sys
random.seed(int(sys.argv[1]))
numbers = [-1, 0, 2**31 - 1, 2**32, 2**63 - 1, -2**63, 10**6]
for path in sys.argv[2:]:
    data = bytearray(open(path, "rb").read())
    kind = random.randrange(3)
    for _ in range(random.randrange(1, 30)):
        at = random.randrange(len(data) // 8) * 8
        if kind == 0:
            data[at + random.randrange(8)] = random.randrange(256)
        elif kind == 1:
            data[at:at + 8] = struct.pack("<q", random.choice(numbers))
        else:
            data[at + 4:at + 8] = struct.pack("<i", random.choice([-1, 2**31 - 1, -2**31, 3, 17, 100000]))
    if random.random() < .1:
        del data[random.randrange(len(data)):]
    open(path, "wb").write(data)
END
lists() {
	timeout 60 er_print -mpi_ranks -mpi_messages -mpi_matrix bytes -mpi_matrix messages \
		-Communicators bad.er >out 2>&1
}
failed=''
for seed in $(seq 40); do
	rm -rf bad.er
	cp -r job.er bad.er
	python3 damage.py "$seed" bad.er/M_r*.er/mpitrace
	lists
	[ $? -le 1 ] && [ "$(wc -c <out)" -lt 5000000 ] || failed="$failed $seed"
done
is "$failed" '' 'damaged traces are read'

rm -rf bad.er
cp -r job.er bad.er
mv bad.er/M_r1.er bad.er/M_r2147483647.er
mv bad.er/M_r2.er bad.er/M_r-1.er
mv bad.er/M_r3.er bad.er/M_r99999999999999999999.er
lists
check 'ranks of any number are shown' [ $? -le 1 ]
check 'the first one, too' grep -q '^ *0 .*[0-9]' out
done_testing
