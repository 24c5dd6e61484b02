# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/explore: a program over many seeds.
umadrig_SOURCES += \
	harness/explore/explore-corpus.c harness/explore/explore-corpus.h \
	harness/explore/explore-crew.c harness/explore/explore-crew.h \
	harness/explore/explore-directory.c harness/explore/explore-directory.h \
	harness/explore/explore-draw.c harness/explore/explore-draw.h \
	harness/explore/explore-environment.c harness/explore/explore-environment.h \
	harness/explore/explore-guide.c harness/explore/explore-guide.h \
	harness/explore/explore-hash.h \
	harness/explore/explore-html.c harness/explore/explore-html.h \
	harness/explore/explore-json.c harness/explore/explore-json.h \
	harness/explore/explore-junit.c harness/explore/explore-junit.h \
	harness/explore/explore-leaks.c harness/explore/explore-leaks.h \
	harness/explore/explore-lies.c harness/explore/explore-lies.h \
	harness/explore/explore-merge.c harness/explore/explore-merge.h \
	harness/explore/explore-orders.c harness/explore/explore-orders.h \
	harness/explore/explore-plan.c harness/explore/explore-plan.h \
	harness/explore/explore-report.c harness/explore/explore-report.h \
	harness/explore/explore-run.c harness/explore/explore-run.h \
	harness/explore/explore-search.c harness/explore/explore-search.h \
	harness/explore/explore-shrink.c harness/explore/explore-shrink.h \
	harness/explore/explore-signature.c harness/explore/explore-signature.h \
	harness/explore/explore-store.c harness/explore/explore-store.h \
	harness/explore/explore-switches.c harness/explore/explore-switches.h \
	harness/explore/explore-symbol.c harness/explore/explore-symbol.h \
	harness/explore/explore-traits.c harness/explore/explore-traits.h \
	harness/explore/explore-verdict.c harness/explore/explore-verdict.h \
	harness/explore/explore-way.c harness/explore/explore-way.h \
	harness/explore/explore-words.c harness/explore/explore-words.h
