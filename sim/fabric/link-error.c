/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Errors of links: see sim/fabric/link-error.h.
 */
#include "sim/fabric/link-error.h"

#include "sim/fabric/port-counters.h"
#include "sim/fabric/port.h"
#include "sim/fabric/trap.h"

void link_error_report(struct port *port, enum umadrig_link_error error)
{
	switch (error) {
	case UMADRIG_LINK_INTEGRITY:
		port->phys_errors = 0;
		port_counters_add(&port->counters, COUNTER_LINK_INTEGRITY_ERRORS, 1);
		port_counters_add(&port->counters, COUNTER_LINK_ERROR_RECOVERY, 1);
		break;
	case UMADRIG_BUFFER_OVERRUN:
		port->overruns = 0;
		port_counters_add(&port->counters, COUNTER_EXCESSIVE_OVERRUN_ERRORS, 1);
		break;
	case UMADRIG_FLOW_CONTROL_WATCHDOG:
		/* On VL 0, which every link has. */
		port_counters_add(&port->counters, COUNTER_FLOW_CTL_UPDATE_ERRORS, 1);
		break;
	}
	trap_link_error(port, error);
}

void link_error_symbols(struct port *port, unsigned int count)
{
	if (count)
		port_counters_add(&port->counters, COUNTER_SYMBOL_ERRORS, count);
}

void link_error_packet(struct port *port, enum counter counter)
{
	if (counter == COUNTER_NEVER)
		return;
	port_counters_add(&port->counters, counter, 1);
	if (counter == COUNTER_LOCAL_PHYSICAL_ERRORS &&
	    ++port->phys_errors > port->phys_error_threshold)
		link_error_report(port, UMADRIG_LINK_INTEGRITY);
}

void link_error_overrun(struct port *port, bool is_smp)
{
	/* IBA vol 1, 16.1.3.5: VL 15 has no flow control, and losing packets there is no error. */
	if (is_smp) {
		port_counters_add(&port->counters, COUNTER_VL15_DROPPED, 1);
		return;
	}
	port_counters_add(&port->counters, COUNTER_BUFFER_OVERRUN_ERRORS, 1);
	if (++port->overruns > port->overrun_threshold)
		link_error_report(port, UMADRIG_BUFFER_OVERRUN);
}

void link_error_recover(struct port *port)
{
	if (port->phys_errors)
		port->phys_errors--;
	port->overruns = 0;
}
