# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/cmd: the subcommands of umadrig.
umadrig_SOURCES += \
	harness/cmd/bless-text.c harness/cmd/bless-text.h \
	harness/cmd/bridge.c \
	harness/cmd/commands.h \
	harness/cmd/ctl.c \
	harness/cmd/diff.c \
	harness/cmd/diff-options.c harness/cmd/diff-options.h \
	harness/cmd/doctor.c \
	harness/cmd/env.c \
	harness/cmd/exec.c \
	harness/cmd/explore.c \
	harness/cmd/cmd-explore-merge.c harness/cmd/cmd-explore-merge.h \
	harness/cmd/explore-options.c harness/cmd/explore-options.h \
	harness/cmd/explore-reports.c harness/cmd/explore-reports.h \
	harness/cmd/explore-test.c harness/cmd/explore-test.h \
	harness/cmd/fabric-facts.c harness/cmd/fabric-facts.h \
	harness/cmd/fabric-option.c harness/cmd/fabric-option.h \
	harness/cmd/fields.c \
	harness/cmd/format.c \
	harness/cmd/guest.c \
	harness/cmd/kernel.c \
	harness/cmd/lint.c \
	harness/cmd/main.c \
	harness/cmd/record.c \
	harness/cmd/record-scenario.c harness/cmd/record-scenario.h \
	harness/cmd/report.c \
	harness/cmd/replace-file.c harness/cmd/replace-file.h \
	harness/cmd/replay.c \
	harness/cmd/replay-ask.c harness/cmd/replay-ask.h \
	harness/cmd/replay-progress.c harness/cmd/replay-progress.h \
	harness/cmd/replay-send.c harness/cmd/replay-send.h \
	harness/cmd/cmd-replay-timed.c harness/cmd/cmd-replay-timed.h \
	harness/cmd/run.c \
	harness/cmd/run-allocations.c harness/cmd/run-allocations.h \
	harness/cmd/run-attempt.c harness/cmd/run-attempt.h \
	harness/cmd/run-bless.c harness/cmd/run-bless.h \
	harness/cmd/run-changes.c harness/cmd/run-changes.h \
	harness/cmd/run-diagram.c harness/cmd/run-diagram.h \
	harness/cmd/run-expected.c harness/cmd/run-expected.h \
	harness/cmd/run-explain.c harness/cmd/run-explain.h \
	harness/cmd/run-files.c harness/cmd/run-files.h \
	harness/cmd/run-list.c harness/cmd/run-list.h \
	harness/cmd/run-options.c harness/cmd/run-options.h \
	harness/cmd/run-point.c harness/cmd/run-point.h \
	harness/cmd/run-ports.c harness/cmd/run-ports.h \
	harness/cmd/run-progress.c harness/cmd/run-progress.h \
	harness/cmd/run-report.c harness/cmd/run-report.h \
	harness/cmd/run-result.c harness/cmd/run-result.h \
	harness/cmd/run-selection.c harness/cmd/run-selection.h \
	harness/cmd/run-sink.h \
	harness/cmd/run-sink-json.c \
	harness/cmd/run-sink-junit.c \
	harness/cmd/run-sink-tap.c \
	harness/cmd/run-sink-terminal.c \
	harness/cmd/run-tags.c harness/cmd/run-tags.h \
	harness/cmd/run-watch.c harness/cmd/run-watch.h \
	harness/cmd/run-workers.c harness/cmd/run-workers.h \
	harness/cmd/scrub.c \
	harness/cmd/serve.c \
	harness/cmd/show.c \
	harness/cmd/tap.c harness/cmd/tap.h \
	harness/cmd/topology.c \
	harness/cmd/topology-capture.c harness/cmd/topology-capture.h
