#!/bin/sh
# er_export --text --format json: an object on each line, for every kind of record, and --only.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/make-experiment" test.er || exit
# Every kind of record that the format knows, with names that are not UTF-8, or have quotes and control
# characters.
python3 - <<'END'
import struct

START = 5_000_000_000
HEAD = ''.join('<field name="%s" offset="%d" type="INT64"/>' % field for field in (
    ('LWPID', 8), ('THRID', 16), ('TSTAMP', 32), ('FRINFO', 40)))
KINDS = (
    ('synctrace', 2, 'synctrace', ('SRQST', 'SOBJ')), ('hwcounter', 3, 'hwcounters', ('HWCTAG', 'HWCINT')),
    ('omptrace', 15, 'omptrace', ('CPRID', 'PPRID', 'PRPC')),
    ('datarace', 10, 'dataraces', ('RID', 'RVADDR', 'LEAFPC')),
    ('deadlock', 13, 'deadlocks', ('DID', 'DVADDR')), ('mpitrace', 6, 'mpitrace', ('MPITYPE', 'MPISCOUNT')),
)


def packet(kind, values):
    return struct.pack('<HHIqqiiQQ', 48 + 8 * len(values), kind, 0, 11, 12, 1, 0, START + 10**9, 0) + \
        struct.pack('<%dQ' % len(values), *values)


text = ''
for name, kind, file, fields in KINDS:
    text += '<profile name="%s"><profpckt kind="%d">%s%s</profpckt></profile>' % (
        name, kind, HEAD, ''.join('<field name="%s" offset="%d" type="UINT64"/>' % (field, 48 + 8 * i)
                                  for i, field in enumerate(fields)))
    with open('test.er/' + file, 'wb') as out:
        out.write(packet(kind, [2**64 - 1] * len(fields)))


def java(kind, numbers, *texts):
    body = b''.join(struct.pack('<Q', number) for number in numbers)
    for word in texts:
        body += (word + b'\0').ljust((len(word) + 4) // 4 * 4, b'\0')
    body += bytes(-len(body) % 8)
    return struct.pack('<HHI', 8 + len(body), kind, 0) + body


with open('test.er/jclasses', 'wb') as out:
    out.write(java(0xA03, (7, START + 5), b'Lpkg/Name;', b'Name.java') +
              java(0xB03, (7, 70), b'run', b'()V') +
              java(0xE03, (7,), b'Lpkg/Name;', b'/some/where') +
              struct.pack('<HHIQQ', 24, 0xA03, 0, 8, 0))  # without its texts
with open('test.er/log.xml', 'rb') as log:
    content = log.read()
with open('test.er/log.xml', 'wb') as log:
    log.write(content.replace(b'<setting limit="10"/>', text.encode() + b'<setting limit="10"/>')
              .replace(b'./program', b'./\xff\xc3\xb6%1b%[0m%c2%%85%'))
END

er_export --text --format=json test.er >json 2>errors
is $? 1 'a class that is too short is damage'
is "$(cat errors)" \
	"er_export: 'test.er': jclasses: offset $(($(stat -c %s test.er/jclasses) - 24)): the packet is too short" \
	'which is named'
check 'every line is an object' python3 -m json.tool --json-lines - /dev/null <json
er_export --text test.er >text 2>/dev/null
# The same records, in the same order, in both forms.
python3 - >kinds <<'END'
import json
for line in open('json', encoding='utf-8'):
    print(json.loads(line)['kind'])
END
grep -v "^$(printf '\t')" text | sed 's/^# //; s/ .*//' >expected
is "$(cat kinds)" "$(cat expected)" 'both forms have the same records'
python3 - >got <<'END'
import json
records = [json.loads(line) for line in open('json', encoding='utf-8')]
by_kind = {}
for record in records:
    by_kind.setdefault(record['kind'], []).append(record)
print(ascii(by_kind['info'][0]['command']))
print(by_kind['event'][2]['time'], ascii(by_kind['event'][2]['text']))
profile = by_kind['profile'][1]
print(profile['seq'], profile['time'], profile['thread'], profile['fields'], profile['stack_end'])
print([frame['pc'] for frame in profile['stack']], profile['stack'][1]['function'])
print(ascii(by_kind['iotrace'][0]['fields']['IOFNAME']))
print(by_kind['mpitrace'][0]['fields'])
print(by_kind['dataraces'][0]['fields'])
for kind in 'class', 'method', 'location':
    print(sorted(by_kind[kind][0].items(), key=str))
END
cat >wanted <<'END'
'./\ufffd\xf6\x1b[0m\x85 "quoted" & more'
None 'two\nlines'
2 0.25 12 {'FRINFO': '0x1eca4138f7314385', 'MSTATE': 0, 'NTICK': 2} <Truncated-stack>
['0x401156', '0x1000'] <Unknown>
'/tmp/a "b"\n'
{'FRINFO': '0x0', 'MPITYPE': 18446744073709551615, 'MPISCOUNT': 18446744073709551615}
{'FRINFO': '0x0', 'RID': 18446744073709551615, 'RVADDR': '0xffffffffffffffff', 'LEAFPC': '0xffffffffffffffff'}
[('class', '0x7'), ('kind', 'class'), ('name', 'Lpkg/Name;'), ('seq', 1), ('source', 'Name.java'), ('time', 5e-09)]
[('class', '0x7'), ('kind', 'method'), ('method', '0x46'), ('name', 'run'), ('seq', 2), ('signature', '()V'), ('time', None)]
[('class', '0x7'), ('kind', 'location'), ('name', 'Lpkg/Name;'), ('seq', 3), ('source', '/some/where'), ('time', None)]
END
is "$(cat got)" "$(cat wanted)" 'numbers, texts and stacks are the recorded ones'

only() { # KINDS EXPECTED
	er_export --text --only "$1" test.er 2>/dev/null |
		sed -n "/^$(printf '\t')/d; /^# experiment .*_f1/q; s/ .*//; /^#/d; p" | sort -u >got
	is "$(tr '\n' ' ' <got)" "$2" "--only $1"
}
only notes 'note '
only log 'data event info setting '
only map 'segment '
only samples 'sample '
only profile 'profile '
only hwc,sync 'hwcounters synctrace '
only heap,io,omp 'heaptrace iotrace omptrace '
only races,deadlocks,mpi 'dataraces deadlocks mpitrace '
only jclasses 'class location method '
er_export --text --only profile,nothing test.er >out 2>errors
is "$? $(head -n 1 errors)" "2 er_export: invalid argument 'profile,nothing' for --only" 'an unknown kind is refused'
er_export --text --format xml test.er >out 2>errors
is $? 2 'and so is an unknown form'

sed 's/version="12.4"/version="9.1"/' test.er/log.xml >log && cp log test.er/log.xml
er_export --text test.er >out 2>errors
is "$?$(grep -c "warning: 'test.er': .*version '9.1' is not supported" errors)" 01 \
	'an experiment of another release is a warning'

# A recording of a real program by gprofng, with all kinds of data available here.
if command -v gp-collect-app >/dev/null; then
	gp-collect-app -o real.er -H on -s on -i on "$(command -v sort)" "$0" >/dev/null 2>&1
	er_export --text --format=json real.er >json 2>errors
	is "$? $(cat errors)" '0 ' 'a real experiment is dumped'
	check 'as valid objects' python3 -m json.tool --json-lines - /dev/null <json
	check 'with heap and I/O' sh -c 'grep -q "\"kind\":\"heaptrace\"" json && grep -q "\"kind\":\"iotrace\"" json'
else
	skip 'gprofng is not installed' 'a real experiment is dumped'
fi
done_testing
