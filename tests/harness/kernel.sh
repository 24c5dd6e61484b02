#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kernel: umadrig kernel, with a compiler of our own that makes no kernels; and what runs on a
# kernel says so.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

libs=$top_builddir/.libs
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
unset UMAD_BACKEND UMADRIG_HOST CC
kernels=$work/cache/umadrig/kernels

# ---- building ----

# What stands for kmod-stub/linux/: it says how it was called, and its "kernel" is a file of ours.
mkdir -p files/kmod-stub/linux
cat >files/kmod-stub/linux/build <<EOT
echo "\$*" >>"$work/calls"
tree= output=
while [ \$# -gt 0 ]; do
	case \$1 in
	--tree) tree=\$2 ;;
	--output) output=\$2 ;;
	esac
	shift
done
ls "\$tree/drivers/infiniband/core" "\$tree/include/rdma" >"$work/seen"
if grep -q NEW "\$tree/drivers/infiniband/core/mad.c"; then
	echo "new_lock drivers/infiniband/core/mad.c:1"
	echo "newer_list drivers/infiniband/core/mad.c:2"
	exit 3
fi
if grep -q BROKEN "\$tree/drivers/infiniband/core/mad.c"; then
	echo "mad.c:1: error: that is no C" >&2
	exit 1
fi
grep -q SILENT "\$tree/drivers/infiniband/core/mad.c" && kill -9 \$\$
cp "$libs/kernel-6-12.so" "\$output"
EOT
UMADRIG_KERNEL_FILES=$work/files
export UMADRIG_KERNEL_FILES

core=drivers/infiniband/core
# DIRECTORY: a tree.
make_tree() {
	mkdir -p "$1/$core" "$1/include/rdma" "$1/fs"
	printf '# SPDX\nVERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 117\nEXTRAVERSION =\nNAME = X\n' \
		>"$1/Makefile"
	for file in mad mad_rmpp smi agent user_mad cma; do
		echo "int $file;" >"$1/$core/$file.c"
	done
	echo "int header;" >"$1/include/rdma/ib_mad.h"
	echo "int other;" >"$1/fs/file.c"
}
make_tree linux
calls() {
	[ ! -e calls ] || cat calls
	rm -f calls
}

out=$("$umadrig" kernel build linux 2>err)
tap_is "build" "$?:$(cat err)" 0:
built=$out
tap_is "the file is in the cache, by release and hash" \
	"$(echo "$out" | sed 's/[0-9a-f]\{16\}/HASH/')" "$kernels/linux-6.12.117-HASH.so"
hash=$(basename "$out" .so)
hash=${hash##*-}
said=$(calls)
tap_has "the script was called with the tree" "$said" "--tree $work/linux --output $kernels/"
tap_has "and what it is" "$said" "--release 6.12.117 --identity $hash --cc "
tap_is "nothing else is left in the cache" "$(ls "$kernels")" "linux-6.12.117-$hash.so"
tap_is "again: it is taken from there" "$("$umadrig" kernel build ./linux/):$(calls)" "$out:"
touch linux/$core/mad.c linux/fs/more.c
tap_is "whatever else is changed" "$("$umadrig" kernel build linux):$(calls)" "$out:"
for file in linux/$core/smi.c linux/include/rdma/ib_mad.h files/kmod-stub/linux/build; do
	echo "# more" >>"$file"
	"$umadrig" kernel build linux >other
	tap_has "a change of $file is built" "$(calls)" "--tree $work/linux "
done
tap_is "so there are four" "$(ls "$kernels" | wc -l)" 4

out=$("$umadrig" kernel build --sanitize --debug --coverage --races linux)
tap_has "options are in the name" "$out" "+sanitize+races+coverage+debug.so"
tap_has "and are passed on" "$(calls)" "--sanitize --races --coverage --debug"
out=$(CC='gcc -m64' "$umadrig" kernel build -o mine.so linux)
tap_is "-o" "$out:$(cmp mine.so "$libs/kernel-6-12.so" && echo same)" "$work/mine.so:same"
tap_has "CC is the compiler" "$(calls)" "--cc gcc -m64"

# ---- archives ----

tar -cJf linux.tar.xz linux
"$umadrig" kernel build linux >plain
tap_is "an archive is the same kernel" "$("$umadrig" kernel build linux.tar.xz)" "$(cat plain)"
sed -i 's/int mad;/int mad2;/' linux/$core/mad.c
tar -cJf linux.tar.xz linux
"$umadrig" kernel build linux.tar.xz >packed
tap_has "another archive is built" "$(calls)" "--tree $work/tmp/umadrig-kernel-"
tap_lacks "without what no build reads" "$(cat seen)" "cma.c"
tap_is "what was unpacked is gone" "$(ls tmp)" ""
if command -v dpkg-deb >/dev/null 2>&1; then
	mkdir -p deb/DEBIAN deb/usr/src
	printf 'Package: linux-source-6.12\nVersion: 1\nArchitecture: all\nMaintainer: x <x@y>\nDescription: x\n' \
		>deb/DEBIAN/control
	chmod 755 deb/DEBIAN	# dpkg-deb insists
	cp linux.tar.xz deb/usr/src/linux-source-6.12.tar.xz
	dpkg-deb -b deb one.deb >/dev/null
	tap_is "a package is the same kernel" "$("$umadrig" kernel build ./one.deb)" "$(cat packed)"
else
	tap_skip "a package is the same kernel" "no dpkg-deb"
fi
tap_is "what was unpacked of it is gone" "$(ls tmp)" ""

# ---- what cannot be built ----

# NAME STATUS MESSAGE COMMAND...
refused() {
	name=$1 status=$2 message=$3
	shift 3
	out=$("$@" 2>&1)
	tap_is "$name: status" $? "$status"
	tap_has "$name: message" "$out" "$message"
}
before=$(ls "$kernels")
echo NEW >>linux/$core/mad.c
refused "interfaces are missing" 3 "linux (linux-6.12.117) needs interfaces of the kernel that this umadrig does not have:
new_lock drivers/infiniband/core/mad.c:1
newer_list drivers/infiniband/core/mad.c:2" "$umadrig" kernel build linux
sed -i '/NEW/d' linux/$core/mad.c
echo BROKEN >>linux/$core/mad.c
refused "it does not compile" 125 "linux (linux-6.12.117) cannot be built: mad.c:1: error: that is no C" \
	"$umadrig" kernel build linux
refused "nor in a run" 125 "umadrig run: --kernel ./linux: nothing was run: ./linux (linux-6.12.117) cannot be built: " \
	"$umadrig" run --kernel ./linux "$top_srcdir/scenarios/rmpp/lost.mad"
sed -i 's/BROKEN/SILENT/' linux/$core/mad.c
refused "without a word" 125 "cannot be built: kmod-stub/linux/build was ended by signal 9 (Killed)" \
	"$umadrig" kernel build linux
rm linux/$core/mad.c linux/$core/agent.c
refused "files are missing" 125 "linux is no kernel tree: it lacks drivers/infiniband/core/mad.c, drivers/infiniband/core/agent.c" \
	"$umadrig" kernel build linux
make_tree linux
echo "all:" >linux/Makefile
refused "the release is missing" 125 "its Makefile has no VERSION, PATCHLEVEL and SUBLEVEL" \
	"$umadrig" kernel build linux
refused "a directory is missing" 125 "nowhere: there is no such tree, archive or package" "$umadrig" kernel build nowhere
refused "a package is missing" 125 "linux-source-0.1: there is no such tree, archive or package: apt-get install linux-source-0.1" \
	"$umadrig" kernel build linux-source-0.1
echo "no archive" >broken.tar.xz
refused "an archive is broken" 125 "broken.tar.xz: cannot be unpacked: " "$umadrig" kernel build broken.tar.xz
make_tree linux
echo "int changed;" >>linux/$core/agent.c
mkdir bin
for program in sh cp ls grep tar; do
	ln -s "$(command -v $program)" bin/$program
done
refused "no compiler" 125 "there is no C compiler: install the package gcc" env PATH="$work/bin" "$umadrig" kernel build linux
refused "no shim" 125 "install umadrig whole, or set UMADRIG_KERNEL_FILES" \
	env UMADRIG_KERNEL_FILES="$work/tmp" "$umadrig" kernel build linux
refused "two sources" 2 "build takes one SOURCE" "$umadrig" kernel build linux linux
refused "no action" 2 "expected build, list or remove" "$umadrig" kernel
refused "another action" 2 "unknown action 'make'" "$umadrig" kernel make
refused "an option of another action" 2 "--json is for list" "$umadrig" kernel build --json linux
tap_is "nothing of all that is left" "$(ls "$kernels"):$(ls tmp)" "$before:"

# ---- list and remove ----

"$umadrig" kernel list >list
tap_is "list has a line for each" "$(wc -l <list)" "$(ls "$kernels" | wc -l)"
tap_has "with name, hash and file" "$(cat list)" "$(printf 'linux-6.12.117\t%s\t%s' "$hash" "$built")"
if command -v python3 >/dev/null 2>&1; then
	tap_is "so has --json" "$("$umadrig" kernel list --json | python3 -c '
import json, sys
for one in json.load(sys.stdin)["kernels"]:
    print("linux-" + "+".join([one["release"]] + one["options"]), one["identity"], one["file"], sep="\t")')" \
		"$(cat list)"
else
	tap_skip "so has --json" "no python3"
fi
tap_is "remove one by its hash" "$("$umadrig" kernel remove "6.12.117-$hash")" "$built"
tap_ok "it is gone" test ! -e "$built"
refused "a kernel that is not there" 1 "no kernel '6.13' has been built" "$umadrig" kernel remove 6.13
refused "no kernel" 2 "remove takes one NAME" "$umadrig" kernel remove
"$umadrig" kernel remove 6.12 >removed
tap_is "remove all of a release, built without options" "$("$umadrig" kernel list | cut -f1)" \
	"linux-6.12.117+sanitize+races+coverage+debug"
mkdir -p "$kernels/objects-1/2"
"$umadrig" kernel remove --all >removed
tap_is "remove all" "$("$umadrig" kernel list):$(ls "$kernels")" :

# ---- runs ----

cat >some.mad <<'END'
scenario "any kernel"
0 note "text"

scenario "its own"
profile linux-6.1, linux-7.2
0 note "text"

scenario "others"
profile linux-6.12, linux-6.17
0 note "text"

scenario "fails"
0 fd = umad_open_port($CA, $PORT)
+0 a = umad_register(fd, class=4) = -EPERM
END
"$umadrig" run --kernel "$libs/kernel-6-12.so" --keep kept --json run.json --junit run.xml some.mad >out 2>err
tap_is "a run on a kernel: status" $? 1
first=$(grep -m 1 '^# ' out)
tap_has "its first line names the kernel" "$first" \
	"backend sim, virtual clock, kernel linux-6.12.117 (0123456789abcdef); "
tap_has "and its ways" "$first" "profile linux-6.1"
tap_has "so does the line of the simulation" "$(cat err)" ", kernel linux-6.12.117), host H1"
tap_has "scenarios about others are skipped" "$(cat out)" \
	"others # SKIP needs linux-6.12 or linux-6.17: linux-6.12.117 has the ways of linux-6.1"
tap_is "all others run" "$(grep -c '^ok .*\(any kernel\|its own\)$' out)" 2
tap_has "a failure names it" "$(cat out)" "sim, virtual clock, kernel linux-6.12.117"
tap_has "and has it to be run again" "$(cat out)" "umadrig run --kernel $libs/kernel-6-12.so --seed "
tap_has "JSON has it" "$(cat run.json)" '"kernel":"linux-6.12.117","kernel_identity":"0123456789abcdef"'
tap_has "JUnit has it" "$(cat run.xml)" "kernel linux-6.12.117 (0123456789abcdef)"
tap_is "captures have it" "$(grep -l 'kernel linux-6.12.117' kept/*.pcapng | wc -l)" 3
out=$("$umadrig" run --kernel "$libs/kernel-6-12.so" --explain some.mad)
tap_is "--explain has it, at each point" "$(echo "$out" | grep -c '; kernel linux-6.12.117$')" 4
tap_has "and what is skipped" "$out" "  is skipped: needs linux-6.12 or linux-6.17: "
out=$("$umadrig" run --kernel "$libs/kernel-5-10.so" some.mad 2>&1)
tap_has "another kernel has others" "$out" "its own # SKIP needs linux-6.1 or linux-7.2: linux-5.10.262 has the ways of linux-6.12"

make_tree linux
out=$(cd linux && "$umadrig" run --kernel . ../some.mad 2>err)
tap_has "a tree is built" "$(cat linux/err)" "umadrig run: built of .: $kernels/linux-6.12.117-"
tap_has "and run" "$out" "kernel linux-6.12.117 ("
calls >/dev/null
out=$("$umadrig" run --kernel ./linux some.mad 2>err)
tap_is "or taken from the cache" "$(calls):$(grep -c 'built of' err)" ":0"
out=$("$umadrig" run --kernel 6.12 some.mad 2>&1)
tap_has "as by its name" "$out" "kernel linux-6.12.117 ("

# NAME MESSAGE OPTION...: nothing is run.
refused_run() {
	name=$1 message=$2
	shift 2
	out=$("$umadrig" run "$@" some.mad 2>err)
	tap_is "$name: status and output" "$?:$out" 2:
	tap_has "$name: message" "$(cat err)" "$message"
}
refused_run "no file" "--kernel ./none.so: nothing was run: $work/none.so: No such file or directory: 'umadrig kernel build TREE' makes one" \
	--kernel ./none.so
refused_run "no kernel" "--kernel ./out: nothing was run: $work/out: not a kernel: no ELF file: " --kernel ./out
refused_run "another ABI" "a kernel for another umadrig" --kernel "$libs/kernel-other-abi.so"
refused_run "no name" "no kernel '7.9' has been built (there is linux-6.12.117): " --kernel 7.9
refused_run "with a profile" "--kernel excludes --profile" --kernel 6.12 --profile linux-6.1
refused_run "blessed" "--bless excludes --seed, --schedule, --profile and --kernel" --bless --kernel 6.12
refused_run "real ports" "--kernel is for the simulator" --kernel 6.12 --backend ib_umad --port A=x/1
cp "$libs/kernel-6-12.so" "a,b.so"
refused_run "a comma" "without a comma in its name" --kernel "./a,b.so"

# ---- programs ----

refused "exec: no kernel" 125 "kernel=7.9: no kernel '7.9' has been built" "$umadrig" exec --fabric ,kernel=7.9 -- true
refused "exec: two for all" 125 "there is another one for all hosts" \
	"$umadrig" exec --fabric ",kernel=6.12,kernel=kmod-stub" -- true
out=$("$umadrig" exec --fabric ",kernel=H2:6.12" --host H2 -- true 2>&1)
tap_has "exec names the kernel of its host" "$out" ", kernel linux-6.12.117), host H2"
out=$("$umadrig" exec --fabric ",kernel=H2:6.12" -- true 2>&1)
tap_lacks "and none where it is kmod-stub" "$out" ", kernel"
"$umadrig" record --fabric ",kernel=H2:6.12" -o bundle -- true >out 2>&1
tap_has "a bundle has it" "$(cat bundle/environment.txt)" "kernel: H2:linux-6.12.117 0123456789abcdef"
tap_ok "and its capture" grep -qa "kernels kmod-stub at H1, linux-6.12.117 at H2" bundle/capture.pcapng

# ---- --kernel of the commands that run programs ----

# COMMAND OPTION...: has it run a program that leaves a file.
start() {
	command=$1
	shift
	rm -rf started kept
	case $command in
	serve) ;;
	exec) set -- "$@" -- touch started ;;
	*) set -- "$@" -o kept -- touch started ;;
	esac
	"$umadrig" "$command" "$@"
}
for command in exec serve explore record; do
	refused "$command: no file" 2 "umadrig $command: --kernel ./none.so: nothing was run: $work/none.so: No such file or directory: 'umadrig kernel build TREE' makes one" \
		start $command --kernel ./none.so
	refused "$command: no kernel" 2 "umadrig $command: --kernel 7.9: nothing was run: no kernel '7.9' has been built" \
		start $command --kernel 7.9
	refused "$command: no tree" 125 "umadrig $command: --kernel ./tmp: nothing was run: ./tmp is no kernel tree: " \
		start $command --kernel ./tmp
	refused "$command: two for all" 125 ".so: there is another one for all hosts: " \
		start $command --kernel 6.12 --fabric ,kernel=kmod-stub
	refused "$command: with a profile" 125 ".so: profile= is of kmod-stub" \
		start $command --fabric ,profile=linux-7.2 --kernel 6.12
	tap_ok "$command: nothing was started" test ! -e started -a ! -e kept
done
refused "exec: the fabric of a server" 2 "--kernel is for a fabric of its own" \
	start exec --kernel 6.12 --attach "$work/socket"
refused "record: the fabric of a server" 2 "--attach excludes --fabric and --kernel" \
	start record --kernel 6.12 --attach "$work/socket"
refused "record: real devices" 2 "--backend ib_umad excludes --fabric, --kernel, " \
	start record --kernel 6.12 --backend ib_umad
refused "record: a scenario" 2 "a scenario is of no kernel" "$umadrig" record --kernel 6.12 -o new.mad -- true
refused "record: a scenario of such a fabric" 2 "a scenario is of no kernel" \
	"$umadrig" record --fabric ,kernel=6.12 -o new.mad -- true

calls >/dev/null
echo "int more;" >>linux/$core/agent.c
out=$("$umadrig" exec --kernel ./linux --fabric ,capture=one.pcapng -- true 2>&1)
tap_has "exec: a tree is built" "$out" "umadrig exec: built of ./linux: $kernels/linux-6.12.117-"
tap_has "and hosts run it" "$out" ", kernel linux-6.12.117), host H1"
tap_ok "the capture says so" grep -qa "kernel linux-6.12.117" one.pcapng
calls >/dev/null
out=$("$umadrig" exec --kernel ./linux --fabric ,kernel=H2:kmod-stub --host H2 -- true 2>&1)
tap_lacks "but those that are named" "$out" ", kernel "
tap_is "it is there already" "$(calls)" ""
"$umadrig" record --kernel 6.12 -o whole -- true >out 2>&1
tap_has "record: a bundle has it" "$(cat whole/environment.txt)" "kernel: linux-6.12.117 0123456789abcdef"

out=$("$umadrig" explore --runs 2 --no-shrink -o failures --fabric ,clock=real --kernel 6.12 -- false 2>err)
tap_is "explore: a failure" "$?:$(cat err)" 1:
tap_ok "its capture has it" grep -qa "kernel linux-6.12.117" failures/failure-000001/capture.pcapng
command=$(sed 's/^umadrig //' failures/failure-000001/command)
tap_has "so has its command" "$command" ",kernel=$kernels/linux-6.12.117-"
again=$(eval "'$umadrig' $command" </dev/null 2>&1)
again=$(printf '%s\n' "$again" | sed -n 's/^  kept in: *//p')
tap_ok "which repeats it" grep -qa "kernel linux-6.12.117" "$again/capture.pcapng"

mkfifo ready
"$umadrig" serve --kernel 6.12 --socket "$work/socket" >ready 2>err &
server=$!
read -r line <ready
out=$("$umadrig" exec --attach "$work/socket" -- true 2>&1)
kill -TERM $server
wait $server
tap_is "serve: it is ready" "$line" "UMAD_BACKEND=attach:$work/socket"
tap_has "its hosts run it" "$out" ", kernel linux-6.12.117"
tap_done
