# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/upstream: bugs of other projects, mended there.
TESTS += tests/upstream/cache-lost-portinfo.sh tests/upstream/discovery-leak.sh \
	tests/upstream/dump-fts-port-128.sh tests/upstream/ibqueryerrors-direct-route.sh \
	tests/upstream/ibsim-lids.sh tests/upstream/ibsim-ndr.sh tests/upstream/ibsim-speed-0.sh \
	tests/upstream/ibsim-vendor-classes.sh tests/upstream/more-devices.sh \
	tests/upstream/kits.sh tests/upstream/port-down-by-name.sh \
	tests/upstream/port-guid-0.sh tests/upstream/router-port-down.sh
EXTRA_DIST += tests/upstream/cache-lost-portinfo.sh tests/upstream/discovery-leak.sh \
	tests/upstream/dump-fts-port-128.sh tests/upstream/ibqueryerrors-direct-route.sh \
	tests/upstream/ibsim-lids.sh tests/upstream/ibsim-ndr.sh tests/upstream/ibsim-speed-0.sh \
	tests/upstream/ibsim-vendor-classes.sh tests/upstream/more-devices.sh \
	tests/upstream/port-down-by-name.sh tests/upstream/port-guid-0.sh \
	tests/upstream/router-port-down.sh tests/upstream/upstream.sh tests/upstream/kits.sh
