/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel says: what stands for <linux/printk.h>, <linux/dev_printk.h>, <linux/bug.h>, and
 * sysfs_emit(). A line goes to the log of the process, and to the traces of its host.
 *
 * Left out: rate limits, which would depend on the time; dev_dbg, which is off in a distribution's
 * kernel. Of the kernel's own conversions %pe is known, as a number.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_TEXT_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "kmod-stub/linux/kernel-file.h"

struct device;

/* One line, formatted as the kernel does; 'device' (NULL: of none) precedes it. */
void linux_log(enum kernel_log level, const struct device *device, const char *format, ...);

/* What a check of the shim has found, at a line of the kernel's source. */
void linux_fault(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What follows the last slash of a path. */
const char *linux_short_name(const char *path);

/* The same where nothing can go on: ends the process. */
void linux_stop(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* sysfs_emit(): to a buffer of LINUX_PAGE bytes. Returns the length. */
int linux_emit(char *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum { LINUX_PAGE = 4096 };

#ifndef pr_fmt
#define pr_fmt(format) format
#endif
#define pr_err(format, ...) \
	linux_log(KERNEL_LOG_ERR, NULL, pr_fmt(format) __VA_OPT__(,) __VA_ARGS__)
#define pr_warn(format, ...) \
	linux_log(KERNEL_LOG_WARNING, NULL, pr_fmt(format) __VA_OPT__(,) __VA_ARGS__)
#define pr_notice(format, ...) \
	linux_log(KERNEL_LOG_NOTICE, NULL, pr_fmt(format) __VA_OPT__(,) __VA_ARGS__)
#define pr_info(format, ...) \
	linux_log(KERNEL_LOG_INFO, NULL, pr_fmt(format) __VA_OPT__(,) __VA_ARGS__)
#define pr_err_ratelimited(...) pr_err(__VA_ARGS__)
#define pr_warn_ratelimited(...) pr_warn(__VA_ARGS__)
#define pr_debug(...) do { } while (0)
#define dev_err(device, ...) linux_log(KERNEL_LOG_ERR, device, __VA_ARGS__)
#define dev_warn(device, ...) linux_log(KERNEL_LOG_WARNING, device, __VA_ARGS__)
#define dev_notice(device, ...) linux_log(KERNEL_LOG_NOTICE, device, __VA_ARGS__)
#define dev_info(device, ...) linux_log(KERNEL_LOG_INFO, device, __VA_ARGS__)
#define dev_err_ratelimited(device, ...) dev_err(device, __VA_ARGS__)
#define dev_warn_ratelimited(device, ...) dev_warn(device, __VA_ARGS__)
#define dev_warn_once(device, ...) dev_warn(device, __VA_ARGS__)
#define dev_dbg(device, ...) do { } while (0)
#define dev_dbg_ratelimited(device, ...) do { } while (0)
#define sysfs_emit(buf, ...) linux_emit(buf, __VA_ARGS__)

#define WARN_ON(condition) ({ \
	int warn_ = !!(condition); \
	if (warn_) \
		linux_fault(__FILE__, __LINE__, "WARN_ON(%s)", #condition); \
	warn_; \
})
#define WARN_ON_ONCE(condition) WARN_ON(condition)
#define BUG_ON(condition) ({ \
	if (condition) \
		linux_stop("%s:%d: BUG_ON(%s)", __FILE__, __LINE__, #condition); \
})

#endif
