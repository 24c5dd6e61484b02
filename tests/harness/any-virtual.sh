#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-virtual: programs that nobody here wrote, in virtual time: each does its work, twice with the
# same output and the same capture. The table of doc/virtual-time.md has them all. make check-any
# demands all of them, and has them below the filter as well (ANY_HOW=filter).
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"
. "$top_srcdir/tests/rig/real-root.sh"

umadrig=$top_builddir/umadrig
programs=$top_srcdir/tests/any
fabric=$top_srcdir/tests/data/two-switches.net,host=HostB,clock=virtual${ANY_HOW:+,how=$ANY_HOW}
table=$top_srcdir/doc/virtual-time.md
PATH=$PATH:/usr/sbin:/sbin:/usr/lib/postgresql/15/bin:/usr/lib/postgresql/17/bin
export PATH programs
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST MAKEFLAGS MFLAGS MAKELEVEL
TZ=UTC LC_ALL=C.UTF-8
export TZ LC_ALL
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
# Servers become other users, who have to pass.
chmod 711 . "${TMPDIR:-.}" 2>/dev/null
can_fix=$(setarch -R true 2>/dev/null && echo yes)
tap_ok "something opens the fabric" command -v ibstat

# NUMBER SCRIPT: one run, in a directory of its own that has one name.
once() {
	rm -rf here
	mkdir -m 777 here
	cd here || exit 99
	# shellcheck disable=SC2016 # for bash
	timeout -s KILL 120 "$umadrig" exec --fabric "$fabric,capture=../$1.pcapng" -- \
		bash -c "$2"'
status=$?; ibstat -p; exit $status' >"../$1.out" 2>"../$1.err" </dev/null
	echo "status $?" >>"../$1.out"
	cd ..
}

# NAME NEEDED WANTED SCRIPT: NEEDED are programs; WANTED is in the output.
row() {
	tap_ok "$1: it has a row in doc/virtual-time.md" grep -q "^| $1 |" "$table"
	case ${ANY_HOW:-}:$1 in
	"filter:ps, pgrep and pkill" | "filter:expect: ctrl-C")
		tap_skip "$1" "the library alone has that (doc/virtual-time.md)"
		return ;;
	esac
	for needed in $2; do
		command -v "$needed" >/dev/null 2>&1 && continue
		any_lacks "$1" "no ${needed#./} here"
		return
	done
	once first "$4"
	if grep -q "past libc, and" first.err; then
		any_lacks "$1" "$(grep -m 1 -o "past libc, and.*" first.err)"
		return
	fi
	tap_has "$1: does its work" "$(cat first.out)" "$3"
	tap_has "$1: ends" "$(tail -n 1 first.out)" "status 0"
	once second "$4"
	tap_ok "$1: the same output twice" cmp first.out second.out
	[ -z "$can_fix" ] || tap_ok "$1: the same capture twice" cmp first.pcapng second.pcapng
}

# shellcheck disable=SC2016 # what they have is for their own shell
{
row "ps, pgrep and pkill" "ps pgrep pkill" "1001  1000 sleep" '
sleep 1000 & sleep 1; ps -e -o pid,ppid,comm; pgrep -x sleep; pkill -x sleep; wait $!; [ $? = 143 ]'
row "expect: ctrl-C" "expect" "interrupted-at-22:13:2" '
cat >a.exp <<END
set timeout 20
spawn -noecho sh
expect {# } {} {\\$ } {}
send "sleep 1000\r"; sleep 1; send "\003"
send "date +interrupted-at-%T\r"; expect -re {at-[0-9:]+}
send "exit\r"; expect eof
END
expect a.exp'
row "redis" "redis-server redis-cli" "uptime_in_seconds:3" '
redis-server --port 7001 --save "" --logfile log & sleep 1
redis-cli -p 7001 set a b; redis-cli -p 7001 get a; sleep 2
redis-cli -p 7001 info server | grep uptime_in_seconds; redis-cli -p 7001 shutdown
wait; cat log'
row "nginx and curl" "nginx curl" '[14/Nov/2023:22:13:21 +0000] "GET /index.html' '
cat >conf <<END
daemon off; pid $PWD/pid; error_log $PWD/log info; events {}
http { access_log $PWD/access; client_body_temp_path $PWD/t; proxy_temp_path $PWD/t;
fastcgi_temp_path $PWD/t; uwsgi_temp_path $PWD/t; scgi_temp_path $PWD/t;
server { listen 127.0.0.1:7081; root $PWD; } }
END
mkdir t; echo hi >index.html; nginx -c $PWD/conf 2>/dev/null & sleep 1
for i in 1 2 3; do curl -si http://127.0.0.1:7081/index.html; done
kill -QUIT $!; wait; cat access'
if [ "$(id -u)" = 0 ] && ! is_real_root; then
	any_lacks "PostgreSQL" "it wants another user than root, and there is none here"
else
row "PostgreSQL" "initdb postgres psql setpriv" "2023-11-14 22:13:2" '
D=$PWD/pg; mkdir $D; S=
if [ $(id -u) = 0 ]; then
	chown postgres $D; S="setpriv --reuid=postgres --regid=postgres --clear-groups"
fi
cd /; $S initdb -D $D -A trust >/dev/null 2>&1
$S postgres -D $D -p 7432 -k $D >$D/log 2>&1 & sleep 3
$S psql -h $D -p 7432 -c "select now(), 1+1" postgres; kill -INT $!; wait; cat $D/log'
fi
row "SQLite" "sqlite3" "3|2023-11-14 22:13:20|" '
sqlite3 db "create table t(a); insert into t values(1),(2);
select sum(a), datetime(), random() from t"'
row "etcd" "etcd etcdctl" "skipped leadership transfer" '
U=http://127.0.0.1:7379 P=http://127.0.0.1:7380
etcd --data-dir d --listen-client-urls $U --advertise-client-urls $U --listen-peer-urls $P \
	--initial-advertise-peer-urls $P --initial-cluster default=$P >log 2>&1 & sleep 5
export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=127.0.0.1:7379
etcdctl put a b; etcdctl get a; kill $!; wait; cat log'
row "prometheus-node-exporter" "prometheus-node-exporter python3" \
	'node_infiniband_state_id{device="sim0",port="1"} 4' '
prometheus-node-exporter --web.listen-address=127.0.0.1:9797 --log.level=error \
	--collector.disable-defaults --collector.infiniband & sleep 60
python3 -c "import urllib.request as u; print(u.urlopen(\"http://127.0.0.1:9797/metrics\").read().decode())"
kill $!; wait $!; [ $? = 143 ]'
row "Python: asyncio, multiprocessing, pty" "python3" "[0, 1, 4, 9, 16, 25, 36, 49] 1010.0" '
cat >p.py <<END
import asyncio, multiprocessing, os, time

def square(x):
    time.sleep(x)
    return x * x

async def gathered():
    await asyncio.gather(*[asyncio.sleep(i) for i in range(5)])
    print(time.monotonic())

if __name__ == "__main__":
    with multiprocessing.Pool(4) as pool:
        print(pool.map(square, range(8)), round(time.monotonic(), 3))
    asyncio.run(gathered())
    pid, fd = os.forkpty()
    if pid == 0:
        print("on a terminal", os.isatty(0), flush=True)
        os._exit(4)
    print(os.read(fd, 100), os.waitpid(pid, 0)[1] >> 8)
END
python3 p.py'
row "Perl" "perl" "alarm" '
perl -MTime::HiRes=time,sleep -e "print time, qq(\n); sleep 5; print time, qq( ), rand(), qq(\n);
if (!fork) { sleep 1; exit 3 } wait; print \$?>>8, qq(\n); \$SIG{ALRM}=sub{print qq(alarm\n)};
alarm 2; select(undef,undef,undef,10); print time, qq(\n)"'
row "bash: job control" "bash" "Stopped" '
set -m; sleep 100 & sleep 1; kill -STOP %1; sleep 1; jobs; bg %1; jobs; kill %1
wait; date +%s.%N'
row "Java" "java javac" "5000" '
cat >A.java <<END
public class A {
	public static void main(String[] words) throws Exception {
		long begin = System.nanoTime();
		Thread.sleep(5000);
		System.out.println((System.nanoTime() - begin) / 1000000);
		Thread[] threads = new Thread[3];
		for (int i = 0; i < 3; i++) {
			final int k = i;
			threads[i] = new Thread(() -> {
				try { Thread.sleep(100 * k); } catch (Exception e) { }
				System.out.println(k);
			});
			threads[i].start();
		}
		for (Thread thread : threads)
			thread.join();
		System.out.println(System.currentTimeMillis() / 1000);
	}
}
END
javac A.java && java -Xint A'
row "OpenMP: four threads" "gcc" "sum 499500, 4 threads at 1700003601." '
gcc -fopenmp -o team "$programs/../tools/lockstep-openmp.c" && ./team'
row "OpenSSL: s_server and s_client" "openssl" "HTTP/1.0 200 ok" '
openssl req -x509 -newkey rsa:2048 -nodes -keyout k -out c -days 1 -subj /CN=a 2>/dev/null
openssl s_server -accept 7443 -key k -cert c -www >/dev/null 2>&1 & sleep 1
printf "GET / HTTP/1.0\r\n\r\n" | openssl s_client -connect 127.0.0.1:7443 -quiet 2>/dev/null
kill $!; wait; cat k c'
row "rsync" "rsync" "equal" '
mkdir a; for i in 1 2 3; do seq $i >a/$i; done; rsync -av a/ b/; diff -r a b && echo equal'
row "git" "git" "Tue Nov 14 22:13:20 2023 +0000" '
export HOME=$PWD; git init -q x 2>/dev/null; cd x; git config user.email a@example.org
git config user.name a; echo hi >f; git add f; git commit -qm m; git log --format="%H %ad"
git gc -q; git fsck'
row "make -j8" "make gcc ld" "up to date" '
o=; for i in 1 2 3 4 5 6 7 8 9; do
	echo "int f$i(int a) { return a * $i; }" >f$i.c; o="$o f$i.o"
done
printf "all.o: $o\n\tld -r -o all.o $o\n" >Makefile; make -j8; cksum all.o; make'
row "tmux" "tmux" "hello" '
export HOME=$PWD TMUX_TMPDIR=$PWD; tmux -f /dev/null new-session -d "echo hello; sleep 3"
sleep 1; tmux capture-pane -p | head -n 1; tmux list-sessions; sleep 5; ! tmux list-sessions'
row "Open MPI: two ranks" "mpicc mpirun" "rank 1 sum 1" '
cat >h.c <<END
#include <mpi.h>
#include <stdio.h>
int main(int count, char **words)
{
	int rank, sum;
	MPI_Init(&count, &words);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("rank %d sum %d\n", rank, sum);
	MPI_Finalize();
	return 0;
}
END
mpicc -o h h.c && mpirun --allow-run-as-root --oversubscribe -np 2 ./h 2>/dev/null'
row "chrony" "chronyd" "chronyd version" 'chronyd -Q -t 5 "server 127.0.0.1 iburst" -u root 2>&1; date'
box=busybox
for applet in httpd wget sleep date; do
	busybox --list 2>/dev/null | grep -qx "$applet" || box=busybox-with-$applet
done
row "BusyBox, static" "$box" "Tue Nov 14 22:13:31 UTC 2023" '
busybox httpd -p 7080 -f & sleep 1; echo hello >x
busybox wget -q -O - http://127.0.0.1:7080/x; busybox sleep 10; busybox date; kill %1; wait'
row "unshare -r, su, setpriv" "unshare su setpriv" "22:13:2" '
unshare -r id -u; unshare -r sleep 1
[ $(id -u) != 0 ] || { su nobody -s /bin/sh -c "id -u; sleep 5"; setpriv --reuid=1 --clear-groups id -u; }
date'
row "collectd" "collectd" "exiting normally" '
printf "Hostname h\nInterval 10\nLoadPlugin logfile\n<Plugin logfile>\nFile stdout\n</Plugin>\nLoadPlugin uptime\n" >conf
collectd -f -C conf -P $PWD/pid & sleep 60; kill $!; wait $!; echo "exiting normally"'
row "ibtool's kin: ibnetdiscover, saquery, OpenSM" "opensm ibnetdiscover saquery" "SUBNET UP" '
opensm -f $PWD/log >/dev/null & sleep 20; ibnetdiscover; saquery; grep "SUBNET UP" log
kill $!; wait $!'
row "a static program in C" "gcc" "neighbour: method 0x81" '
gcc -O2 -static -o n $programs/neighbour.c && ./n'
row "a program for musl" "musl-gcc" "neighbour: method 0x81" '
musl-gcc -O2 -static -o n $programs/neighbour.c && ./n'
HOME=$PWD GOCACHE=$PWD/cache GOTOOLCHAIN=local CGO_ENABLED=0 \
	go build -o go-program "$programs/neighbour.go" 2>log
HOME=$PWD GOCACHE=$PWD/cache GOTOOLCHAIN=local CGO_ENABLED=0 \
	go build -o go-children "$programs/children.go" 2>log
[ ! -d cache ] || chmod -R u+w cache
rustc -O -o rust-program "$programs/neighbour.rs" 2>log
row "a program in Rust" "rustc ./rust-program" "neighbour: method 0x81" '
../rust-program'
row "a program in Go" "go ./go-program" "neighbour: method 0x81" '
../go-program'
row "a program in Go, and sixty that it starts" "go ./go-children smpquery" "9.000" '
../go-children smpquery nodeinfo 1; ../go-children sh -c "sleep 1; echo one; sleep 3"'
}
tap_done
