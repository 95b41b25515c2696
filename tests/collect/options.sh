#!/bin/sh
# Options are separate words, given once, and checked before anything is made.
for words in "-p on" "-pon true" "-p on -p on true" "-p 2 s true" "-p 1001 true" "-p 0 true" \
	"-p -3 true" "-S 0 true" "-S 1.5 true" "-L 0 true" "-t 5-2 true" "-t 0 true" "-t x true" \
	"-t 307445735m true" "-t 0.0001 true" "-t 1- true" "-s 0000000000000005x true" \
	"-F some true" "-F =( true" "-A some true" "-a on -A on true" "-a on -a on true" "-A on -A on true" "-c on true" "-c x true" \
	"-r race,abort true" "-r race true" "-r true" "-r never true" "-r deadlock,never true" "-r deadlock, true" "-I . true" "-N lib true" "-h page-faults,-3 true" "-o plain true" "-o .er true" \
	"-g plain true" "-l none true" "-l KILL true" "-l SIGSTOP true" "-l PROF true" "-l 33 true" \
	"-l 65 true" "-l usr1 true" "-y USR1,p true" "-y USR1, true" "-y ,r true" "-l USR1 -y 10,r true" \
	"-q true" "-n"; do
	# shellcheck disable=SC2086
	collect $words >/dev/null 2>message
	echo "$words: $? $(head -n 1 message)"
done
# Windows and rates have units; a rate above the maximum is lowered, with a warning.
for words in "-t 0.5-1.25 true" "-t -1.5m true" "-t 2- true" "-p 0.0000001 true" "-p 0.00001u true" "-c off true"; do
	# shellcheck disable=SC2086
	collect -n $words >settings 2>message
	echo "-n $words: $? $(cat message) $(grep -E 'clock|window' settings | tr -s ' \n' ' ')"
done
# Nothing else was made.
rm message settings
ls -A
