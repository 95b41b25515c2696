# shellcheck shell=sh
# await COMMAND...: wait until it succeeds
await() {
	tries=0
	until "$@" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 1000 ] || return 1
		sleep 0.02
	done
}
