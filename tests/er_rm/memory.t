#!/bin/sh
# Choosing among 100,000 files takes little memory.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if nm "$BUILD/lib/libexpt.a" 2>/dev/null | grep -q __asan_init; then
	skip 'a sanitizer takes memory for itself' 'memory'
	done_testing
fi
# 5,000 experiments of 8 files in directories of 50, and as many other files and directories.
python3 - <<'END'
import os
log = ('<experiment version="12.4"><process pid="7"/><event kind="run" tstamp="5.0" time="1600000000"/>'
       '<event kind="exit" tstamp="10.0"/></experiment>')
for i in range(100):
    for j in range(50):
        experiment = 'runs/%d/test.%d.er' % (i, j)
        os.makedirs(experiment)
        for name in 'map.xml', 'overview', 'profile', 'heaptrace', 'synctrace', 'iotrace', 'notes':
            open(experiment + '/' + name, 'w').close()
        with open(experiment + '/log.xml', 'w') as file:
            file.write(log)
    os.makedirs('runs/%d/others/more' % i)
    for j in range(600):
        open('runs/%d/others/more/%d' % (i, j), 'w').close()
END
is "$(find runs -type f | wc -l)" 100000 'there are 100,000 files'
python3 - er_rm -r --keep 49 --max-total 0 runs <<'END' >out
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
read -r status kilobytes <out
is "$status $(find runs -name '*.er' | wc -l)" '0 4900' 'the oldest of each directory goes'
[ "$kilobytes" -le 65536 ]
ok $? "in $kilobytes kB"

done_testing
