/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* New programs in processes: see lib/lockstep/images.h. */
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/elf-strings.h"
#include "lib/base/environment-padding.h"
#include "lib/lockstep/baton.h"
#include "lib/lockstep/delivery.h"
#include "lib/lockstep/dispatch.h"
#include "lib/lockstep/images.h"
#include "lib/lockstep/mappings.h"
#include "lib/lockstep/next.h"
#include "lib/lockstep/past-libc.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/stand-ins.h"
#include "lib/lockstep/system-call.h"

enum {
	HEAD_SIZE = 512,
	PARTS_MAX = 64,		/* program headers that are looked at */
	SCRIPT_DEPTH = 5,
	ENVIRONMENT_MAX = 8192,	/* variables of one that is changed */
};

/* What a program is to this library. */
struct image {
	const char *lack;	/* why it cannot be in virtual time; NULL: nothing is known */
	bool is_foreign;	/* this library cannot be put into it: another one stands for it */
};

static char preload[2 * PATH_MAX] = "LD_PRELOAD=", table[PATH_MAX] = LOCKSTEP_VARIABLE "=";

/* ---- the environment ---- */

static const char *find_variable(char *const *env, const char *name)
{
	size_t n = strlen(name);

	for (; env && *env; env++) {
		if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
			return *env + n + 1;
	}
	return NULL;
}

static void keep(char *to, size_t room, const char *value)
{
	size_t at = strlen(to);

	if (value && at + strlen(value) < room)
		strcpy(to + at, value);
}

void images_begin(char **env)
{
	keep(preload, sizeof(preload), find_variable(env, "LD_PRELOAD"));
	keep(table, sizeof(table), find_variable(env, LOCKSTEP_VARIABLE));
	mappings_settle();
}

static bool is_complete(char *const *env)
{
	const char *value = find_variable(env, "LD_PRELOAD");

	return value && strstr(value, "libumadlockstep") && find_variable(env, LOCKSTEP_VARIABLE);
}

/* Ours, and those that it is to load after them. False: there is no room. */
static bool join_libraries(char *to, size_t room, const char *others)
{
	strcpy(to, preload);
	if (others && strlen(others) > sizeof(preload))
		return false;
	if (others && *others) {
		keep(to, room, ":");
		keep(to, room, others);
	}
	return true;
}

static bool is_ours(const char *variable)
{
	return strncmp(variable, "LD_PRELOAD=", 11) == 0 ||
	       strncmp(variable, LOCKSTEP_VARIABLE "=", sizeof(LOCKSTEP_VARIABLE)) == 0;
}

/*
 * What a program gets: 'env' with our two variables, in the size that all environments have. NULL:
 * it is too large. (Who calls has the turn; a child of posix_spawn() has a small stack.)
 */
static char *const *complete(char *const *env)
{
	static char *variables[ENVIRONMENT_MAX + ENVIRONMENT_PADDING_VARIABLES + 1];
	static char libraries[2 * sizeof(preload)];
	static struct environment_padding padding;
	bool is_whole = is_complete(env);
	size_t n = 0;

	if (is_whole && environment_is_padded(env))
		return env;
	if (!is_whole) {
		if (!join_libraries(libraries, sizeof(libraries), find_variable(env, "LD_PRELOAD")))
			return NULL;
		variables[n++] = libraries;
		variables[n++] = table;
	}
	for (char *const *one = env; one && *one; one++) {
		if (!is_whole && is_ours(*one))
			continue;
		if (n == ENVIRONMENT_MAX)
			return is_whole ? env : NULL;
		variables[n++] = *one;
	}
	variables[n] = NULL;
	environment_pad(variables, &padding);
	return variables;
}

static long execute(const struct image *image, const char *path, char *const *argv,
		    char *const *env)
{
	char *const *completed = complete(env);
	long ret;

	if (!completed)
		return -E2BIG;
	mappings_raise();
	dispatch_let_clock(true);
	ret = image->is_foreign ? stand_ins_execute(path, argv, completed) :
				  CALL_3(SYS_execve, path, argv, completed);
	dispatch_let_clock(false);
	mappings_lower();
	return ret;
}

/* ---- what can be put in ---- */

static long read_at(int fd, void *buf, size_t size, uint64_t at)
{
	return CALL_4(SYS_pread64, fd, buf, size, at);
}

/* glibc's loader alone, or one like it, knows what to do with us. */
static bool is_of_musl(int fd, const Elf64_Phdr *part)
{
	char path[PATH_MAX];
	size_t size = part->p_filesz < sizeof(path) ? (size_t)part->p_filesz : sizeof(path);
	long n = read_at(fd, path, size, part->p_offset);

	return n > 0 && memmem(path, (size_t)n, "/ld-musl-", 9);
}

/* An interpreter that loads us? */
static bool has_interpreter(int fd, const Elf64_Ehdr *header)
{
	for (unsigned int i = 0; i < header->e_phnum && i < PARTS_MAX; i++) {
		Elf64_Phdr part;
		long at = (long)(header->e_phoff + (uint64_t)i * header->e_phentsize);

		if (CALL_4(SYS_pread64, fd, &part, sizeof(part), at) != sizeof(part))
			return true;	/* the kernel will say what is wrong with it */
		if (part.p_type == PT_INTERP)
			return !is_of_musl(fd, &part);
	}
	return false;
}

/* A program that has become another user; ld.so would go on without, in real time. */
static bool may_read_library(void)
{
	const char *at = strstr(preload, "libumadlockstep");
	char path[PATH_MAX];
	size_t n;

	if (!at)
		return true;
	while (at[-1] != '=' && at[-1] != ':' && at[-1] != ' ')
		at--;
	n = strcspn(at, ": ");
	if (n >= sizeof(path))
		return true;
	memcpy(path, at, n);
	path[n] = '\0';
	return CALL_3(SYS_faccessat, AT_FDCWD, path, R_OK) != -EACCES;
}

static const char *lack_of_elf(const Elf64_Ehdr *header, const struct stat *st)
{
#if defined(__x86_64__)
	const unsigned int machine = EM_X86_64;
#else
	const unsigned int machine = EM_AARCH64;
#endif
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != machine)
		return "it is built for another architecture; build it for this one";
	if (geteuid() != getuid() || getegid() != getgid())
		return "its real and its effective user or group differ, and ld.so preloads "
		       "nothing then; set both";
	if (!may_read_library())
		return "its user may not read umadrig's libraries; install them where all may";
	if (((st->st_mode & S_ISUID) && st->st_uid != geteuid()) ||
	    ((st->st_mode & S_ISGID) && st->st_gid != getegid()))
		return "it is setuid or setgid; run a plain copy of it (cp drops these rights)";
	return NULL;
}

/* Static programs, musl's, and those in Go, whose runtime makes system calls past libc. */
static bool is_foreign_elf(int fd, const Elf64_Ehdr *header)
{
	return !has_interpreter(fd, header) || elf_is_go(fd, header, read_at);
}

static void look_at(const char *path, unsigned int depth, struct image *ret);

static void look_at_script(char *line, unsigned int depth, struct image *ret)
{
	line[strcspn(line, "\n")] = '\0';
	line += strspn(line, " \t");
	line[strcspn(line, " \t")] = '\0';
	if (*line)
		look_at(line, depth + 1, ret);
}

/* (Of what the kernel will refuse nothing is said.) */
static void look_at(const char *path, unsigned int depth, struct image *ret)
{
	union {
		Elf64_Ehdr header;
		char text[HEAD_SIZE];
	} head;
	struct stat st;
	int fd = (int)CALL_4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	long n;

	*ret = (struct image){ .lack = NULL };
	if (fd < 0)
		return;
	n = CALL_3(SYS_read, fd, head.text, sizeof(head) - 1);
	if (n < 0 || CALL_2(SYS_fstat, fd, &st) < 0 || !S_ISREG(st.st_mode))
		n = 0;
	head.text[n] = '\0';
	if (n >= (long)sizeof(head.header) && memcmp(head.text, ELFMAG, SELFMAG) == 0) {
		ret->lack = lack_of_elf(&head.header, &st);
		ret->is_foreign = !ret->lack &&
				  (past_libc_are_all() || is_foreign_elf(fd, &head.header));
	} else if (n >= 2 && head.text[0] == '#' && head.text[1] == '!' && depth < SCRIPT_DEPTH) {
		look_at_script(head.text + 2, depth, ret);
	}
	CALL_1(SYS_close, fd);
}

/*
 * libc's exec functions, and the child that posix_spawn() makes in this process's memory, come
 * here.
 * Not ENOEXEC: shells would take the program for a script.
 */
static int hooked_execve(const char *path, char *const argv[], char *const env[])
{
	struct image image;

	if (!lockstep)
		return (int)call_result(CALL_3(SYS_execve, path, argv, env));
	if (!lockstep_self) {
		dispatch_let_clock(true);
		return (int)call_result(CALL_3(SYS_execve, path, argv, env));
	}
	look_at(path, 0, &image);
	if (image.lack) {
		session_say("umadrig: %s cannot be put into virtual time: %s. Or leave out "
			    "clock=virtual.\n", path, image.lack);
		return (int)call_result(-EACCES);
	}
	return (int)call_result(execute(&image, path, argv, env));
}

/* The name by which the program was started, after which it is called; not that of a script. */
static const char *name_of_program(void)
{
	const char *name = (const char *)getauxval(AT_EXECFN);
	struct stat named, own;

	return name && CALL_4(SYS_newfstatat, AT_FDCWD, name, &named, 0) == 0 &&
		       CALL_4(SYS_newfstatat, AT_FDCWD, "/proc/self/exe", &own, 0) == 0 &&
		       named.st_dev == own.st_dev && named.st_ino == own.st_ino ? name : NULL;
}

long images_restart(char *const *argv, char *const *env)
{
	const struct image image = { .is_foreign = true };
	const char *name = name_of_program();
	char path[PATH_MAX];
	long n;

	if (name)
		return execute(&image, name, argv, env);
	n = CALL_4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof(path) - 1);
	if (n < 0)
		return n;
	path[n] = '\0';
	return execute(&image, path, argv, env);
}

const struct hook images_hooks[] = {
	{ "execve", hooked_execve },
	{ NULL, NULL },
};

/* ---- posix_spawn ---- */

typedef int spawn_fn(pid_t *ret, const char *path, const posix_spawn_file_actions_t *actions,
		     const posix_spawnattr_t *attr, char *const argv[], char *const env[]);

/* With the kernel's number of the group that the child is to be in. */
static const posix_spawnattr_t *with_group(const posix_spawnattr_t *attr, posix_spawnattr_t *buf)
{
	short flags = 0;
	pid_t group = 0;

	if (!attr || posix_spawnattr_getflags(attr, &flags) != 0 ||
	    !(flags & POSIX_SPAWN_SETPGROUP) || posix_spawnattr_getpgroup(attr, &group) != 0 ||
	    group <= 0)
		return attr;
	*buf = *attr;
	posix_spawnattr_setpgroup(buf, processes_group_to_kernel(group));
	return buf;
}

static int spawn(spawn_fn *next, pid_t *ret, const char *path,
		 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
		 char *const argv[], char *const env[])
{
	struct lockstep_slot *slot = processes_new();
	posix_spawnattr_t own;
	pid_t pid = 0;
	bool was_on;
	int err;

	if (!slot)
		return EAGAIN;
	was_on = dispatch_pause();
	processes_spawning(true);
	err = next(&pid, path, actions, with_group(attr, &own), argv, env);
	processes_spawning(false);
	dispatch_resume(was_on);
	if (err) {
		slot->state = LOCKSTEP_FREE;
		return err;
	}
	slot->pid = pid;
	baton_make_runnable(slot, LOCKSTEP_WOKEN);
	__atomic_fetch_add(&lockstep->births, 1, __ATOMIC_SEQ_CST);
	CALL_3(SYS_futex, &lockstep->births, FUTEX_WAKE, INT_MAX);
	if (ret)
		*ret = (pid_t)slot->virtual_pid;
	return 0;
}

NEXT_DECLARE(posix_spawn);
PUBLIC int posix_spawn(pid_t *restrict ret, const char *restrict path,
		       const posix_spawn_file_actions_t *actions,
		       const posix_spawnattr_t *restrict attr, char *const argv[restrict],
		       char *const env[restrict])
{
	if (!session_is_on())
		return NEXT(posix_spawn)(ret, path, actions, attr, argv, env);
	return spawn(NEXT(posix_spawn), ret, path, actions, attr, argv, env);
}

NEXT_DECLARE(posix_spawnp);
PUBLIC int posix_spawnp(pid_t *ret, const char *path, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	if (!session_is_on())
		return NEXT(posix_spawnp)(ret, path, actions, attr, argv, env);
	return spawn(NEXT(posix_spawnp), ret, path, actions, attr, argv, env);
}
