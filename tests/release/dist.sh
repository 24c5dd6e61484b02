#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# dist: make dist of the same sources is the same archive to the byte, in directories of other names
# and lengths, with other modes and times of files, by another umask, and in another zone.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

tar --version 2>/dev/null | grep -q GNU || tap_skip_all "no GNU tar"
command -v xz >/dev/null || tap_skip_all "no xz"
# make check has its own flags, jobs and variables; a test's make has none of them.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES SOURCE_DATE_EPOCH XZ_OPT TAR

# DIRECTORY: the sources, as they would come from git.
sources() {
	mkdir -p "$1" && (cd "$top_srcdir" && tar -cf - --exclude=./.git --exclude='./build*/*' \
		--exclude=./autom4te.cache --exclude='*.o' --exclude='*.lo' --exclude='.libs' \
		--exclude='*.pyc' --exclude=./config.status --exclude=./Makefile .) | tar -xf - -C "$1"
	cp -R "$top_srcdir/build-aux" "$1/"
	chmod -R u+w "$1"
}
# SOURCES BUILD: make dist, whose archive is BUILD/umadrig-*.tar.xz
dist() {
	mkdir -p "$2" && (cd "$2" && "$1/configure" -q --cache-file="$work/cache" \
		CC="${CC:-cc}" && make -s dist XZ_OPT=-0) >log 2>&1 || { tail -n 20 log; return 1; }
}
here=$work/a/src there=$work/quite-another/directory/which-is-longer/source
sources "$here"
(
	umask 077
	sources "$there"
	chmod -R go-rwx "$there"
	# Everything a day older, in the same order.
	find "$there" -type f | while read -r file; do
		touch -d "@$(($(stat -c %Y "$file") - 86400))" "$file"
	done
)
tap_ok "make dist" dist "$here" "$work/a/build"
elsewhere() {
	(umask 077 && TZ=Asia/Tokyo && export TZ && dist "$there" "$work/quite-another/build")
}
tap_ok "make dist somewhere else" elsewhere
first=$(echo a/build/umadrig-*.tar.xz) second=$(echo quite-another/build/umadrig-*.tar.xz)
tap_ok "it is the same to the byte" cmp "$first" "$second"
tap_is "it has one time, and nobody's name" "$(tar --utc -tvJf "$first" | awk '{ print $2, $4, $5 }' | sort -u | wc -l)" 1
tap_is "what can be executed can be" "$(tar -tvJf "$first" | grep -c '^-rwxr-xr-x.*/\(configure\|quickstart\)$')" 2

# The time of all files, on a small tree.
mkdir -p small/debian
# NAME DATE: of the archive of small/
time_is() {
	tap_is "$1" "$("$top_srcdir/build-aux/dist-tar" small 2>&1 | tar --utc -tvf - 2>&1 | awk '{ print $4 }' |
		sort -u | tr '\n' ' ')" "$2 "
}
printf 'Changes in 0.1.0 (not yet released)\n\nChanges in 0.0.9 (2024-02-29)\n' >small/NEWS
printf 'umadrig (0.1.0-1)\n\n -- A <a@b.invalid>  Sun, 22 Nov 2026 08:00:00 +0000\n' >small/debian/changelog
time_is "no release so far: the packages' day" 2026-11-22
sed -i 's/not yet released/2026-12-24/' small/NEWS
time_is "a release: its day" 2026-12-24
SOURCE_DATE_EPOCH=86400
export SOURCE_DATE_EPOCH
time_is "SOURCE_DATE_EPOCH" 1970-01-02
SOURCE_DATE_EPOCH=soon
tap_is "which is a number" "$("$top_srcdir/build-aux/dist-tar" small 2>&1; echo $?)" \
	"dist-tar: no date: SOURCE_DATE_EPOCH='soon'
1"

tap_done
