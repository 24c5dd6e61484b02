/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/base/environment-padding.h. */
#include "lib/base/environment-padding.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

#include "lib/base/lockstep-variable.h"

#define NAME "UMADRIG_PADDING="

/* The kernel aligns the stack between texts and pointers: it has always an even number of those. */
static char even[] = "UMADRIG_PADDING_EVEN=";

static bool is_variable(const char *variable, const char *name_with_sign)
{
	return strncmp(variable, name_with_sign, strlen(name_with_sign)) == 0;
}

bool environment_is_in_lockstep(char *const *env)
{
	for (; env && *env; env++) {
		if (is_variable(*env, LOCKSTEP_VARIABLE "="))
			return true;
	}
	return false;
}

/* What the kernel tells of itself lies beside it, and is longer on a later kernel. */
static size_t auxiliary_vector_size(void)
{
	enum { TYPES = 128 };	/* Linux has numbers up to 51 */
	size_t size = 0;
	int saved = errno;

	for (unsigned long type = AT_NULL + 1; type < TYPES; type++) {
		errno = 0;
		if (getauxval(type) || errno != ENOENT)
			size += sizeof(Elf64_auxv_t);
	}
	errno = saved;
	return size;
}

/* In bytes, with the pointers. */
static size_t size_of(char *const *env, size_t *ret_count)
{
	size_t size = 0, count = 0;

	for (; env[count]; count++)
		size += sizeof(char *) + strlen(env[count]) + 1;
	*ret_count = count;
	return size;
}

bool environment_is_padded(char *const *env)
{
	size_t count, size = env ? size_of(env, &count) : 0;

	return size > 0 && (size + auxiliary_vector_size()) % ENVIRONMENT_PADDED == 0 &&
	       count % 2 == 0;
}

/* Returns how many are left. */
static size_t take_out(char **env)
{
	size_t n = 0;

	for (char **one = env; *one; one++) {
		if (!is_variable(*one, NAME) && !is_variable(*one, even))
			env[n++] = *one;
	}
	env[n] = NULL;
	return n;
}

void environment_pad(char **env, struct environment_padding *padding)
{
	size_t n = take_out(env), size, rest;

	if (n % 2 == 0)
		env[n++] = even;
	env[n] = NULL;
	size = auxiliary_vector_size() + size_of(env, &n) + sizeof(char *) + sizeof(NAME);
	rest = (ENVIRONMENT_PADDED - size % ENVIRONMENT_PADDED) % ENVIRONMENT_PADDED;
	memcpy(padding->text, NAME, strlen(NAME));
	memset(padding->text + strlen(NAME), '-', rest);
	padding->text[strlen(NAME) + rest] = '\0';
	env[n++] = padding->text;
	env[n] = NULL;
}
