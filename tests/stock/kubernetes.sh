#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kubernetes: doc/examples/kubernetes as far as it runs without a cluster: ibnetdiscover as a pod
# without rights has it, and the labels that topograph's rules make of 5,000 hosts.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs python3 ibnetdiscover setpriv unshare
. "$top_srcdir/tests/rig/tool-rows.sh"
# The example takes it by its path, where the pod has the watched one.
mkdir "$work/real"
cp /usr/sbin/ibnetdiscover "$work/real" || exit 99
PATH=$work/real:$PATH
tool_watch ibnetdiscover
example=$(cd "$top_srcdir" && pwd)/doc/examples/kubernetes
PATH=$(dirname "$umadrig"):$PATH
export PATH

# In namespaces of its own, on a root file system that cannot be written, as nobody in particular.
# What is noted of programs is the test's, not the pod's.
cat >"$work/pod" <<'END_POD'
set -e
mount --make-rprivate /
mount -t tmpfs tmp "$1"
mount --bind "$2" "$2"
mount --bind "$3" /usr/sbin/ibnetdiscover
mount -o remount,bind,ro /
cd /
shift 3
exec setpriv --reuid 65532 --regid 65532 --clear-groups --inh-caps=-all --bounding-set=-all \
	--no-new-privs "$@"
END_POD
pod() {
	mkdir -p "$work/tmp"
	unshare -m -p -f -n -i -u sh "$work/pod" "$work/tmp" "$tool_log" \
		"$work/watched/ibnetdiscover" \
		env TMPDIR="$work/tmp" UMADRIG_FABRIC="$fabric" "$@"
}
fabric=generate:rail:5000,1,64
FOUND=$work/found
export FOUND
chmod 755 "$work"
if [ "$(id -u)" = 0 ] && pod test -x "$umadrig" 2>/dev/null; then
	pod sh -c 'chmod 1777 "$TMPDIR" 2>/dev/null; id -u; grep CapEff /proc/self/status
		grep NoNewPrivs /proc/self/status; touch /etc/here 2>&1' >"$work/rights" 2>&1
	tap_is "it has no rights" "$(tr -d '\t' <"$work/rights" | sed 's/^touch.*: //')" "65532
CapEff:0000000000000000
NoNewPrivs:1
Read-only file system"
	pod "$example/ibnetdiscover" >"$work/found" 2>"$work/err"
	tap_is "ibnetdiscover in a pod succeeds" $? 0
else
	tap_skip "ibnetdiscover in a pod" "only root can make one, of a build that all may read"
	UMADRIG_FABRIC=$fabric "$example/ibnetdiscover" >"$work/found" 2>"$work/err"
fi
tap_has "what is printed is a topology file" "$(head -2 "$work/found")" "# Topology file: generated on"
labels=$(python3 -B "$example/labels.py" <"$work/found")
tap_is "leaf, spine and core of 5,000 hosts" "$labels" \
	"5000 hosts, 157 of tier-0, 5 of tier-1, 1 of tier-2"

# By name: a host's leaf is that at its cable, its spine of the group of 32 leaves that this is in.
cat >"$work/compare.py" <<'END_COMPARE'
import re, sys
text = open(sys.argv[1]).read()
names = dict(re.findall(r'^Switch\s+\d+\s+"([^"]+)"\s+# "MF0;([^:]+):', text, re.M))
switches = re.findall(r'^Switch\s+\d+\s+"([^"]+)"(.*?)^$', text, re.M | re.S)
leaf_of = {host: leaf for leaf, body in switches
           for host in re.findall(r'^\[\d+\]\s+"H-.*# "(\S+) mlx5_0"', body, re.M)}
wrong = 0
for line in sys.stdin:
    host, *tiers = line.split()
    ids = [tier.split("=")[1] for tier in tiers]
    group = int(names[ids[0]].split("-")[1]) // 32
    right = leaf_of[host] == ids[0] and names[ids[2]].startswith("core-") and \
        names[ids[1]].startswith("group-%d-spine-" % group)
    if not right:
        wrong += 1
        print(host, [names[id] for id in ids])
print(len(leaf_of), "hosts,", wrong, "wrong")
END_COMPARE
python3 -B "$example/nodes.py" >"$work/nodes.json"
python3 -c 'import json, sys
for item in json.load(sys.stdin)["items"]: print(item["metadata"]["name"])' <"$work/nodes.json" \
	>"$work/hosts"
xargs -a "$work/hosts" sh -c 'python3 -B "$0" "$@" <"$FOUND"' "$example/labels.py" \
	>"$work/labels" 2>&1
tap_is "the labels of each node that nodes.py makes are those of its place in the fabric" \
	"$(python3 -B "$work/compare.py" "$work/found" <"$work/labels" | tail -3)" \
	"5000 hosts, 0 wrong"
tap_is "all of them have some" "$(grep -c 'tier-2=' "$work/labels")" 5000

# topograph's own reader and tree, where TOPOGRAPH_LABELS names what has been built of
# tests/stock/topograph-labels.go in its module (make check-current).
if [ -x "${TOPOGRAPH_LABELS:-}" ]; then
	"$TOPOGRAPH_LABELS" <"$work/found" >"$work/theirs" 2>"$work/err"
	LC_ALL=C sort "$work/labels" >"$work/ours"
	tap_ok "topograph itself labels each node so" cmp "$work/theirs" "$work/ours"
else
	tap_skip "topograph itself labels each node so" \
		"TOPOGRAPH_LABELS does not name a program of NVIDIA/topograph's reader"
fi

tool_rows kubernetes <<'END'
ibnetdiscover (topograph, infiniband-k8s, of August 2026: the command in a pod, as a user without capabilities, with no_new_privs, in namespaces, on a read-only root) | right; leaf, spine and core of each of 5,000 hosts by topograph's rules; kind and kwok are not run | ibnetdiscover in a pod
END
tap_done
