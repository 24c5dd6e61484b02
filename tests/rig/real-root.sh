# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# real-root.sh: may a test become other users? As is_real_root() of real-root.h. Sourced.

# Root of a user namespace with that one user may not.
is_real_root() {
	[ "$(id -u)" = 0 ] && [ "$(awk '{ print $3; exit }' /proc/self/uid_map)" != 1 ]
}
