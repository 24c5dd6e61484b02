/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* select.c: chooses CA and port, in one pass over the backend's devices. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ca-list.h"
#include "lib/select.h"

#define CAP_MASK_SM_DISABLED (UINT32_C(1) << 10)

/* How suitable a port is; 0: not at all. */
enum {
	GRADE_NONE = 0,
	GRADE_OTHER,		/* of any link layer: not Disabled */
	GRADE_OTHER_LINK_UP,
	GRADE_OTHER_ACTIVE,
	GRADE_IB_STEP = GRADE_OTHER_ACTIVE,	/* every InfiniBand port is above these */
	GRADE_BEST = GRADE_IB_STEP + GRADE_OTHER_ACTIVE,
};

bool umad_port_is_ib(const struct umad_backend_port *port)
{
	return strcmp(port->attr.link_layer, "InfiniBand") == 0 ||
	       strcmp(port->attr.link_layer, "IB") == 0;
}

bool umad_port_has_smi(const struct umad_backend_port *port)
{
	return umad_port_is_ib(port) && !(port->attr.cap_mask & CAP_MASK_SM_DISABLED);
}

static int grade_port(const struct umad_backend_port *port, bool is_switch, bool smi_only)
{
	int grade;

	if (smi_only && !umad_port_has_smi(port))
		return GRADE_NONE;
	/* A switch's management port has no link that could be up. */
	if (port->attr.state == UMAD_PORT_ACTIVE || is_switch)
		grade = GRADE_OTHER_ACTIVE;
	else if (port->attr.phys_state == UMAD_PORT_PHYS_DISABLED)
		return GRADE_NONE;
	else if (port->attr.phys_state == UMAD_PORT_PHYS_LINK_UP)
		grade = GRADE_OTHER_LINK_UP;
	else
		grade = GRADE_OTHER;
	return umad_port_is_ib(port) ? grade + GRADE_IB_STEP : grade;
}

/*
 * Grades the ports of a CA, and replaces 'best_grade' and 'best' by a port with a better grade.
 * 'portnum' 0: any port.
 */
static int choose_in_ca(const struct umad_backend *backend, const char *ca_name,
			unsigned int portnum, bool smi_only, int *best_grade,
			struct umad_choice *best)
{
	struct umad_backend_port port;
	struct umad_backend_ca ca;
	int grade, r;

	r = backend->get_ca(ca_name, &ca);
	if (r < 0)
		return r;
	for (size_t i = 0; i < ca.port_count && *best_grade < GRADE_BEST; i++) {
		bool is_switch = ca.node_type == UMAD_NODE_SWITCH;

		if (is_switch ? ca.port_nums[i] != 0 : ca.port_nums[i] == 0)
			continue;
		if (portnum != 0 && ca.port_nums[i] != portnum)
			continue;
		if (backend->get_port(ca_name, ca.port_nums[i], UMAD_BACKEND_PORT_LINK, &port) < 0)
			continue;
		grade = grade_port(&port, is_switch, smi_only);
		umad_backend_port_release(&port);
		if (grade <= *best_grade)
			continue;
		*best_grade = grade;
		strcpy(best->ca_name, ca_name);
		best->portnum = ca.port_nums[i];
	}
	umad_backend_ca_release(&ca);
	return 0;
}

/*
 * Chooses among all CAs; if no port is suitable, 'ret' has the first CA's name, or "" if there is
 * none.
 */
static int choose_anywhere(const struct umad_backend *backend, unsigned int portnum, bool smi_only,
			   struct umad_choice *ret)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	int best_grade = GRADE_NONE;
	size_t count;
	int r;

	r = umad_list_cas(backend, &names, &count);
	if (r < 0)
		return r == -ENOMEM ? r : -ENODEV;
	for (size_t i = 0; i < count && best_grade < GRADE_BEST; i++)
		choose_in_ca(backend, names[i], portnum, smi_only, &best_grade, ret);
	if (best_grade == GRADE_NONE && count > 0)
		strcpy(ret->ca_name, names[0]);
	free(names);
	return best_grade > GRADE_NONE ? 0 : -ENODEV;
}

static int choose_named(const struct umad_backend *backend, const char *ca_name, bool smi_only,
			struct umad_choice *choice)
{
	struct umad_backend_port port;

	strcpy(choice->ca_name, ca_name);
	if (!smi_only)
		return 0;
	if (backend->get_port(ca_name, choice->portnum, UMAD_BACKEND_PORT_LINK, &port) < 0)
		return -EINVAL;
	umad_backend_port_release(&port);
	return umad_port_has_smi(&port) ? 0 : -EINVAL;
}

int umad_choose_port(const struct umad_backend *backend, const char *ca_name, int portnum,
		     bool smi_only, struct umad_choice *ret)
{
	struct umad_choice choice = { .portnum = 0 };
	int best_grade = GRADE_NONE;
	int r;

	if (portnum < 0)
		return -EINVAL;
	if (ca_name && strlen(ca_name) >= sizeof(choice.ca_name))
		return portnum > 0 ? -EINVAL : -ENODEV;
	if (!ca_name) {
		r = choose_anywhere(backend, (unsigned int)portnum, smi_only, &choice);
	} else if (portnum > 0) {
		choice.portnum = (unsigned int)portnum;
		r = choose_named(backend, ca_name, smi_only, &choice);
	} else {
		r = choose_in_ca(backend, ca_name, 0, smi_only, &best_grade, &choice);
		if (r != -ENOMEM)
			r = best_grade > GRADE_NONE ? 0 : -ENODEV;
	}
	if (r == 0)
		*ret = choice;
	return r;
}

int umad_choose_ca(const struct umad_backend *backend, const char *ca_name,
		   char ret_name[UMAD_BACKEND_NAME_SIZE])
{
	struct umad_choice choice = { .portnum = 0 };
	int r = 0;

	if (!ca_name)
		r = choose_anywhere(backend, 0, false, &choice);
	else if (strlen(ca_name) < sizeof(choice.ca_name))
		strcpy(choice.ca_name, ca_name);
	if (choice.ca_name[0] == '\0')
		return ca_name ? -ENOENT : r == -ENOMEM ? r : -ENODEV;
	strcpy(ret_name, choice.ca_name);
	return 0;
}
