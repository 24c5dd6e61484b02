# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/tidy: the rules of the tree.
EXTRA_DIST += tests/tidy/circles.py tests/tidy/imports.py tests/tidy/includes.py \
	tests/tidy/invariants.py tests/tidy/places.py tests/tidy/references.py \
	tests/tidy/source.py tests/tidy/tidy tests/tidy/tree.py tests/tidy/words.py
TESTS += tests/tidy/tidy.sh tests/tidy/broken.sh
EXTRA_DIST += tests/tidy/tidy.sh tests/tidy/broken.sh
