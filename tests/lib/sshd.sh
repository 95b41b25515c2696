# shellcheck shell=sh
# Other hosts for tests: a real sshd on the loopback address with its own keys. Source this file after tap.sh.
# All files are below a new directory in memory, which becomes the current one. Without an sshd the test ends
# here, skipped.
#
#   desk   has erkit              bare   has not, but tar, zstd and sha256sum
#   poor   has tar alone          none   has not even that
#
# The home of all of them is $FAR, so that the account's own start-up files, which bash reads for sshd, do not
# print or change anything. The commands in $FAR/.before run before each command over there.

# Every transfer waits for the disk; memory does as well here.
ssh_memory=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null) || ssh_memory=
cd "${ssh_memory:-.}" || exit 1
FAR=$PWD/far
ssh_port=
sshd_pid=

skip_all() {
	skip "$1" 'other hosts'
	done_testing
}

end_ssh() {
	[ -z "$sshd_pid" ] || kill "$sshd_pid" 2>/dev/null
	sshd_pid=
	[ -z "$ssh_memory" ] || rm -rf "$ssh_memory"
}

# make_host NAME MISSING-PROGRAM...: make what the account's shell starts with there.
make_host() {
	host_tools=$PWD/ssh/$1
	mkdir "$host_tools"
	for tool in sh bash cat rm mkdir rmdir ls mv touch sync find grep sed sleep printf kill \
		mktemp sha256sum flock tar zstd er_import er_export; do
		file=$(command -v "$tool") || continue
		case $file in /*) ln -s "$file" "$host_tools/$tool" ;; esac
	done
	ssh_name=$1
	shift
	for tool; do
		rm -f "$host_tools/$tool"
	done
	cat >"$PWD/ssh/$ssh_name.sh" <<-END
		PATH='$host_tools'
		cd '$FAR' || exit 1
		[ ! -e .before ] || . ./.before
		exec sh -c "\$SSH_ORIGINAL_COMMAND"
	END
}

make_keys() {
	ssh-keygen -q -t ed25519 -N '' -f ssh/host_key && ssh-keygen -q -t ed25519 -N '' -f ssh/key &&
		cp ssh/key.pub ssh/authorized
}

configure_sshd() {
	{
		for n in 0 1 2 3; do
			echo "ListenAddress 127.0.0.1:$((ssh_port + n))"
		done
		cat <<-END
			HostKey $PWD/ssh/host_key
			AuthorizedKeysFile $PWD/ssh/authorized
			PidFile none
			StrictModes no
			UsePAM no
			UseDNS no
			PasswordAuthentication no
			KbdInteractiveAuthentication no
			PermitRootLogin yes
			MaxStartups 100
			KexAlgorithms curve25519-sha256
			SetEnv HOME=$FAR
		END
		n=0
		for name in desk bare poor none; do
			echo "Match LocalPort $((ssh_port + n))"
			echo "ForceCommand exec /bin/sh '$PWD/ssh/$name.sh'"
			n=$((n + 1))
		done
	} >ssh/sshd_config
}

configure_ssh() {
	: >ssh/known_hosts
	: >ssh/config
	n=0
	for name in desk bare poor none; do
		port=$((ssh_port + n))
		echo "[127.0.0.1]:$port $(cat ssh/host_key.pub)" >>ssh/known_hosts
		printf 'Host %s\nPort %d\n' "$name" "$port" >>ssh/config
		n=$((n + 1))
	done
	cat >>ssh/config <<-END
		Host *
		HostName 127.0.0.1
		IdentityFile $PWD/ssh/key
		IdentitiesOnly yes
		UserKnownHostsFile $PWD/ssh/known_hosts
		GlobalKnownHostsFile /dev/null
		StrictHostKeyChecking yes
		BatchMode yes
	END
	# shellcheck disable=SC2089,SC2090
	export ER_RSH="ssh -F '$PWD/ssh/config'"
}

answers() {
	ssh -F ssh/config desk exit 0 2>ssh/answer
}

# The port may already be in use.
start_sshd() {
	for try in 1 2 3 4 5; do
		ssh_port=$((20000 + ($$ * 7 + try * 1009) % 20000))
		configure_sshd
		configure_ssh
		/usr/sbin/sshd -D -e -f ssh/sshd_config >ssh/log 2>&1 &
		sshd_pid=$!
		for wait in 1 2 3 4 5 6 7 8 9 10; do
			answers && return 0
			kill -0 "$sshd_pid" 2>/dev/null || break
			sleep "0.$wait"
		done
		kill "$sshd_pid" 2>/dev/null
		sshd_pid=
	done
	return 1
}

trap end_ssh EXIT
trap 'exit 130' INT TERM HUP
[ -x /usr/sbin/sshd ] || skip_all 'sshd is not installed'
command -v ssh-keygen >/dev/null || skip_all 'ssh is not installed'
mkdir ssh "$FAR" "$FAR/runs"
# Root's sshd needs it. It is not removed, because others may be using it now.
[ "$(id -u)" != 0 ] || [ -d /run/sshd ] || mkdir -m 755 /run/sshd
make_keys || skip_all 'no keys can be made'
make_host desk
make_host bare er_import er_export
make_host poor er_import er_export sha256sum zstd flock
make_host none er_import er_export tar
start_sshd || {
	note "$(cat ssh/log ssh/answer)"
	skip_all 'sshd does not let us in'
}
