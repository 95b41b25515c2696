#!/bin/sh
# shellcheck disable=SC2016 # for another shell
# The programs that collect calls: what they get from it, and what happens if they do not end.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
PATH=$BUILD/tests/collect/programs:$PATH

# A copy of collect calls what lies beside it.
mkdir -p copy/bin copy/lib
cp "$BUILD/bin/collect" copy/bin
cp -rL "$BUILD/lib/erkit" copy/lib/erkit
cat >copy/bin/er_archive <<'END'
#!/usr/bin/python3 -I
import os, signal, sys
files = [name for name in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + name)]
print(os.path.basename(sys.argv[0]), "blocks", sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])), "files",
      sorted(int(name) for name in files), os.readlink("/proc/self/fd/0"),
      "leads" if os.getsid(0) == os.getpid() else "follows", os.environ.get("SECRET"), os.getuid(), flush=True)
if os.path.basename(sys.argv[0]) == "er_rm":
    os.rmdir(sys.argv[1])
END
chmod +x copy/bin/er_archive
cp copy/bin/er_archive copy/bin/er_rm
cp copy/bin/er_archive copy/bin/gdb
PATH=$PWD/copy/bin:$PATH
export SECRET=word

attached malloc >out &
process=$!
mkdir x.er
collect -A on -o x.er --overwrite -t 0.2 -P $process >said 2>log 7<copy/bin/gdb
is "$? $(cat said x.er/archive.log)" "0 er_rm blocks [] files [0, 1, 2] /dev/null leads word $(id -u)
er_archive blocks [] files [0, 1, 2] /dev/null leads word $(id -u)" "er_rm and er_archive get no signals, files, input or session of collect" ||
	note "$(cat log)"
collect --gdb -P $process >said 2>&1 7<copy/bin/gdb
is "$? $(cat said)" "1 collect: gdb has not begun to record process $process
gdb blocks [] files [0, 1, 2] /dev/null leads word $(id -u)" "nor does gdb"

# Waits for a tool that does not end are left by an interrupt.
cat >copy/bin/er_archive <<'END'
#!/bin/sh
echo $$ >archiver
exec sleep 600
END
rm -f log
collect -A on -o stuck.er -P $process 2>log &
collect=$!
until grep -q recording log 2>/dev/null; do sleep 0.01; done
kill -TERM $collect
until [ -s archiver ]; do sleep 0.01; done
kill -TERM $collect
wait $collect
is "$? $(sed 1d log) $(kill "$(cat archiver)" && echo lives)" "0 collect: warning: er_archive has not ended yet: 'stuck.er' is not complete lives" \
	"an interrupt does not wait for er_archive"
touch stop
wait $process

# ignoring COMMAND...: as the child of a program that ignores the ends of its children
ignoring() {
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execvp(sys.argv[1], sys.argv[1:])' "$@"
}
echo 'exit 3' >copy/bin/er_rm
mkdir kept.er
ignoring collect -A off -o kept.er --overwrite true >said 2>&1
is "$? $(cat said) $(ls -d kept.er)" "1 collect: 'kept.er' is unchanged kept.er" "er_rm fails while ends of children are ignored"
echo 'rmdir "$1"' >copy/bin/er_rm
ignoring collect -A off -S off -o kept.er --overwrite grep SigIgn /proc/self/status 2>log >said
is "$? $(sed 's/.*\(.\)....$/\1/' said)" "0 1" "and the program ignores them as ever"

if [ "$(id -u)" != 0 ] || ! id nobody >/dev/null 2>&1; then
	skip "needs root" "tools with the rights of a user"
	done_testing
fi
cp copy/bin/gdb copy/bin/er_archive
chmod 777 . x.er
chmod -R a+rx copy
chmod a+x ..
rm -f stop
setpriv --reuid nobody --clear-groups attached malloc >out &
process=$!
until grep -q attached /proc/$process/comm; do sleep 0.01; done
collect -A on -o user.er -t 0.2 -P $process 2>log
is "$? $(cat user.er/archive.log)" "0 er_archive blocks [] files [0, 1, 2] /dev/null leads None $(id -u nobody)" \
	"er_archive for a user gets no variables of root's" || note "$(cat log)"
rm -f log
collect -A on -o pipe.er -P $process 2>log &
collect=$!
until grep -q recording log 2>/dev/null; do sleep 0.01; done
setpriv --reuid nobody --clear-groups mkfifo pipe.er/archive.log
kill -TERM $collect
wait $collect
is "$? $(sed "1d; s|$PWD|HERE|" log)" "0 collect: warning: cannot run 'HERE/copy/bin/er_archive': No such device or address" \
	"a pipe in the place of the messages does not stop collect"
touch stop
wait $process
done_testing
