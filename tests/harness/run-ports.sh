#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run-ports: the real ports that "umadrig run" is given: whether they are there, and what may be
# sent to them. Made-up devices replace the machine's, in a namespace of our own.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$(cd "$top_builddir" && pwd)/umadrig

. "$top_srcdir/tests/rig/own-tree.sh"
top_srcdir=$(cd "$top_srcdir" && pwd)
cd "$work" || exit 99

# NAME STATUS PART ARGUMENT...: what is on standard error; 'out' has the rest.
says() {
	name=$1 status=$2 part=$3
	shift 3
	out=$("$umadrig" run "$@" 2>err)
	tap_is "$name: status" $? "$status"
	tap_has "$name" "$(cat err)" "$part"
}

cat >any.mad <<'END'
scenario "s"
0~1ms > nothing
END
real="--backend ib_umad --port A=mlx5_0/1"
says "a machine without devices" 99 "no InfiniBand or RoCE device: load its driver and ib_umad" \
	$real any.mad
add_port mlx5_0 1 4 5 InfiniBand
add_port mlx5_1 1 1 3 Ethernet
says "a device that is not there" 99 "--port A=x/1: there is no such port" \
	--backend ib_umad --port A=x/1 any.mad
tap_is "nothing is printed for a harness to count" "$out" ""
tap_is "the ports that are there" "$(sed -n '/^The ports/,$p' err)" "The ports of this machine:
  mlx5_0/1     InfiniBand, Active
  mlx5_1/1     Ethernet, Down"
says "nearly a device" 99 "did you mean mlx5_0/1?" --backend ib_umad --port A=mlx5_O/1 any.mad
says "a port that is not there" 99 "--port B=mlx5_1/2: there is no such port" $real \
	--port B=mlx5_1/2 any.mad
UMAD_PEER=mlx5_2/1 && export UMAD_PEER
says "a peer of the environment" 99 "UMAD_PEER=mlx5_2/1: there is no such port" $real any.mad
unset UMAD_PEER
mv /sys/class/infiniband/mlx5_1/ports ports
says "a device without ports" 99 "--port B=mlx5_1/1: there is no such port" $real \
	--port B=mlx5_1/1 any.mad
tap_has "is listed as such" "$(cat err)" "  mlx5_1       has no port that can be read"
mv ports /sys/class/infiniband/mlx5_1/ports
says "ports that are there" 0 "" $real any.mad
printf 'scenario "s"\non sim {\n0~1ms > nothing\n}\n' >on-sim.mad
says "a scenario whose events are all for the simulator" 0 "" $real on-sim.mad
tap_has "is skipped" "$out" "ok 1 - on-sim.mad: s # SKIP needs sim: all its events are 'on sim'"

# Nothing is sent to a fabric that others may use if a line would change it.
cat >changes.mad <<'END'
scenario "reads"
ignore > class=0x81
0    fd = umad_open_port($CA, $PORT)
+0   a  = umad_register(fd, class=PERF)
1ms  umad_send(fd, a, PerfGet(PortCounters) to=peer) = 0

scenario "writes"
ignore > class=0x81
0    fd = umad_open_port($CA, $PORT)
+0   a  = umad_register(fd, class=PERF)
1ms  umad_send(fd, a, PerfSet(PortCounters) to=peer) = 0
END
real="--backend ib_umad --port A=mlx5_0/1 --port B=mlx5_1/1"
says "what would change a fabric" 2 "changes.mad:11: PerfSet(PortCounters) sets an attribute" \
	$real changes.mad
says "is refused before anything runs" 2 "nothing was run" $real changes.mad
says "with the cure" 2 "add --allow-writes mlx5_0/1 --allow-writes mlx5_1/1" $real changes.mad
says "one port is not the other" 2 "add --allow-writes mlx5_1/1" $real \
	--allow-writes mlx5_0/1 changes.mad
# A FIFO knows no ioctl, so both scenarios fail, but they run.
says "allowed it goes on" 1 "" $real --allow-writes mlx5_0/1 --allow-writes mlx5_1/1 changes.mad
says "a wire of our own leads to nobody" 99 "" $real --wire mlx5_0,mlx5_1 --json r.json changes.mad
why=$(printf '%s\n' "$out" | sed -n 's/^Bail out! //p')
tap_is "its point is inconclusive, and the run ends with the reason" \
	"$(printf '%s\n' "$out" | sed -n '/^# umadrig/d; 3,$p')" "not ok 1 - changes.mad: reads
  ---
  verdict: inconclusive
  message: \"$why\"
  ...
Bail out! $why"
tap_ok "which is not empty" test -n "$why"
tap_has "reports are written all the same" "$(cat r.json)" "\"cut_off\":\"$why\",\"status\":99"

tap_done
