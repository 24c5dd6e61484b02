# lib: libibumad.so.3 (libc only).
EXTRA_DIST += lib/backend.h lib/wire.h
