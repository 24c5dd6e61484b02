# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/draft: scenarios made of captures.
libscript_a_SOURCES += \
	harness/script/draft/draft.c harness/script/draft/draft.h \
	harness/script/draft/draft-address.c harness/script/draft/draft-address.h \
	harness/script/draft/draft-ends.c harness/script/draft/draft-ends.h \
	harness/script/draft/draft-event.c harness/script/draft/draft-event.h \
	harness/script/draft/draft-place.c harness/script/draft/draft-place.h
