#!/bin/sh
# shellcheck disable=SC2317 # check runs the functions
# Debug files and sources from debuginfod servers on the loop-back address: that of elfutils, and one that also
# has what no server should send.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/ticks.sh
. "$TOP/tests/lib/ticks.sh"

mkdir build served
cat >build/prog.c <<-END
	volatile double sink;
	static __attribute__((noinline)) void burn(void)
	{
		for (int i = 0; i < 50000000; i++)
			sink = sink * 1.0001 + 0.5;
	}
	int main(void)
	{
		burn();
		return 0;
	}
END
(cd build && gcc -g -O1 -o ../prog "$PWD/prog.c")
objcopy --only-keep-debug prog served/prog.debug
strip prog
with_ticks 6 prog.er collect -A copy -o prog.er ./prog
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
HOME=$PWD
export HOME
unset DEBUGINFOD_URLS

is "$(er_print -debuginfod on -functions prog.er 2>&1 >out)" \
	"er_print: DEBUGINFOD_URLS does not name a server" "without a server"
is "$(grep -c '  burn$' out)" 0 "without a server, the program is stripped"

# free: a port on the loop-back address
free() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
# await PORT: until the server has the debug file
await() {
	timeout 30 python3 - "http://127.0.0.1:$1/buildid/$id/debuginfo" <<-END
		import sys, time, urllib.request
		while True:
		    try:
		        urllib.request.urlopen(sys.argv[1], timeout=5).read()
		        break
		    except OSError:
		        time.sleep(0.1)
	END
}
# ask PORT COMMAND...: er_print, with nothing from earlier ones
ask() {
	port=$1
	shift
	rm -rf cache
	DEBUGINFOD_URLS=http://127.0.0.1:$port DEBUGINFOD_CACHE_PATH=$PWD/cache DEBUGINFOD_TIMEOUT=5 \
		timeout 60 er_print "$@"
}

if command -v debuginfod >/dev/null; then
	port=$(free)
	debuginfod -d :memory: -p "$port" -F served >log 2>&1 &
	server=$!
	if await "$port"; then
		ask "$port" -debuginfod on -metrics e.totalcpu:name -functions -source burn prog.er >out 2>err
		is "$(grep -c '  burn$' out) $(cat err)" "1 " "names come from the server of elfutils"
		check "and so do lines" grep -q '^##.* [45]\. .' out
		ask "$port" -functions prog.er >out
		is "$(grep -c '  burn$' out)" 0 "it is only asked if that is wanted"
		check "also by .er.rc" sh -c "echo 'debuginfod on' >.er.rc; DEBUGINFOD_URLS=http://127.0.0.1:$port \
			DEBUGINFOD_CACHE_PATH=$PWD/cache er_print -functions prog.er | grep -q '  burn\$'; \
			rc=\$?; rm .er.rc; exit \$rc"
	else
		skip "debuginfod does not answer" "the server of elfutils"
	fi
	kill $server
	wait $server 2>/dev/null
else
	skip "there is no debuginfod" "the server of elfutils"
fi

# A server that answers with what the file named like the request has.
cat >server.py <<-END
	import http.server, os, sys

	class Handler(http.server.BaseHTTPRequestHandler):
	    def do_GET(self):
	        name = "answers/" + "_".join(self.path.strip("/").split("/")[2:3])
	        if not os.path.exists(name):
	            return self.send_error(404)
	        with open(name, "rb") as file:
	            content = file.read()
	        self.send_response(200)
	        self.send_header("Content-Length", str(len(content)))
	        self.end_headers()
	        self.wfile.write(content)

	    def log_message(self, *words):
	        pass

	http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
END
mkdir answers
cp served/prog.debug answers/debuginfo
cp build/prog.c answers/source
port=$(free)
python3 server.py "$port" &
server=$!
trap 'kill $server 2>/dev/null' EXIT
await "$port"
mv build gone
rm -f prog.er/archives/*prog.c*
ask "$port" -debuginfod on -metrics e.totalcpu:name -source burn prog.er >out 2>err
check "a source that is not here comes from a server" grep -q '^##.* [45]\. .' out
is "$(grep -c '^Warning' out) $(cat err)" "0 " "without a warning"
ask "$port" -debuginfod on -debuginfod off -source main prog.er >out 2>&1
is "$(cat out)" "er_print: no function or source file 'main' with recorded metrics" "off again"

gcc -g -O1 -x c -o other gone/prog.c -DX=1 -Wl,--build-id=0x1234
objcopy --only-keep-debug other answers/debuginfo
ask "$port" -debuginfod on -functions prog.er >out 2>err
is "$? $(grep -c '  burn$' out)" "0 0" "a debug file of another build is not used"
head -c 5000 /dev/urandom >answers/debuginfo
ask "$port" -debuginfod on -functions prog.er >out 2>err
is "$? $(grep -c '  burn$' out)" "0 0" "nor one that is no ELF file"
rm answers/debuginfo
ask "$port" -debuginfod on -functions -source prog.c prog.er >out 2>err
is "$(cat err)" "er_print: no function or source file 'prog.c' with recorded metrics" "nothing is there"
kill $server
ask "$port" -debuginfod on -functions prog.er >out 2>err
is "$? $(cat err)" "0 " "no server answers"
done_testing
