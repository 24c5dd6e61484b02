# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/release: what a release promises, and how it is made.
EXTRA_DIST += tests/release/record tests/release/umadrig.h.txt tests/release/versions
TESTS += tests/release/api-abi.sh tests/release/attach-versions.sh tests/release/dist.sh \
	tests/release/promises.sh tests/release/release.sh
EXTRA_DIST += tests/release/api-abi.sh tests/release/attach-versions.sh tests/release/dist.sh \
	tests/release/promises.sh tests/release/release.sh
