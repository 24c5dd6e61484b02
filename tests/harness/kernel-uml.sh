#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kernel-uml: umadrig kernel build --uml without a build: what it copies of a tree, what it says is
# missing, and how what it has built is called. What is built boots in make check-kernels.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

[ "$(uname -m)" = x86_64 ] || tap_skip_all "User-mode Linux is built on x86_64 only"
hca=$top_srcdir/kmod-stub/linux/hca
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
unset CC UMADRIG_KERNEL_FILES
kernels=$work/cache/umadrig/kernels

# ---- a tree, and a make(1) that builds whatever it is told ----

core=drivers/infiniband/core
make_tree() {
	mkdir -p "$1/$core" "$1/drivers/infiniband/sw" "$1/arch/um" "$1/arch/x86/um" "$1/arch/arm" \
		"$1/include/rdma" "$1/include/linux" "$1/drivers/gpu/drm" "$1/Documentation/x"
	printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 3\nEXTRAVERSION =\n' >"$1/Makefile"
	for file in mad mad_rmpp smi agent user_mad; do
		echo "int $file;" >"$1/$core/$file.c"
	done
	echo "int header;" >"$1/include/rdma/ib_mad.h"
	echo "#define L" >"$1/include/linux/linux"
	echo 'obj-y += rxe/' >"$1/drivers/infiniband/sw/Makefile"
	echo 'all:' >"$1/arch/um/Makefile"
	echo 'config UML' >"$1/arch/um/Kconfig"
	echo 'config ARM' >"$1/arch/arm/Kconfig"
	echo 'int arm;' >"$1/arch/arm/file.c"
	echo 'int drm;' >"$1/drivers/gpu/drm/drm.c"
	echo 'obj-y += drm.o' >"$1/drivers/gpu/drm/Makefile"
	echo 'text' >"$1/Documentation/x/text"
	printf '	DEFINE_LONGS(HOST_FP_SIZE, 2696);\n' >"$1/arch/x86/um/user-offsets.c"
}
make_tree linux
mkdir bin
cat >bin/make <<EOT
#!/bin/sh
# allnoconfig: whatever is wanted comes true, but what is in $work/refused; linux: an image.
tree= objects= wanted=
while [ \$# -gt 0 ]; do
	case \$1 in
	-C) tree=\$2; shift ;;
	O=*) objects=\${1#O=} ;;
	KCONFIG_ALLCONFIG=*) wanted=\${1#*=} ;;
	allnoconfig) grep -v -f "$work/refused" "\$wanted" >"\$objects/.config" ;;
	linux)
		[ ! -e "$work/broken" ] || { echo "mad.c:1: error: that is no C"; exit 2; }
		(cd "\$tree" && find . -type f | sort) >"$work/copied"
		cp "\$tree/drivers/infiniband/sw/Makefile" "$work/line"
		cp "\$objects/.config" "$work/config"
		cp "\$tree/arch/x86/um/user-offsets.c" "$work/registers"
		cp /bin/true "\$objects/linux" ;;
	esac
	shift
done
EOT
chmod +x bin/make
for program in flex bison bc; do
	printf '#!/bin/sh\n' >bin/$program && chmod +x bin/$program
done
echo '^CONFIG_NOTHING' >refused
PATH=$work/bin:$PATH
export PATH

# ---- building ----

out=$("$umadrig" kernel build --uml linux 2>err)
tap_is "build" "$?" 0
tap_has "it says that it takes its time" "$(cat err)" "linux-6.12.3 is built whole, which takes minutes; the log is $kernels/uml-"
tap_is "the image is in the cache, by release and hash" \
	"$(echo "$out" | sed 's/[0-9a-f]\{16\}/HASH/')" "$kernels/linux-6.12.3-HASH.uml"
tap_ok "it is a program" test -x "$out"
tap_is "nothing else is left" "$(ls "$kernels"):$(ls tmp)" "$(basename "$out"):"
tap_has "the driver was there" "$(cat copied)" ./drivers/infiniband/sw/umadrig_hca/hca-fabric.c
tap_is "and a line for it" "$(cat line)" "obj-y += rxe/
obj-y += umadrig_hca/"
tap_has "a name that build products have elsewhere is copied" "$(cat copied)" ./include/linux/linux
tap_has "so are Kconfig files of everything" "$(cat copied)" ./arch/arm/Kconfig
tap_has "and Makefiles" "$(cat copied)" ./drivers/gpu/drm/Makefile
tap_lacks "but no code that no guest can have" "$(cat copied)" drm.c
tap_lacks "of no other machine" "$(cat copied)" arch/arm/file.c
tap_lacks "and no documentation" "$(cat copied)" Documentation/x
tap_has "floating point registers as large as any processor's, which is said" "$(tr '\n' ' ' <err)" \
	"room for 2696 bytes of floating point registers, and a processor with AMX needs more: the copy of arch/x86/um/user-offsets.c says 11264"
tap_has "and it is so" "$(cat registers)" "HOST_FP_SIZE, 11264"
tap_has "and stacks have room for them" "$(cat config)" "CONFIG_KERNEL_STACK_ORDER=3"
tap_is "the tree is as it was" "$(cat linux/drivers/infiniband/sw/Makefile linux/arch/x86/um/user-offsets.c)" \
	"obj-y += rxe/
	DEFINE_LONGS(HOST_FP_SIZE, 2696);"
for name in UML_TIME_TRAVEL_SUPPORT VIRTIO_UML INFINIBAND_USER_MAD HOSTFS; do
	tap_has "the configuration has $name" "$(cat config)" "CONFIG_$name=y"
done
: >copied
tap_is "again: it is taken from there" "$("$umadrig" kernel build --uml linux 2>&1):$(cat copied)" "$out:"
mkdir asks && cp -R linux/. asks
printf '	DEFINE(HOST_FP_SIZE, host_fp_size);\n' >asks/arch/x86/um/user-offsets.c
"$umadrig" kernel build --uml asks >/dev/null 2>err
tap_lacks "a release that asks the processor: nothing is changed" "$(cat err registers config)" 11264
tap_lacks "nor its stacks" "$(cat config)" CONFIG_KERNEL_STACK_ORDER
echo "int more;" >linux/drivers/infiniband/more.c
other=$("$umadrig" kernel build --uml linux 2>err)
tap_ok "another file anywhere is another kernel" test "$other" != "$out"
echo "int drm2;" >linux/drivers/gpu/drm/drm.c
tap_is "but for one that no build reads" "$("$umadrig" kernel build --uml linux 2>&1)" "$other"
tar -cJf linux.tar.xz linux
packed=$("$umadrig" kernel build --uml linux.tar.xz 2>err)
tap_has "an archive" "$packed" "$kernels/linux-6.12.3-"
tap_has "has the same files" "$(cat copied)" ./arch/arm/Kconfig
tap_lacks "and not those" "$(cat copied)" drm.c

for option in kasan lockdep kcov edges debug; do
	made=$("$umadrig" kernel build --uml --$option linux 2>err)
	tap_has "--$option is in the name" "$made" "+$option.uml"
	while read -r line; do
		case $line in CONFIG_*) grep -qx "$line" config || tap_fail "--$option: $line" "not there" ;; esac
	done <"$hca/config/$option.config"
done
tap_has "several" "$("$umadrig" kernel build --uml --lockdep --kasan linux 2>/dev/null)" "+kasan+lockdep.uml"
tap_is "-o" "$("$umadrig" kernel build --uml -o mine linux 2>/dev/null):$(test -x mine && echo yes)" "$work/mine:yes"

# ---- list, and names ----

"$umadrig" kernel list >names
tap_has "list says that it is whole" "$(cat names)" "$(printf 'uml:linux-6.12.3+kasan\t')"
if command -v python3 >/dev/null 2>&1; then
	tap_is "so does --json" "$("$umadrig" kernel list --json | python3 -c '
import json, sys
print(all(one["uml"] for one in json.load(sys.stdin)["kernels"]))')" True
else
	tap_skip "so does --json" "no python3"
fi
before=$(ls "$kernels")
tap_has "without uml: it is another kind" "$("$umadrig" kernel remove 6.12 2>&1)" "no kernel '6.12' has been built"
tap_is "and stays" "$(ls "$kernels")" "$before"
tap_has "a run does not take it for one of the MAD layer" \
	"$("$umadrig" run --kernel 6.12 "$top_srcdir/scenarios/rmpp/lost.mad" 2>&1)" "no kernel '6.12' has been built (there are "
tap_has "with it, it is removed" "$("$umadrig" kernel remove uml:6.12+kcov)" "+kcov.uml"

# ---- what cannot be built ----

# NAME STATUS MESSAGE COMMAND...
refused() {
	name=$1 status=$2 message=$3
	shift 3
	out=$("$@" 2>&1)
	tap_is "$name: status" $? "$status"
	tap_has "$name: message" "$out" "$message"
}
refused "--kcsan" 3 "User-mode Linux has no KCSAN" "$umadrig" kernel build --uml --kcsan linux
refused "two that count" 3 "--kcov and --edges: " "$umadrig" kernel build --uml --kcov --edges linux
refused "options of the other kind" 2 "build --uml has --kasan" "$umadrig" kernel build --uml --sanitize linux
refused "and the other way round" 2 "are for whole kernels: build --uml" "$umadrig" kernel build --kasan linux
refused "another action" 2 "are for build" "$umadrig" kernel list --uml
mkdir few
for program in sh ls cp rm cat tar xz sed grep awk df sort find mkdir mktemp dirname basename uname sha256sum head tail \
	printf cut tr getconf; do
	path=$(command -v $program) && case $path in /*) ln -s "$path" few/$program ;; esac
done
refused "programs are missing" 3 "not on this machine: gcc make ld flex bison bc. On Debian: apt-get install gcc make binutils flex bison bc" \
	env PATH="$work/few" CC=gcc "$umadrig" kernel build --uml --debug -o x linux
mkdir elsewhere
printf '#!/bin/sh\necho aarch64\n' >elsewhere/uname && chmod +x elsewhere/uname
refused "another architecture" 3 "x86_64 only, and this is aarch64: build there and copy the image" \
	env PATH="$work/elsewhere:$PATH" "$umadrig" kernel build --uml --debug -o x linux
tap_is "before anything is copied" "$(find cache -name source -o -name objects)" ""

# What other machines have is put over this one's in a name space of its own.
# MOUNTS COMMAND...
over() {
	mounts=$1
	shift
	unshare -rm sh -c "$mounts"' && exec "$@"' sh "$@"
}
# IMAGE: a fabric with a guest of it.
cat >fabric <<'EOT'
"$umadrig" exec --fabric ",clock=virtual,kernel=H1:uml:$1" --host H2 -- sh -c '"$umadrig" guest --host H1 -- true'
EOT
export umadrig
mkdir sealed
cp bin/make sealed/kernel
if ! over "mount -t tmpfs -o noexec none sealed" true 2>/dev/null; then
	tap_skip "noexec" "no name spaces of a user's own here (unshare -rm)"
else
	refused "a cache where nothing runs" 3 "no program runs there (the file system is mounted noexec?)" \
		over "mount -t tmpfs -o noexec,size=4g none $work/cache" \
		"$umadrig" kernel build --uml --debug --lockdep linux
	tap_has "with its cure" "$out" "set XDG_CACHE_HOME to a directory where they do"
	refused "a kernel where nothing runs" 125 "is a program that cannot run there: its file system is mounted noexec" \
		over "mount -t tmpfs -o noexec none sealed && cp bin/make sealed/kernel" sh fabric "$work/sealed/kernel"
	noexec="mount -t tmpfs -o noexec none /dev/shm && mount -t tmpfs -o noexec none $work/tmp"
	# shellcheck disable=SC2016 # for the guest's shell
	printf '#!/bin/sh\necho "its memory is in $TMPDIR"; exit 1\n' >dies && chmod +x dies
	tap_has "temporary directories that are noexec: another is taken" \
		"$(over "$noexec" sh fabric "$work/dies" 2>&1)" "its memory is in /tmp"
	case $top_builddir/ in
	/tmp/*) tap_skip "all temporary directories are noexec" "umadrig itself is below /tmp" ;;
	*)	refused "all temporary directories are noexec" 125 "neither TMPDIR nor /dev/shm nor /tmp may be: mounted noexec" \
			over "$noexec && mount --bind /tmp /tmp && mount -o remount,bind,noexec /tmp" sh fabric "$umadrig"
		tap_has "with its cure" "$out" "set TMPDIR to a directory that is not" ;;
	esac
fi
echo '^CONFIG_HOSTFS=' >refused
printf 'config HOSTFS\n\tbool\n' >linux/arch/um/Kconfig
refused "a tree that cannot be configured" 3 "6.12.3 cannot be configured with CONFIG_HOSTFS: what came of it is in " \
	"$umadrig" kernel build --uml linux
echo '^CONFIG_RSEQ' >refused
: >broken
refused "a tree that does not compile" 125 "cannot be compiled: mad.c:1: error: that is no C" "$umadrig" kernel build --uml linux
tap_is "what was copied is gone" "$(find "$kernels" -name '*.c' -o -name source -o -name image)" ""
rm broken
rm -r linux/arch/um
refused "a tree without it" 125 "not a whole kernel tree: arch/um/Makefile is not there" "$umadrig" kernel build --uml linux
tap_done
