#!/bin/sh
# The threshold and scope of -s.
for value in on calibrate all 0 250 off on,n 5,nj all,j on,x x -1 99999999999; do
	collect -n -s "$value" true >settings 2>message
	echo "$value: $? $(grep synchronization settings)$(cat message)"
done
rm settings message
