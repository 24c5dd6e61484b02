/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel says: see linux-text.h.
 */
#include "kmod-stub/linux/linux-text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmod-stub/linux/linux-host.h"
#include "kmod-stub/linux/linux-port.h"
#include "kmod-stub/linux/linux-verbs.h"
#include "kmod-stub/linux/services.h"

enum { LINE_SIZE = 512 };

static void trace_words(const struct kmod_host *host, const char *who, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	host->ops->trace(host->ctx, who, format, args);
	va_end(args);
}

/* To the log, without the newline, and to the traces of the host that runs. */
static void say(enum kernel_log level, const char *who, char *text)
{
	const struct kmod_host *host = linux_current_host;
	const char *name = host && host->ops->host_name ? host->ops->host_name(host->ctx) : NULL;
	size_t length = strlen(text);

	while (length > 0 && text[length - 1] == '\n')
		text[--length] = '\0';
	linux_services->log((int)level, name, text);
	if (host && host->ops->trace)
		trace_words(host, who, "log <%d> %s", (int)level, text);
}

/* "%pe", an error in a pointer, as "%ld". */
static void plain_format(char *to, size_t size, const char *format)
{
	size_t at = 0;

	while (*format && at + 4 < size) {
		if (strncmp(format, "%pe", 3) == 0) {
			memcpy(to + at, "%ld", 3);
			at += 3;
			format += 3;
		} else {
			to[at++] = *format++;
		}
	}
	to[at] = '\0';
}

void linux_log(enum kernel_log level, const struct device *device, const char *format, ...)
{
	char plain[LINE_SIZE], text[LINE_SIZE];
	int length = device ? snprintf(text, sizeof(text), "%s: ", dev_name(device)) : 0;
	va_list args;

	plain_format(plain, sizeof(plain), format);
	va_start(args, format);
	vsnprintf(text + length, sizeof(text) - (size_t)length, plain, args);
	va_end(args);
	say(level, device ? linux_device_port(device)->name : "kernel", text);
}

const char *linux_short_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void linux_fault(const char *file, int line, const char *format, ...)
{
	char text[LINE_SIZE];
	int length = file ? snprintf(text, sizeof(text), "%s:%d: ", linux_short_name(file), line)
			  : 0;
	va_list args;

	va_start(args, format);
	vsnprintf(text + length, sizeof(text) - (size_t)length, format, args);
	va_end(args);
	say(KERNEL_LOG_FAULT, "kernel", text);
}

void linux_stop(const char *format, ...)
{
	char text[LINE_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	linux_services->abort(text);
	abort();
}

int linux_emit(char *buf, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(buf, LINUX_PAGE, format, args);
	va_end(args);
	return length;
}
