#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# broken: each rule of tests/tidy/tidy fails where it is violated on purpose, names the place, and
# holds for a small tree that follows it.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/rig/tap.sh"
command -v python3 >/dev/null || tap_skip_all "no python3"
command -v nm >/dev/null || tap_skip_all "no nm"
export PYTHONDONTWRITEBYTECODE=1
: "${CC:=cc}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# REUSE-IgnoreStart
spdx='SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only'
# REUSE-IgnoreEnd

broken_rules=

# A file of the small tree, with its SPDX line; the text follows on standard input.
put() {
	mkdir -p "$(dirname "$work/tree/$1")"
	case $1 in
	*.[ch]) { printf '/* %s */\n' "$spdx"; cat; } ;;
	*.sh) { printf '#!/bin/sh\n# %s\n' "$spdx"; cat; } ;;
	*.py) { printf '# %s\n' "$spdx"; cat; } ;;
	*.md) { printf '<!-- %s -->\n' "$spdx"; cat; } ;;
	esac >"$work/tree/$1"
}

# A tree that follows all rules.
intact() {
	rm -rf "$work/tree" "$work/build"
	mkdir -p "$work/tree" "$work/build"
	put doc/architecture.md <<-'TEXT'
		| folder | what is in it | may use |
		|---|---|---|
		| `lib/base/` | bytes | |
		| `kmod-stub/` | a kernel | `lib/base/` |
		| `sim/fabric/` | cables | `kmod-stub/` |

		| module | what is in it |
		|---|---|
		| `errors.py` | errors |
		| `library.py` | a library |
	TEXT
	put python/umadrig/errors.py <<-'TEXT'
		import errno
	TEXT
	put python/umadrig/library.py <<-'TEXT'
		from .errors import errno
	TEXT
	put doc/linux-mad.md <<-'TEXT'
		## B
		### B.3 Sends
		1. A statement.
	TEXT
	put lib/base/wire.h <<-'TEXT'
		#ifndef UMADRIG_LIB_BASE_WIRE_H
		#define UMADRIG_LIB_BASE_WIRE_H
		enum wire_end { WIRE_BIG, WIRE_LITTLE };
		int wire_get(const unsigned char *bytes);
		#endif
	TEXT
	printf '# %s\nlib_SOURCES += lib/base/wire.h\n' "$spdx" >"$work/tree/lib/base/local.mk"
	put kmod-stub/mad-send.c <<-'TEXT'
		/* A send (linux-mad B.3, statement 1): see lib/base/wire.h. */
		#include <string.h>
		#include "lib/base/wire.h"
		int mad_send(const char *text);
		int mad_send(const char *text)
		{
			return text ? (int)strlen(text) : 0;
		}
	TEXT
	put sim/fabric/cable.c <<-'TEXT'
		#include "lib/base/wire.h"
		int mad_send(const char *text);
		int cable(const char *text);
		int cable(const char *text)
		{
			return mad_send(text);
		}
	TEXT
}

build() {
	(cd "$work/tree" && find . -name '*.c' | while read -r file; do
		object=$work/build/${file%.c}.o
		mkdir -p "$(dirname "$object")"
		$CC -w -I. -c -o "$object" "$file" || exit 1
	done)
}

check() {
	python3 "$top_srcdir/tests/tidy/tidy" --top "$work/tree" --build "$work/build" "$@"
}

# broken RULE PLACE: what was put since the last call violates the rule there.
broken() {
	broken_rules="$broken_rules$1
"
	build
	out=$(check "$1") && { tap_fail "$1: $2" "nothing was found" "$out"; return; }
	tap_has "$1: found at $2" "$out" "# $2"
	intact
}

intact
build
out=$(check) || :
tap_is "a small tree keeps them all" "$(printf '%s\n' "$out" | grep -c '^ok')" \
	"$(printf '%s\n' "$out" | sed -n 's/^1\.\.//p')"
tap_lacks "and none is skipped" "$out" SKIP
mkdir -p "$work/tree/python/.pytest_cache" "$work/tree/doc/examples/.mypy_cache/3.11"
echo '# a cache' >"$work/tree/python/.pytest_cache/README.md"
echo 'x = 1' >"$work/tree/doc/examples/.mypy_cache/3.11/x.py"
tap_is "caches of tools are no files of the tree" "$(check | grep -c '^ok')" \
	"$(printf '%s\n' "$out" | grep -c '^ok')"
intact
out=$(check nonsense 2>&1) && tap_fail "an unknown rule" "it is taken" "$out" ||
	tap_has "an unknown rule" "$out" "no such rule: nonsense"

printf '/* %0101d */\n' 0 | put sim/fabric/cable.c
broken width sim/fabric/cable.c:2
{ printf 'int f(void);\nint f(void)\n{\n'; yes '	f();' |
	head -n 69; printf '	return 0;\n}\n'; } | put sim/fabric/cable.c
broken length sim/fabric/cable.c:4
put sim/fabric/cable.c <<-'TEXT'
	#include <stddef.h>
	int f(char *p) { return p == NULL; }
TEXT
broken spelling sim/fabric/cable.c:3
printf 'int one;\n' >"$work/tree/sim/fabric/lane.c"
broken license sim/fabric/lane.c:1
put sim/fabric/cable.c <<-'TEXT'
	#include "lib/base/wire.h"
	int f(enum wire_end end);
	int f(enum wire_end end)
	{
		switch (end) {
		case WIRE_BIG:
			return 1;
		default:
			return 0;
		}
	}
TEXT
broken default sim/fabric/cable.c:9
put sim/fabric/cable.c <<-'TEXT'
	#include <stdlib.h>
	int f(const char *text);
	int f(const char *text) { return (int)strtoul(text, NULL, 0); }
TEXT
broken literals sim/fabric/cable.c:4
put sim/fabric/cable.c <<-'TEXT'
	#include <string.h>
	const char *f(const char *text);
	const char *f(const char *text) { return strrchr(text, '['); }
TEXT
broken literals sim/fabric/cable.c:4
put sim/fabric/cable.c <<-'TEXT'
	int f(int number, char c);
	int f(int number, char c) { return 10 * number + (c - '0'); }
TEXT
broken literals sim/fabric/cable.c:3
put sim/fabric/cable.c <<-'TEXT'
	#include <stdio.h>
	int f(const char *text);
	int f(const char *text) { return printf("{\"cable\": \"%s\"}", text); }
TEXT
broken json sim/fabric/cable.c:4
put sim/fabric/cable.c <<-'TEXT'
	#include <stdio.h>
	int f(int c);
	int f(int c) { return printf("\\u%04x", c); }
TEXT
broken json sim/fabric/cable.c:4
put sim/fabric/cable.c <<-'TEXT'
	#include <unistd.h>
	int f(void);
	int f(void) { return fork(); }
TEXT
broken children sim/fabric/cable.c:4
put sim/fabric/cable.c <<-'TEXT'
	#include <sys/wait.h>
	int f(void);
	int f(void) { return waitpid(-1, NULL, 0); }
TEXT
broken children sim/fabric/cable.c:4
put sim/fabric/cable.c <<-'TEXT'
	#include <unistd.h>
	int f(char **argv);
	int f(char **argv) { return execvp(argv[0], argv); }
TEXT
broken children sim/fabric/cable.c:4
put sim/fabric/cable.c <<-'TEXT'
	#include <glib.h>
	int f(char **argv);
	int f(char **argv) { return g_spawn_sync(NULL, argv, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL); }
TEXT
broken children sim/fabric/cable.c:4
put sim/fabric/cable.c <<-'TEXT'
	#include <stdlib.h>
	int f(void);
	int f(void) { return system("true"); }
TEXT
broken children sim/fabric/cable.c:4
put kmod-stub/agent.c <<-'TEXT'
	#include "lib/base/invariant.h"
	const char *agent_check(int id);
	const char *agent_check(int id)
	{
		MUST(id < 3, "agent: its "
		     "number is small");
		NEVER(id == 2, "agent: never 2");
		return id ? 0 : "agent: not 0";
	}
TEXT
put lib/base/invariant.h <<-'TEXT'
	#ifndef UMADRIG_LIB_BASE_INVARIANT_H
	#define UMADRIG_LIB_BASE_INVARIANT_H
	#define MUST(condition, rule) do { if (!(condition)) return (rule); } while (0)
	#define NEVER(condition, rule) MUST(!(condition), rule)
	#endif
TEXT
put tests/kmod-stub/agent.c <<-'TEXT'
	const char *expected[] = { "agent: its number is small", "agent: "
				   "not 0" };
TEXT
broken invariants "kmod-stub/agent.c:8: no test expects 'agent: never 2'"
put sim/server/limits.h <<-'TEXT'
	#ifndef UMADRIG_SIM_SERVER_LIMITS_H
	#define UMADRIG_SIM_SERVER_LIMITS_H
	#define SERVER_LIMITS(ROW) \
		ROW(HANDLES, "handles", 8192) \
		ROW(RINGS, "rings", 64)
	#endif
TEXT
put tests/sim/server-limits.c <<-'TEXT'
	const char *text = "handles=1";
TEXT
broken places "sim/server/limits.h:6: 'rings' is not in tests/sim/server-limits.c: see CONTRIBUTING.md, '... a limit of the server'"
# A pcap file of link type 2, and a table with that and another.
mkdir -p "$work/tree/tests/fuzz/corpus-capture"
printf '\324\303\262\241\002\0\004\0\0\0\0\0\0\0\0\0\377\377\0\0\002\0\0\0' >"$work/tree/tests/fuzz/corpus-capture/two.pcap"
put sim/capture/frame.h <<'TEXT'
#ifndef UMADRIG_SIM_CAPTURE_FRAME_H
#define UMADRIG_SIM_CAPTURE_FRAME_H
enum {
	LINKTYPE_TWO = 2,
	LINKTYPE_THREE = 3,
};
#endif
TEXT
put sim/capture/stream.c <<'TEXT'
#include "sim/capture/frame.h"
const struct link_type { int number; const char *name; } types[] = {
	{ LINKTYPE_TWO, "two" },
	{ LINKTYPE_THREE, "three" },
};
TEXT
broken places "sim/capture/stream.c:1: no seed in tests/fuzz/corpus-capture has link type 'THREE': see CONTRIBUTING.md, '... a link type of captures'"
tap_lacks "places: one that has a seed is not named" "$out" "'TWO': see"
put sim/fabric/cable.h <<-'TEXT'
	#ifndef CABLE_H
	#define CABLE_H
	#endif
TEXT
broken guards sim/fabric/cable.h:1
put sim/fabric/wire.h <<-'TEXT'
	#ifndef UMADRIG_SIM_FABRIC_WIRE_H
	#define UMADRIG_SIM_FABRIC_WIRE_H
	#endif
TEXT
broken guards lib/base/wire.h:1
put lib/base/crc.c <<-'TEXT'
	#include "wire.h"
TEXT
broken qualified lib/base/crc.c:2
put sim/fabric/cable.c <<-'TEXT'
	int f(const char *text) { return (int)strlen(text); }
TEXT
broken standard sim/fabric/cable.c:2
put sim/fabric/cable.h <<-'TEXT'
	#ifndef UMADRIG_SIM_FABRIC_CABLE_H
	#define UMADRIG_SIM_FABRIC_CABLE_H
	#endif
TEXT
put kmod-stub/agent.c <<-'TEXT'
	#include "sim/fabric/cable.h"
TEXT
broken arrows kmod-stub/agent.c:2
put sim/new/part.c </dev/null
broken listed doc/architecture.md:1
put lib/base/wires.h <<-'TEXT'
	#ifndef UMADRIG_LIB_BASE_WIRES_H
	#define UMADRIG_LIB_BASE_WIRES_H
	#endif
TEXT
broken shipped lib/base/wires.h:1
put sim/fabric/one.c <<-'TEXT'
	int two(void);
	int one(void) { return two(); }
TEXT
put sim/fabric/two.c <<-'TEXT'
	int one(void);
	int two(void) { return one(); }
TEXT
broken circles sim/fabric/one.c:1
for name in a b c d e f g h i; do
	next=$(printf %s "$name" | tr a-i b-ia)
	printf 'int %s(void);\nint %s(void) { return %s(); }\n' "$next" "$name" "$next" |
		put "kmod-stub/$name.c"
done
broken circles kmod-stub/a.c:1
put sim/fabric/unused.c <<-'TEXT'
	/* unused() is spoken of, and no more. */
	int unused(void) { return 1; }
TEXT
put sim/fabric/unused.h <<-'TEXT'
	int unused(void);
TEXT
broken callers sim/fabric/unused.c:1
put tests/rig/cut.sh <<-'TEXT'
	echo begun
	fi
TEXT
broken scripts tests/rig/cut.sh:4
put kmod-stub/agent.c <<-'TEXT'
	int cable(const char *text);
	int agent(void) { return cable("up"); }
TEXT
broken rooms kmod-stub/agent.c:1
put python/umadrig/errors.py <<-'TEXT'
	def f():
	    from . import library
TEXT
broken python-circles python/umadrig/errors.py:1
put tests/rig/one.py <<-'TEXT'
	import two
TEXT
put tests/rig/two.py <<-'TEXT'
	from one import f
TEXT
broken python-circles tests/rig/one.py:1
put python/umadrig/errors.py <<-'TEXT'
	from typing import TYPE_CHECKING
	if TYPE_CHECKING:
	    from .library import f
TEXT
broken python-layers python/umadrig/errors.py:4
put python/umadrig/mad.py <<-'TEXT'
	import os
TEXT
broken python-layers doc/architecture.md:1
put kmod-stub/agent.c <<-'TEXT'
	/* See mad-gone.c. */
TEXT
broken files kmod-stub/agent.c:2
put kmod-stub/agent.c <<-'TEXT'
	/* Matching is linux-mad B.9. */
TEXT
broken statements kmod-stub/agent.c:2
printf '# %s\ntags statement:1, statement:2\n' "$spdx" >"$work/tree/doc/a.mad"
broken statements doc/a.mad:2
put kmod-stub/agent.c <<-'TEXT'
	/* The book wants it, and so does
	   the book. */
TEXT
broken words kmod-stub/agent.c:3

tap_is "every rule was broken" "$(printf %s "$broken_rules" | sort -u)" "$(check --list | sort)"
tap_done
