#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# run.sh [OPTION...]: failover.mad, with options of umadrig run.
set -eu
here=$(dirname "$0")
PATH=$PATH:/usr/sbin:/sbin
umadrig run "$@" "$here/failover.mad"
