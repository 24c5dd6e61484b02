#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lockstep-stops: stopped processes in virtual time. Time goes on without them, and they come back
# with SIGCONT, at the same instants each time; whoever waits for them is told.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

unset UMAD_BACKEND UMADRIG_HOST LD_PRELOAD
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
command -v python3 >/dev/null || tap_skip_all "no python3"

# NAME EXPECTED COMMAND...: the same twice, and with another schedule.
both() {
	name=$1 expected=$2
	shift 2
	for schedule in 0 0 7; do
		timeout -s KILL 60 "$umadrig" exec --fabric ",clock=virtual,schedule=$schedule" -- \
			"$@" >out 2>err
		tap_is "$name, schedule $schedule" "$?:$(cat out; grep '^umadrig: ' err)" "124:$expected"
	done
}

cat >common.py <<'END'
import os, sys, time
from signal import *
begin = time.time()
def say(what):
    os.write(1, ("%s at %.3f\n" % (what, time.time() - begin)).encode())
def child(act):
    pid = os.fork()
    if pid == 0:
        act()
        os._exit(0)
    return pid
def wait(pid, flags=0):
    got, status = os.waitpid(pid, flags)
    assert got == pid
    say("goes on" if os.WIFCONTINUED(status) else
        "stopped by %d" % os.WSTOPSIG(status) if os.WIFSTOPPED(status) else
        "killed by %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else
        "status %d" % os.WEXITSTATUS(status))
END

# One that sleeps, and is stopped beyond the end of its sleep.
cat >other.py <<'END'
from common import *
signal(SIGCHLD, lambda *_: say("SIGCHLD"))
def act():
    time.sleep(2)
    time.sleep(.5)
    say("child")
    os._exit(3)
pid = child(act)
time.sleep(1)
os.kill(pid, SIGSTOP)
wait(pid, os.WUNTRACED)
say("again: %s" % os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT))
time.sleep(4)
os.kill(pid, SIGCONT)
wait(pid, os.WCONTINUED)
wait(pid)
END
both "another that sleeps" "SIGCHLD at 1.000
stopped by 19 at 1.000
again: None at 1.000
SIGCHLD at 5.000
goes on at 5.000
child at 5.500
SIGCHLD at 5.500
status 3 at 5.500" python3 other.py

# It stops itself by each signal that does, and has a handler for SIGCONT.
cat >self.py <<'END'
from common import *
for number in SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU:
    def act():
        os.setpgid(0, 0)
        signal(SIGCONT, lambda *_: say("SIGCONT"))
        os.kill(os.getpid(), number)
        time.sleep(1)
    pid = child(act)
    assert os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOWAIT).si_status == number
    wait(pid, os.WUNTRACED)
    time.sleep(1)
    os.kill(pid, SIGCONT)
    wait(pid)
END
both "one that stops itself" "stopped by 19 at 0.000
SIGCONT at 1.000
status 0 at 2.000
stopped by 20 at 2.000
SIGCONT at 3.000
status 0 at 4.000
stopped by 21 at 4.000
SIGCONT at 5.000
status 0 at 6.000
stopped by 22 at 6.000
SIGCONT at 7.000
status 0 at 8.000" python3 self.py

# SIGTSTP comes with the turn; it is ignored, caught, and for a group that nobody is left to let go
# on. SIGTERM waits until a process goes on, SIGKILL does not.
cat >sent.py <<'END'
from common import *
def sleeper(seconds, how=SIG_DFL):
    def act():
        os.setpgid(0, 0)
        signal(SIGTSTP, how)
        time.sleep(seconds)
    pid = child(act)
    time.sleep(1)
    return pid
pid = sleeper(2)
os.kill(pid, SIGTSTP)
wait(pid, os.WUNTRACED)
os.kill(pid, SIGTERM)
time.sleep(3)
os.kill(pid, 0)
os.kill(pid, SIGCONT)
wait(pid)
for how in SIG_IGN, lambda *_: say("caught"):
    pid = sleeper(2, how)
    os.kill(pid, SIGTSTP)
    wait(pid, os.WUNTRACED)
def act():
    os.setsid()
    os.kill(os.getpid(), SIGTSTP)
    say("not stopped")
wait(child(act), os.WUNTRACED)
pid = sleeper(9)
os.killpg(pid, SIGSTOP)
wait(pid, os.WUNTRACED)
os.kill(pid, SIGKILL)
wait(pid)
END
both "signals for others" "stopped by 20 at 1.000
killed by 15 at 4.000
status 0 at 6.000
caught at 7.000
status 0 at 8.000
not stopped at 8.000
status 0 at 8.000
stopped by 19 at 9.000
killed by 9 at 9.000" python3 sent.py

if command -v bash >/dev/null; then
	cat >jobs.sh <<'END'
set -m
begin=$(date +%s)
say() {
	echo "$1 $(($(date +%s) - begin))"
}
(for i in 1 2 3; do sleep 1; say job; done) &
sleep 1.5
kill -STOP %1
sleep 10
jobs | head -n 1 | sed 's/  */ /g; s/(.*//'
kill -CONT %1
wait
say end
END
	both "a shell's jobs" "job 1
[1]+ Stopped 
job 11
job 12
end 12" bash jobs.sh
else
	tap_skip "a shell's jobs" "no bash"
fi

# The fabric stops a program, and lets it go on: one that a parent waits for, and one that is alone,
# which has the turn itself then.
cat >worker.py <<'END'
from common import *
signal(SIGCONT, lambda *_: say("SIGCONT"))
for i in range(3):
    time.sleep(1)
    say("works")
sys.exit(3)
END
cat >parent.py <<'END'
from common import *
pid = os.fork()
if pid == 0:
    os.execv("./worker", ["worker", "worker.py"])
wait(pid, os.WUNTRACED)
wait(pid, os.WCONTINUED)
wait(pid)
END
ln -s "$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')" worker
# STOPPED COMMAND...: stopped at 1.5 s, up to 8 s.
from_fabric() {
	timeout -s KILL 60 "$umadrig" exec --fabric ",clock=virtual,schedule=$1" \
		--do 'after 1500ms signal worker STOP' --do 'after 1600ms signal worker STOP' \
		--do 'after 8s signal worker CONT' -- "$2" "$3" >out 2>err
	tap_is "the fabric stops $3, schedule $1" "$?:$(sort out; grep '^umadrig: ' err)" "124:$4"
}
for schedule in 0 7; do
	from_fabric $schedule ./worker worker.py "SIGCONT at 8.000
works at 1.000
works at 8.000
works at 9.000"
	from_fabric $schedule python3 parent.py "SIGCONT at 8.000
goes on at 8.000
status 3 at 9.000
stopped by 19 at 1.500
works at 1.000
works at 8.000
works at 9.000"
done
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual --do 'after 1s signal worker STOP' \
	--do 'after 2s signal worker TERM' --do 'after 3s signal worker CONT' -- \
	sh -c './worker worker.py; echo $?' >out 2>err
tap_is "a stopped one takes another signal when it goes on" "$(grep -v works out)" 143
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual --do 'after 1500ms signal worker STOP' -- \
	./worker worker.py >out 2>err
tap_is "one that nobody lets go on: status" $? 123
tap_has "and who it is" "$(cat err)" "1000.0 worker is stopped"
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual --do 'after 1500ms signal worker STOP' \
	--do 'after 3s signal worker KILL' -- python3 parent.py >out 2>err
tap_has "one that is killed while it is stopped" "$(cat out)" "works at 1.000
stopped by 19 at 1.500"

# Nobody lets it go on.
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- sh -c 'kill -STOP $$' >out 2>err
tap_is "one that is alone: status" $? 123
tap_has "and why" "$(cat err)" "0.000000000 s after the start all that is left is stopped
  1000.0 sh is stopped"
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- sh -c \
	'sleep 9 & sleep 1; kill -STOP $!; wait' >out 2>err
tap_is "one that is waited for: status" $? 123
tap_has "and who is stopped" "$(cat err)" "sleep is stopped"
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- \
	sh -c '(sh -c "kill -STOP $$") & wait' >out 2>err
tap_is "one that its last child stops: status" $? 123
tap_has "and that all are" "$(cat err)" "all that is left is stopped
  1000.0 sh is stopped"
timeout -s KILL 60 "$umadrig" exec --fabric ,clock=virtual -- \
	sh -c 'sleep 9 & sleep 1; kill -STOP $!; ibstat -l' >out 2>err
tap_is "one that is left goes on, to end: status" $? 0
tap_lacks "and nothing has to be killed" "$(cat err)" "SIGTERM"
tap_done
