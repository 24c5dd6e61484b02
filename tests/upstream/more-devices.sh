#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-more-devices: on a host with more than 32 adapters libibumad finds pairs of SMI and GSI
# devices for 32 of them, and programs cannot open the others even by name. It came with the
# pairs, be54b52e9 in 56.0; rdma-core b44eef016, in 61.0. The program has its own libibumad here,
# and umadrig's filter below it.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs smpquery ibstat
. "$top_srcdir/tests/rig/any.sh"
any_needs_filter
bug_is rdma-core "$(rdma_core_release)" 56.0 61.0
net_of_adapters 40 1 >net
cat >each <<'END'
ibstat -l | wc -l
for adapter in $(ibstat -l); do
	smpquery -C "$adapter" ND -D 0 2>/dev/null
done | grep -c Description
END
"$umadrig" exec --how filter --fabric net -- sh each >out 2>err
tap_is "40 adapters are there" "$(sed -n 1p out)" 40
opened=$(sed -n 2p out)
printf '# %s of them were opened\n' "$opened"
bug_shows "all can be opened by name" \
	"$([ "${opened:-0}" = 40 ] && echo all || echo "not all")" "not all" all

tap_done
