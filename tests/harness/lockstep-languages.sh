#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-languages: what languages, libraries and build tools wait with, in virtual time. Each
# program says what it sees of time: once as it must be, and once more the same.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
probe=$top_builddir/tests/tools/exec-probe
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
# A make below "make check -j" would share its jobs.
unset MAKEFLAGS MFLAGS MAKELEVEL
TZ=UTC LC_ALL=C
export TZ LC_ALL
. "$top_srcdir/tests/rig/audit.sh"
cd "$work" || exit 99

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi

# COMMAND...: the status and the output, joined. What is said is in err. Something opens the fabric.
run() {
	# shellcheck disable=SC2016
	out=$(timeout -s KILL 60 "$umadrig" exec --fabric ",clock=virtual$audit" -- sh -c \
		'"$@"; status=$?; "$0" open >/dev/null; exit $status' "$probe" "$@" \
		2>"$work/err" </dev/null)
	printf '%s:%s\n' "$?" "$out"
}

# WHAT WANTED COMMAND...
twice() {
	what=$1 wanted=$2
	shift 2
	tap_is "$what" "$(run "$@")" "$wanted"
	tap_is "$what, once more" "$(run "$@")" "$wanted"
}

# ---- GLib ----
twice "GLib's conditions, queues and main loop" "0:late 1001500000
told 1003500000
empty 1003750000
tick 1004450000
tick 1005150000
tick 1005850000" "$top_builddir/tests/tools/lockstep-glib"

# ---- Python ----
cat >python.py <<'END'
import os, queue, subprocess, threading, time

def say(*what):
    print(*what, round(time.monotonic(), 3), flush=True)

results = queue.Queue()
def work(n):
    time.sleep(n)
    results.put(n)
threads = [threading.Thread(target=work, args=(n,)) for n in (3, 1, 2)]
for thread in threads:
    thread.start()
say([results.get() for _ in threads])
try:
    results.get(timeout=2.5)
except queue.Empty:
    say("empty")
say(subprocess.run(["sh", "-c", "sleep 4; echo $PPID"], capture_output=True, text=True).stdout.strip())
try:
    subprocess.run(["sleep", "100"], timeout=6)
except subprocess.TimeoutExpired:
    say("expired")
event = threading.Event()
threading.Timer(1.25, event.set).start()
say(event.wait(5))
say(threading.Lock().acquire(timeout=-1))
say(os.popen("sleep 2; echo read").read().strip(), os.system("sleep 1; exit 3") >> 8)
END
python=$(for one in /usr/bin/python3 python3; do
	command -v "$one"
done | head -n 1)
if [ "$python" ]; then
	twice "Python's threads, queues and processes" "0:[1, 2, 3] 1003.0
empty 1005.5
1001 1009.5
expired 1015.5
True 1016.75
True 1016.75
read 3 1019.75" "$python" python.py
	# What looks without waiting, by itself and in the library: a Pool does so when it ends.
	cat >looks.py <<'END'
import multiprocessing, threading, time

begin = time.monotonic()
looks = 0
while time.monotonic() < begin + 0.01:
    looks += 1
print(looks < 2000, time.monotonic() - begin < 0.0102)
reader, writer = multiprocessing.Pipe(False)
begin = time.monotonic()
threading.Timer(1, writer.send, (1,)).start()
while not reader.poll(0):
    pass
print(reader.recv(), 1 <= time.monotonic() - begin < 1.1)
def square(n):
    time.sleep(n % 7 * 10)
    return n * n
with multiprocessing.Pool(4) as pool:
    print(sum(pool.map(square, range(20))), time.monotonic())
print("over", time.monotonic())
END
	looked=$(run "$python" looks.py)
	tap_is "Python's looks that do not wait" "$(printf '%s\n' "$looked" | sed 's/ [0-9][0-9.]*$//')" \
		"0:True True
1 True
2470
over"
	tap_is "Python's looks that do not wait, once more" "$(run "$python" looks.py)" "$looked"
	# How much a recv gets is the kernel's affair, but it is the same each time.
	cat >tcp.py <<'END'
import socket, threading, time

listener = socket.create_server(("127.0.0.1", 0))
sizes = []
def serve():
    peer = listener.accept()[0]
    while got := peer.recv(65536):
        sizes.append((len(got), time.monotonic_ns()))
thread = threading.Thread(target=serve)
thread.start()
with socket.create_connection(listener.getsockname()) as client:
    for n in range(60):
        client.sendall(b"x" * 300000)
        client.sendall(b"y" * 50)
thread.join()
print(sum(n for n, _ in sizes), sizes)
END
	first=$(run "$python" tcp.py)
	tap_has "Python's TCP" "$first" "0:18003000 "
	for n in 1 2 3; do
		tap_is "Python's TCP, $n more" "$(run "$python" tcp.py)" "$first"
	done
else
	tap_skip "Python" "there is none here"
fi

# ---- Rust and Go ----
cat >rust.rs <<'END'
use std::sync::{mpsc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

fn main() {
    let start = Instant::now();
    let (to, from) = mpsc::channel();
    for n in [3u64, 1, 2] {
        let to = to.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_secs(n));
            to.send(n).unwrap();
        });
    }
    for _ in 0..3 {
        println!("{} {:?}", from.recv().unwrap(), start.elapsed());
    }
    println!("{:?} {:?}", from.recv_timeout(Duration::from_millis(500)), start.elapsed());
    let (mutex, cond) = (Mutex::new(()), Condvar::new());
    let (_guard, result) = cond.wait_timeout(mutex.lock().unwrap(), Duration::from_secs(4)).unwrap();
    println!("{} {:?}", result.timed_out(), start.elapsed());
    let status = std::process::Command::new("sleep").arg("5").status().unwrap();
    println!("{:?} {:?}", status.code(), start.elapsed());
}
END
if ! command -v rustc >/dev/null; then
	tap_skip "Rust" "there is no rustc here"
elif ! rustc -o rust rust.rs 2>"$work/err"; then
	tap_skip "Rust" "rustc cannot build a program here"
else
	twice "Rust's threads, channels and processes" "0:1 1s
2 2s
3 3s
Err(Timeout) 3.5s
true 7.5s
Some(0) 12.5s" ./rust
fi
cat >go.go <<'END'
package main

import (
	"fmt"
	"time"
)

func main() {
	begin := time.Now()
	ticker := time.NewTicker(time.Minute)
	for i := 0; i < 3; i++ {
		<-ticker.C
		fmt.Println(i, time.Since(begin).Round(time.Second))
	}
	time.Sleep(time.Hour)
	fmt.Println(time.Now().UTC().Round(time.Second))
}
END
if ! command -v go >/dev/null; then
	tap_skip "Go" "there is no go here"
elif ! HOME=$work GOCACHE=$work/cache GOTOOLCHAIN=local CGO_ENABLED=0 timeout 100 \
	go build -o go go.go 2>"$work/err"; then
	tap_skip "Go" "go cannot build a program here"
else
	twice "Go" "0:0 1m0s
1 2m0s
2 3m0s
2023-11-14 23:16:20 +0000 UTC" ./go
fi
[ ! -d cache ] || chmod -R u+w cache

# ---- shells, and what runs commands side by side ----
TZ=Asia/Tokyo
tap_is "local times are UTC's, whatever the caller's are" "$(run date "+%T %Z")" "0:22:13:20 UTC"
tap_is "unless a program has others" "$(run env TZ=JST-9 date "+%T %Z")" "0:07:13:20 JST"
TZ=UTC
twice "xargs -P" "0:1 22:13:21
3 22:13:23
2 22:13:23
4 22:13:27" sh -c "printf '3\\n1\\n2\\n4\\n' | xargs -P 2 -I N sh -c 'sleep N; echo N \$(date +%T)'"
twice "background jobs in a pipeline" "0:b 22:13:21
c 22:13:22
a 22:13:23" sh -c '{ (sleep 3; echo a $(date +%T)) & (sleep 1; echo b $(date +%T)) &
	sleep 2; echo c $(date +%T); wait; } | sed -u s/x/y/ | cat'
twice "a signal to the own group" "3:got 22:13:21" setsid -w sh -c \
	'trap "echo got \$(date +%T); exit 3" TERM; sleep 100 & sleep 1; kill -TERM 0; echo not'
twice "timeout -k" "0:137 22:13:27" sh -c 'timeout -k 2 5 sh -c "trap \"\" TERM; while :; do sleep 1; done"
	echo $? $(date +%T)'

# ---- make ----
cat >Makefile <<'END'
all: a b c d
a b c d: source
	@sleep $(seconds_$@); echo $@ `date +%T`; touch $@
seconds_a = 3
seconds_b = 1
seconds_c = 4
seconds_d = 2
END
: >source
if command -v make >/dev/null; then
	twice "make -j2" "0:b 22:13:21
a 22:13:23
d 22:13:25
c 22:13:25" sh -c 'rm -f a b c d; make -s -j2 2>/dev/null | sort -k 2,2 -k 1,1r'
	# What is newer: a chain is made, and made again after changes, at one instant or later.
	mkdir chain
	cd chain || exit 99
	cat >Makefile <<'END'
out: mid
	@echo out; cp mid out
mid: source other
	@echo mid; cat source other >mid
END
	# shellcheck disable=SC2016
	changes='make_() { echo "$1: $(make -s 2>&1 | tr "\n" " ")"; }
rm -f out mid; make_ first; make_ again; echo 1 >>source; make_ "source, at once"
make_ again; sleep 5; make_ later; touch other; make_ other; make_ again
sleep 1; echo 2 >mid; make_ mid; touch -d 2001-01-01 out; make_ "out is old"; make_ again
mv source was; cp was source; make_ copied; make_ again; touch -d "1 hour" other
find . -newer mid | sort | tr "\n" " "; sleep 3600; make_ "an hour later"; make_ again
find . -newer was -type f | sort | tr "\n" " "; date -r mid +%T'
	echo 0 >other
	cp other source
	twice "make makes what has changed" "0:first: mid out 
again: 
source, at once: mid out 
again: 
later: 
other: mid out 
again: 
mid: out 
out is old: out 
again: 
copied: mid out 
again: 
./other ./out an hour later: mid out 
again: 
./mid ./other ./out ./source 23:13:26" sh -c "$changes"
	cd ..
else
	tap_skip "make" "there is none here"
fi
tap_done
