#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run.sh [NODES RAILS RADIX [OPTION...]]: discovers a fabric with rails, or the two of README.md.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

discover() {
	nodes=$1 rails=$2 radix=$3
	shift 3
	fabric=generate:rail:$nodes,$rails,$radix$(printf ',%s' "$@")
	umadrig exec --fabric "${fabric%,}" -- ibnetdiscover >"$work/found"
	python3 discover.py <"$work/found" >"$work/tree.json"
	python3 check.py "$nodes" "$rails" "$radix" <"$work/tree.json"
}

if [ $# -ge 3 ]; then
	discover "$@"
else
	discover 600 8 32
	discover 5000 1 64
fi
