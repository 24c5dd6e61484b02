#!/bin/sh
# The benchmark of ibnetdiscover and opensm works. Nothing is timed.
exec bash "$top_srcdir/tests/bench/clients" --smoke
