# harness/show: captures as text and as ladders.
umadrig_SOURCES += \
	harness/show/ladder.c harness/show/ladder.h \
	harness/show/mad-text.c harness/show/mad-text.h \
	harness/show/show.c harness/show/show.h
