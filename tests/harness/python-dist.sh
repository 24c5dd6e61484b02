#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# python-dist: the wheel and the sdist of "make python-dist", installed by pip, which asks no index:
# the module finds the umadrig in PATH, built or installed, and says so where there is none.
set -u
. "$top_srcdir/tests/rig/tap.sh"
enough='import sys, setuptools, wheel, pip; sys.exit(sys.version_info < (3, 9))'
for python in "${PYTHON:-python3}" /usr/bin/python3 ''; do
	[ -n "$python" ] ||
		tap_skip_all "no Python with pip, setuptools and wheel (python3-pip, python3-wheel)"
	"$python" -c "$enough" 2>/dev/null && break
done
. "$top_srcdir/tests/rig/own-directory.sh"
unset UMADRIG_BUILD PYTHONPATH UMAD_BACKEND LD_LIBRARY_PATH
# pip's cache is in the home, which need not be writable.
export PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1
version=$("$umadrig" --version | sed 's/^umadrig //')

# Nothing of it in the build directory, which other tests use.
made=$(env -u MAKEFLAGS -u MFLAGS make -s --no-print-directory -C "$top_builddir" python-dist PYTHON="$python" pythondist="$work/build" 2>&1)
tap_is "make python-dist" "$?:$made" \
	"0:$work/build/dist/umadrig-$version-py3-none-any.whl $work/build/dist/umadrig-$version.tar.gz"
tap_has "the sdist has the licence" "$(tar -tf "$work/build/dist/umadrig-$version.tar.gz")" \
	"umadrig-$version/COPYING"

cat >ask.py <<'END'
import importlib.metadata
import umadrig
with umadrig.Fabric(",clock=virtual") as fabric, fabric.open() as port:
    answer = port.request(umadrig.Mad("SubnGet(NodeInfo)"), 2)
    print(umadrig.__version__, importlib.metadata.version("umadrig"), answer["NumPorts"])
points = importlib.metadata.entry_points()
print([one.value for one in (points.select(group="pytest11") if hasattr(points, "select")
                             else points["pytest11"]) if one.name == "umadrig"])
END
# PLACE NAME...: a PATH, and where the module finds what it needs.
places() {
	env PATH="$1:$PATH" PYTHONPATH="$work/wheel" "$python" -c '
import sys
from umadrig import library
print(*[library.place(name) for name in ("umadrig", "libumadrig.so.0", "libibumad.so.3")])' 2>&1 |
		tail -n 1
}
if [ -n "$(find "$top_builddir/.libs" -name 'libumadrig.so.0*' -exec nm -D {} + 2>/dev/null |
	grep -m 1 __asan_)" ]; then
	tap_skip "installed by pip" "Python does not load a library with sanitizers"
	tap_done
	exit
fi
for kind in wheel sdist; do
	case $kind in
	wheel) file=$work/build/dist/umadrig-$version-py3-none-any.whl ;;
	sdist) file=$work/build/dist/umadrig-$version.tar.gz ;;
	esac
	tap_ok "$kind: pip installs it" "$python" -m pip install -q --no-index --no-deps \
		--no-build-isolation --disable-pip-version-check --target "$work/$kind" "$file"
	tap_is "$kind: it runs, with the version of the command, and pytest finds its plugin" \
		"$(PATH=$top_builddir:$PATH PYTHONPATH=$work/$kind "$python" ask.py 2>err || cat err)" \
		"$version $version 1
['umadrig.pytest_plugin']"
	tap_ok "$kind: it is typed" test -e "$work/$kind/umadrig/py.typed"
done

# ---- where the libraries are ----

build=$(cd "$top_builddir" && pwd -P)
tap_is "a build in PATH" "$(places "$top_builddir")" \
	"$build/umadrig $build/.libs/libumadrig.so.0 $build/.libs/libibumad.so.3"
triple=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("MULTIARCH") or "lib")')
prefix=$(pwd -P)/prefix
for lib in lib lib64 "lib/$triple"; do
	rm -rf prefix
	mkdir -p prefix/bin "prefix/$lib/umadrig"
	printf '#!/bin/sh\n' >prefix/bin/umadrig
	chmod 755 prefix/bin/umadrig
	: >"prefix/$lib/libumadrig.so.0"
	: >"prefix/$lib/umadrig/libibumad.so.3"
	tap_is "an installation in PATH, with $lib" "$(places "$work/prefix/bin")" \
		"$prefix/bin/umadrig $prefix/$lib/libumadrig.so.0 $prefix/$lib/umadrig/libibumad.so.3"
done
rm "prefix/$lib/libumadrig.so.0"
tap_has "one that is not complete" "$(places "$work/prefix/bin")" "the installation is not complete"
tap_has "none" "$(PYTHONPATH=$work/wheel PATH=/nowhere "$python" -c 'import umadrig
umadrig.Fabric()' 2>&1)" "there is no command umadrig in PATH; install umadrig"
tap_done
