#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-surroundings: what surrounds a session changes no byte. OpenSM brings a fabric up and two
# queries see it, each time with another environment, directory, limit, user, processor and so on:
# its log, the output and the capture are the same. make check-any has more sizes, and demands all
# of it but another libc: SURROUNDINGS_ROOT names a directory with the root of another release that
# has OpenSM and infiniband-diags; there the log and the MADs are the same.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"
. "$top_srcdir/tests/rig/real-root.sh"

PATH=$PATH:/usr/sbin:/sbin
export PATH
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
# A list of all tests, in make check: with some thousand bytes more an environment has more than
# 32 KiB, and the next size.
unset MAKEFLAGS MFLAGS
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of these programs"
fi
for program in opensm saquery; do
	command -v $program >/dev/null || tap_skip_all "no $program here"
done
setarch -R true 2>/dev/null || tap_skip_all "addresses cannot be fixed here"
# Another user has to pass.
chmod 755 . && chmod 777 tmp

# shellcheck disable=SC2016 # for the session's shell
session='OSM_TMP_DIR=. opensm -D 0x07 -f log >out & sleep 33
saquery >>out; saquery -p >>out
kill $!; wait; date >>out'
# FOLDER SURROUNDING...: one session, which leaves log, out and capture.pcapng in FOLDER.
once() {
	folder=$work/$1
	shift
	rm -rf "$folder"
	mkdir -p "$folder"
	chmod 777 "$folder"
	(cd "$folder" && "$@" timeout -s KILL 60 "$umadrig" exec --fabric \
		"generate:fat-tree:2,4,state=cold,clock=virtual,capture=capture.pcapng" -- \
		sh -c "$session" >/dev/null 2>err </dev/null)
	echo "status $?" >>"$folder/err"
}
# FOLDER: what of it is not as usual, and how it begins to differ.
differs() {
	for file in log out capture.pcapng; do
		cmp "$work/usual/$file" "$work/$1/$file" 2>&1 && continue
		cat "$work/$1/err"
		case $file in
		capture.pcapng) "$umadrig" diff "$work/usual/$file" "$work/$1/$file" ;;
		*) diff "$work/usual/$file" "$work/$1/$file" ;;
		esac | head -n 20
	done
}
# NAME SURROUNDING...
row() {
	name=$1
	shift
	once other "$@"
	tap_is "$name" "$(differs other)" ""
}
# NAME SURROUNDING...: the same, if the machine can make it.
row_if() {
	name=$1
	shift
	if "$@" true >/dev/null 2>&1; then
		row "$name" "$@"
	else
		any_lacks "$name" "$* cannot be had here"
	fi
}

once usual env
tap_has "a fabric is brought up" "$(cat usual/log)" "SUBNET UP"
tap_has "and seen" "$(cat usual/out)" "PathRecord"

sizes="1 7 1001 4095" lengths="1 8 61"
if [ -n "${ANY_ALL:-}" ]; then
	sizes=$(seq 1 117 4096) lengths=$(seq 1 17)
fi
for size in $sizes; do
	row "an environment that is $size bytes longer" env A="$(printf "%0${size}d" 0)"
done
row "one that has seven variables more" env A= B= C= D= E= F= G=
row "and one that is nearly empty" env -i PATH="$PATH" TMPDIR="$TMPDIR"
for length in $lengths; do
	longer=$work/tmp/$(printf "%0${length}d" 0)
	mkdir -m 777 "$longer"
	row "TMPDIR, longer by $((length + 1))" env TMPDIR="$longer"
done
once "$(printf %077d 0)/other" env
tap_is "another directory" "$(differs "$(printf %077d 0)/other")" ""
row "a longer PATH" env PATH="$PATH:/$(printf %0999d 0)"
# shellcheck disable=SC2016 # for sh
for size in 4096 16384 unlimited; do
	row_if "a stack of $size KiB" sh -c 'ulimit -S -s "$0" && exec "$@"' "$size"
done
# shellcheck disable=SC2016
row_if "fewer descriptors" sh -c 'ulimit -S -n 256 && exec "$@"' -
# shellcheck disable=SC2016
row "some that are open already" sh -c 'exec "$@" 3</dev/null 4</dev/null 7</dev/null' -
for personality in addr-compat-layout read-implies-exec whole-seconds uname-2.6; do
	row_if "personality $personality" setarch --$personality
done
# shellcheck disable=SC2016
row "another mask for files" sh -c 'umask 077; exec "$@"' -
row "less urgent" nice -n 19
row_if "the last processor" taskset -c "$(($(nproc) - 1))"
row "another time zone" env TZ=Asia/Tokyo
row "another language and terminal" env LC_ALL=C LANG=de_DE.UTF-8 TERM=dumb
row_if "no terminal" setsid -w
# shellcheck disable=SC2016
row_if "another name of the machine" unshare -ru sh -c 'hostname another && exec "$@"' -
row_if "process numbers from 1 on" unshare -rpf
# shellcheck disable=SC2016
row_if "process numbers beyond 30,000" unshare -rpf --mount-proc sh -c \
	'echo 30000 >/proc/sys/kernel/ns_last_pid && "$@"' -
if is_real_root && setpriv --reuid 12345 --regid 12345 --clear-groups test -x "$umadrig" \
	2>/dev/null; then
	row "another user" setpriv --reuid 12345 --regid 12345 --clear-groups
else
	any_lacks "another user" "only root can become one, and all have to be able to read the build"
fi
for size in 0 40001; do
	{ cat /etc/ld.so.cache; head -c $size /dev/zero; } >cache.$size
	[ $size != 0 ] || : >cache.0
	# shellcheck disable=SC2016
	row_if "ld.so's cache, $size bytes longer, or none" unshare -rm sh -c \
		'mount --bind "$0" /etc/ld.so.cache && exec "$@"' "$work/cache.$size"
done
elsewhere=$work/a/directory/with/another/name
mkdir -p "$elsewhere"
if cp -R "$top_builddir/.libs" "$top_builddir/umadrig-stand-in" "$elsewhere" 2>/dev/null; then
	built=$umadrig umadrig=$elsewhere/.libs/umadrig
	row "another place of the libraries" env LD_LIBRARY_PATH="$elsewhere/.libs"
	umadrig=$built
	rm -rf "$elsewhere"
else
	tap_skip "another place of the libraries" "they are not built in .libs"
fi
while :; do :; done &
busy="$!"
while :; do :; done &
busy="$busy $!"
row "beside two busy loops" env
# shellcheck disable=SC2086 # words
kill $busy
# shellcheck disable=SC2086
wait $busy 2>/dev/null

# Other libraries lie elsewhere, and so do numbers of threads; they look at other files.
if [ -z "${SURROUNDINGS_ROOT:-}" ]; then
	tap_skip "another libc" "SURROUNDINGS_ROOT names no root of another release"
else
	cat >enter <<'END'
mount --bind "$2" "$1/mnt" && mount --bind . "$1/srv" && mount -t proc proc "$1/proc" &&
	mount -t tmpfs none "$1/tmp" && mount --bind /dev/shm "$1/dev/shm" || exit 99
root=$1
shift 2
exec chroot "$root" env LD_LIBRARY_PATH=/mnt/.libs TMPDIR=/tmp sh -c 'cd /srv && exec "$@"' - "$@"
END
	umadrig=/mnt/.libs/umadrig
	once other unshare -m sh "$work/enter" "$SURROUNDINGS_ROOT" "$top_builddir"
	umadrig=$top_builddir/umadrig
	for folder in usual other; do
		sed 's/ \[[0-9A-F]*\] / /' $folder/log >$folder/lines 2>other/err
	done
	tap_ok "another libc: the same log, but for numbers of threads" cmp usual/lines other/lines
	tap_ok "another libc: the same output" cmp usual/out other/out
	tap_is "another libc: the same MADs" \
		"$("$umadrig" diff usual/capture.pcapng other/capture.pcapng 2>&1 | grep -c '^no difference')" 1
fi
tap_done
