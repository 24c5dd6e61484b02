/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a program means by a path: see harness/filter/path.h.
 */
#include "config.h"

#include "harness/filter/path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/sysfs-place.h"
#include "lib/base/umad-command.h"
#include "lib/base/verbs-values.h"
#include "lib/words/number.h"

#define SYSFS "/sys"
#define MAD_CLASS "class/infiniband_mad"
#define NODES "/dev/infiniband"
#define UDEV "/run/udev"

enum {
	ISSM_MINOR = 64,	/* Linux: issmN has the minor number 64 + N */
	NUMBER_MAX = 999999999,
	MEMORY_MAJOR = 1, KMSG_MINOR = 11,	/* Linux: /dev/kmsg */
};

/* The devices of /dev/infiniband, each with its first minor number and how many it has. */
static const struct node_kind {
	enum path_kind kind;
	const char *name, *class;
	unsigned int first, count;
} node_kinds[] = {
	{ PATH_UMAD, "umad", MAD_CLASS, 0, ISSM_MINOR },
	{ PATH_ISSM, "issm", MAD_CLASS, ISSM_MINOR, ISSM_MINOR },
	{ PATH_UVERBS, "uverbs", VERBS_CLASS, UVERBS_MINOR, UVERBS_MAX },
};
enum { NODE_KINDS = sizeof(node_kinds) / sizeof(*node_kinds) };

static const struct node_kind *find_node_kind(enum path_kind kind)
{
	for (size_t i = 0; i < NODE_KINDS; i++)
		if (node_kinds[i].kind == kind)
			return &node_kinds[i];
	return NULL;
}

bool path_is_node(enum path_kind kind)
{
	return find_node_kind(kind);
}

const char *path_node_name(enum path_kind kind)
{
	return find_node_kind(kind)->name;
}

const char *path_node_class(enum path_kind kind)
{
	return find_node_kind(kind)->class;
}

static unsigned int node_minor(const struct path *path)
{
	return find_node_kind(path->kind)->first + path->number;
}

bool path_device(const struct path *path, struct path_device *ret)
{
	if (path->kind == PATH_KMSG)
		*ret = (struct path_device){ MEMORY_MAJOR, KMSG_MINOR, S_IFCHR | 0644 };
	else if (path->kind == PATH_RDMA_CM)
		*ret = (struct path_device){ RDMA_CM_MAJOR, RDMA_CM_MINOR, S_IFCHR | 0666 };
	else if (path_is_node(path->kind))
		*ret = (struct path_device){ UMAD_MAJOR, node_minor(path), S_IFCHR | 0600 };
	else
		return false;
	return true;
}

/* ---- texts ---- */

/* What follows 'with', or NULL: 'text' does not begin with it. */
static const char *after(const char *text, const char *with)
{
	size_t length = strlen(with);

	return strncmp(text, with, length) == 0 ? text + length : NULL;
}

/* The same for whole components: "" or "/..." follows. */
static const char *below(const char *text, const char *directory)
{
	const char *rest = after(text, directory);

	return rest && (*rest == '\0' || *rest == '/') ? rest : NULL;
}

/* A decimal number as the kernel writes it. Returns what follows, or NULL. */
static const char *read_number(const char *text, unsigned int *ret)
{
	const char *rest = text;
	uint64_t number;

	if (number_take(&rest, 10, NUMBER_MAX, &number) < 0 || (text[0] == '0' && rest > text + 1))
		return NULL;
	*ret = (unsigned int)number;
	return rest;
}

/* A component of that name: what follows it, from its '/' on; or NULL. */
static const char *skip_component(const char *text, const char *name)
{
	const char *rest = after(text, "/");

	return rest ? below(rest, name) : NULL;
}

static const char *skip_number(const char *text, unsigned int *ret)
{
	const char *rest = after(text, "/");

	rest = rest ? read_number(rest, ret) : NULL;
	return rest && (*rest == '\0' || *rest == '/') ? rest : NULL;
}

/* ---- links of /proc ---- */

/* What follows "/proc/PROCESS" or "/proc/PROCESS/task/THREAD". */
static const char *skip_process(const char *text, pid_t *ret_process)
{
	const char *rest = below(text, "/proc"), *more;
	unsigned int process = 0;

	if (!rest)
		return NULL;
	if ((more = skip_component(rest, "self")) ||
	    (more = skip_component(rest, "thread-self")) || (more = skip_number(rest, &process)))
		rest = more;
	else
		return NULL;
	more = skip_component(rest, "task");
	more = more ? skip_number(more, &process) : NULL;
	*ret_process = (pid_t)process;
	return more ? more : rest;
}

bool path_is_link(const char *text, struct path_link *ret)
{
	struct path_link link = { .process = 0 };
	const char *rest = after(text, "/dev"), *end;

	if (!rest || !below(rest, "/fd"))
		rest = skip_process(text, &link.process);
	if (!rest)
		return false;
	if ((end = skip_component(rest, "root")))
		link.kind = PATH_LINK_ROOT;
	else if ((end = skip_component(rest, "cwd")))
		link.kind = PATH_LINK_CWD;
	else if ((end = skip_component(rest, "fd")) && (end = skip_number(end, &link.fd)))
		link.kind = PATH_LINK_FD;
	if (!end || *end != '\0')
		return false;
	if (ret)
		*ret = link;
	return true;
}

/* ---- resolving ---- */

/* The path without its last component; "/" is "" here. */
static void pop(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
}

static int push(char *path, const char *component, size_t length)
{
	size_t at = strlen(path);

	if (at + 1 + length >= PATH_MAX)
		return -ENAMETOOLONG;
	path[at] = '/';
	memcpy(path + at + 1, component, length);
	path[at + 1 + length] = '\0';
	return 0;
}

/* Is it in /sys, and one of those that the kernel may not have? */
static bool is_shown(const char *path)
{
	const char *rest = below(path, SYSFS);

	return rest && *rest && sysfs_place_is_ours(rest + 1);
}

static void follow_link(char *path, path_follow_fn *follow, void *context)
{
	char target[PATH_MAX];
	struct path_link link;

	if (is_shown(path))
		link = (struct path_link){ .kind = PATH_LINK_SHOWN, .shown = path };
	else if (!path_is_link(path, &link))
		return;
	if (follow(context, &link, target))
		strcpy(path, strcmp(target, "/") == 0 ? "" : target);
}

bool path_follow_none(void *context, const struct path_link *link, char *target)
{
	(void)context;
	(void)link;
	(void)target;
	return false;
}

static bool is_dots(const char *component, size_t length, size_t dots)
{
	return length == dots && memcmp(component, "..", dots) == 0;
}

int path_resolve(struct path *ret, const char *base, const char *text, bool follows_last,
		 path_follow_fn *follow, void *context)
{
	const char *at = text;

	if (*text == '\0')
		return -ENOENT;
	/* Here, "" is the root: each component then adds its own '/'. */
	ret->text[0] = '\0';
	ret->is_directory_wanted = true;
	ret->was_ours = false;
	if (*text != '/' && strcmp(base, "/") != 0)
		strcpy(ret->text, base);
	while (*(at += strspn(at, "/"))) {
		size_t length = strcspn(at, "/");
		bool is_last = at[length] == '\0';

		ret->is_directory_wanted = !is_last || is_dots(at, length, 1) ||
					   is_dots(at, length, 2);
		if (is_dots(at, length, 2)) {
			ret->was_ours |= below(ret->text, NODES) || is_shown(ret->text);
			pop(ret->text);
		} else if (!is_dots(at, length, 1) && push(ret->text, at, length) < 0) {
			return -ENAMETOOLONG;
		}
		if (!is_last || follows_last)
			follow_link(ret->text, follow, context);
		at += length;
	}
	if (ret->text[0] == '\0')
		strcpy(ret->text, "/");
	return 0;
}

/* ---- what a path means ---- */

/* Is any component that of the InfiniBand classes' directories, as in /sys/devices? */
static bool has_infiniband(const char *path)
{
	while ((path = strchr(path, '/'))) {
		const char *rest = after(++path, "infiniband");

		if (rest && (*rest == '\0' || *rest == '/' || *rest == '_'))
			return true;
	}
	return false;
}

/* "umad3" and its like, and what may follow: the kind, or PATH_NOWHERE. */
static enum path_kind parse_node(const char *name, unsigned int *ret_number, const char **ret_rest)
{
	for (size_t i = 0; i < NODE_KINDS; i++) {
		const char *digits = after(name, node_kinds[i].name);
		const char *rest = digits ? read_number(digits, ret_number) : NULL;

		if (!rest || (*rest != '\0' && *rest != '/'))
			continue;
		*ret_rest = rest;
		return node_kinds[i].kind;
	}
	return PATH_NOWHERE;
}

static void classify_node(struct path *path, const char *name)
{
	const char *rest = "";

	path->kind = parse_node(name, &path->number, &rest);
	if (path->kind == PATH_NOWHERE && strcmp(name, "rdma_cm") == 0)
		path->kind = PATH_RDMA_CM;
	if (*rest != '\0')
		path->is_directory_wanted = true;	/* umad0/x: there is no such directory */
}

/*
 * Links by number in /dev/char and /sys/dev/char lead to the devices. All of the major number 231
 * are InfiniBand's.
 */
static bool replace_number(struct path *path, const char *directory, bool is_sysfs)
{
	const char *digits = after(path->text, directory), *rest;
	char name[PATH_MAX];
	unsigned int minor;

	rest = digits ? read_number(digits, &minor) : NULL;
	if (!rest || (*rest != '\0' && *rest != '/'))
		return false;
	for (size_t i = 0; i < NODE_KINDS; i++) {
		const struct node_kind *kind = &node_kinds[i];
		int length;

		if (minor < kind->first || minor - kind->first >= kind->count)
			continue;
		length = snprintf(name, sizeof(name), "%s%s/%s%u%s",
				  is_sysfs ? SYSFS "/" : NODES, is_sysfs ? kind->class : "",
				  kind->name, minor - kind->first, rest);
		if (length >= (int)sizeof(name))
			return false;
		strcpy(path->text, name);
		return true;
	}
	return false;
}

static enum path_kind sys_kind(const char *path, bool hides_real)
{
	const char *rest = path + strlen(SYSFS "/");

	if (sysfs_place_is_ours(rest))
		return PATH_SHOWN;
	if (sysfs_place_is_shared(rest))
		return sysfs_place_holds_ours(rest) ? PATH_LIST : PATH_DOOR;
	/* Where links by number are, for a program that goes there step by step. */
	if (strcmp(rest, "dev") == 0 || strcmp(rest, "dev/char") == 0)
		return PATH_DOOR;
	if (has_infiniband(path) || after(path, "/sys/dev/char/231:"))
		return PATH_NOWHERE;
	return hides_real ? PATH_DOOR : PATH_ELSEWHERE;
}

/* udev's own mark, by which programs see that it is at work, and what it has of ours. */
static bool is_udev(const char *rest)
{
	return strcmp(rest, "/control") == 0 || after(rest, "/data/c231:") ||
	       after(rest, "/data/+infiniband:");
}

void path_classify(struct path *path, bool hides_real)
{
	const char *rest;

	if (!replace_number(path, "/sys/dev/char/231:", true))
		replace_number(path, "/dev/char/231:", false);
	path->kind = PATH_ELSEWHERE;
	if (strcmp(path->text, "/") == 0 || strcmp(path->text, "/sys") == 0 ||
	    strcmp(path->text, "/dev") == 0)
		path->kind = PATH_DOOR;
	else if (below(path->text, "/sys"))
		path->kind = sys_kind(path->text, hides_real);
	else if (after(path->text, "/dev/char/231:"))
		path->kind = PATH_NOWHERE;
	else if (strcmp(path->text, "/dev/kmsg") == 0 || strcmp(path->text, "/dev/char/1:11") == 0)
		path->kind = PATH_KMSG;
	else if ((rest = below(path->text, UDEV)) && is_udev(rest))
		path->kind = PATH_UDEV;
	else if ((rest = below(path->text, NODES)) && *rest == '\0')
		path->kind = PATH_NODE_LIST;
	else if (rest)
		classify_node(path, rest + 1);
}

bool path_may_lead(const char *text)
{
	static const char *const parts[] = {
		"infiniband", "umad", "issm", "uverbs", "rdma_cm", "231:", "0000:",
		"mlx5", "ib_core", "kmsg",
	};
	static const char *const names[] = {
		".", "..", "sys", "dev", "class", "devices", "bus", "pci", "drivers", "module",
		"proc", "root", "cwd", "fd",
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strstr(text, parts[i]))
			return true;
	while (*(text += strspn(text, "/"))) {
		size_t length = strcspn(text, "/");

		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (length == strlen(names[i]) && memcmp(text, names[i], length) == 0)
				return true;
		text += length;
	}
	return false;
}
