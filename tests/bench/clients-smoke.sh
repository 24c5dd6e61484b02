#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark of ibnetdiscover and opensm works. Nothing is timed.
exec bash "$top_srcdir/tests/bench/clients" --smoke
