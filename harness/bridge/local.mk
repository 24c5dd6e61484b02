# harness/bridge: a fabric server for programs of another machine.
umadrig_SOURCES += \
	harness/bridge/bridge.h \
	harness/bridge/far.c \
	harness/bridge/frame.c \
	harness/bridge/near.c \
	harness/bridge/socket.c
