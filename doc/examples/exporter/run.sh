#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run.sh: an hour of exporter.py in virtual time, on a fabric whose counters move.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/sbin:/sbin

if [ "${1:-}" = inside ]; then
	umadrig ctl counter 'leaf-0[4]' SymbolErrorCounter +1/100s
	python3 exporter.py 0 >"$2/url" &
	exporter=$!
	sleep 1
	status=0
	python3 scrape.py "$(cat "$2/url")" || status=$?
	kill "$exporter"
	exit "$status"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fabric=generate:fat-tree:20,8,clock=virtual
fabric=$fabric,load=host-1:host-9:150G,load=host-2:host-9:150G,load=host-3:host-8:10G
umadrig exec --fabric "$fabric" -- sh run.sh inside "$work"
