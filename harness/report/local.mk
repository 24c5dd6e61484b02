# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/report: pages for people.
umadrig_SOURCES += \
	harness/report/capture-report.c harness/report/capture-report.h \
	harness/report/fabric-svg.c harness/report/fabric-svg.h \
	harness/report/html-page.c harness/report/html-page.h \
	harness/report/report-table.c harness/report/report-table.h
