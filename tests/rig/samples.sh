# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# samples.sh: captures for tests that read one. Sourced after tap.sh.
#
# sample_make DIR writes DIR/sample.pcapng, which tests/data/sample.mad describes. real_sample is a
# capture of real hardware where ../shared/captures is beside the tree, otherwise empty: the tests
# do not need it, but read it as well.

real_sample=$top_srcdir/../shared/captures/infiniband-erf-wireshark-sample.pcap
[ -r "$real_sample" ] || real_sample=

sample_make() {
	"$top_builddir/umadrig" run --keep "$1" "$top_srcdir/tests/data/sample.mad" \
		>"$1/sample.tap" 2>&1 || { sed 's/^/# /' "$1/sample.tap"; exit 99; }
}
