#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The benchmark of kernels works; kmod-stub in a shared object is its kernel. No figure is judged.
exec bash "$top_srcdir/tests/bench/kernels" --smoke
