#!/bin/sh
# shellcheck disable=SC2317 # same_as runs the functions
# Values: what collect says of wrong ones, completion and help.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"

wrong_values() {
	debug '' 'collector profile timer 2000' 'collector profile timer 0' 'collector profile timer off' \
		'collector profile timer 0.05' 'collector show profile' 'collector profile timer 500u' \
		'collector profile off' 'collector show profile' 'collector profile on' 'collector show profile' \
		'collector hwprofile counter page-faults,0' 'collector hwprofile counter' 'collector hwprofile counter page-faults,1 minor-faults,on' \
		'collector show hwprofile' 'collector show profile' 'collector hwprofile off' 'collector show hwprofile' \
		'collector hwprofile on' 'collector show hwprofile' 'collector synctrace threshold x' \
		'collector synctrace threshold 25' 'collector show synctrace' 'collector synctrace on' \
		'collector show synctrace' 'collector synctrace threshold off' 'collector show synctrace' \
		'collector heaptrace maybe' 'collector heaptrace' 'collector heaptrace 16-1024' 'collector heaptrace 100-10' \
		'collector show heaptrace' 'collector heaptrace off' 'collector show heaptrace' 'collector archive none' 'collector limit 0' \
		'collector limit none' 'collector show limit' 'collector sample period 0' 'collector sample period on' \
		'collector sample manual' 'collector show sample' 'collector dbxsample maybe' \
		'collector store directory nowhere' 'collector store experiment x' 'collector store group x' \
		'collector store experiment x.er' 'collector show store' 'collector store experiment' \
		'collector show store' 'collector show nothing' 'collector enable now' 'collector st' 'collector pa'
}
same_as values.out 'wrong values leave the setting as it is' wrong_values

if collect -h cycles -n true >/dev/null 2>&1; then
	skip 'there are counters of the processor' 'a counter that this machine has not'
else
	is "$(debug '' 'collector hwprofile on' 'collector show hwprofile' | tail -n 3)" \
		'collect: -h cycles: this machine has no such counter
> collector show hwprofile
  counter              none' 'a counter that this machine has not'
fi

# completed TEXT: what gdb completes it to, on one line.
completed() {
	gdb -nx -q -batch -iex "source $BUILD/lib/erkit/gdb/collector.py" -ex "complete $1" 2>&1 | xargs
}
is "$(completed 'collector pro')" 'collector profile' 'a sub-command'
is "$(completed 'collector s')" 'collector sample collector show collector status collector store collector synctrace' \
	'several'
is "$(completed 'collector profile ')" 'collector profile off collector profile on collector profile timer' \
	'the next word'
is "$(completed 'collector profile timer h')" 'collector profile timer hi collector profile timer high' 'a value'
is "$(completed 'collector heaptrace o')" 'collector heaptrace off collector heaptrace on' 'on and off'
is "$(completed 'collector show i')" 'collector show iotrace' 'a topic'
mkdir -p deep/er
is "$(completed 'collector store directory de')" 'collector store directory deep' 'a directory'

debug '' 'help collector' | sed -n 's/^collector \([a-z_]*\) -- .*/\1/p' | xargs >listed
is "$(cat listed)" 'address_space archive close dbxsample disable enable enable_once heaptrace hwprofile iotrace limit mpitrace pause profile quit resume sample show status store synctrace tha version' \
	'help lists the sub-commands'
for words in $(cat listed) 'profile timer' 'hwprofile counter' 'sample record' 'store group'; do
	debug '' "help collector $words" >help
	check "help collector $words" grep -q '^[A-Z].*\.$' help
done
debug '' 'help collector profile timer' >help
check 'which says what the value is' grep -q 'microseconds' help
done_testing
