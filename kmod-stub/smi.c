/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The subnet management interface: the hop pointer's rules, as Linux applies them.
 *
 * D is the direction: false on the way out along the initial path, true on the way back.
 */
#include "kmod-stub/smi.h"

#include "kmod-stub/kmod.h"
#include "lib/base/wire.h"

enum { HOP_COUNT_LIMIT = 64 };

/* May the SMP leave by port 'out' of its path: the port itself, or any port of a switch? */
static bool leaves_by(const struct kmod_port_attr *attr, uint8_t out)
{
	if (attr->is_switch)
		return out >= 1 && out <= attr->port_count;
	return out == attr->port_num;
}

static bool fix_up_send_out(const struct kmod_port_attr *attr, uint8_t *smp)
{
	uint8_t hop_cnt = smp[SMP_HOP_CNT];
	uint8_t *hop_ptr = &smp[SMP_HOP_PTR];

	if (hop_cnt > 0 && *hop_ptr == 0) {
		*hop_ptr = 1;
		return leaves_by(attr, smp[SMP_INITIAL_PATH + 1]);
	}
	if (*hop_ptr > 0 && *hop_ptr < hop_cnt) {
		if (!attr->is_switch)
			return false;
		++*hop_ptr;
		return leaves_by(attr, smp[SMP_INITIAL_PATH + *hop_ptr]);
	}
	if (*hop_ptr == hop_cnt) {
		++*hop_ptr;
		return attr->is_switch || smi_dlid_is_permissive(smp);
	}
	return *hop_ptr == hop_cnt + 1;
}

static bool fix_up_send_back(const struct kmod_port_attr *attr, uint8_t *smp)
{
	uint8_t hop_cnt = smp[SMP_HOP_CNT];
	uint8_t *hop_ptr = &smp[SMP_HOP_PTR];

	if (hop_cnt > 0 && *hop_ptr == hop_cnt + 1) {
		--*hop_ptr;
		return leaves_by(attr, smp[SMP_RETURN_PATH + *hop_ptr]);
	}
	if (*hop_ptr >= 2 && *hop_ptr <= hop_cnt) {
		if (!attr->is_switch)
			return false;
		--*hop_ptr;
		return leaves_by(attr, smp[SMP_RETURN_PATH + *hop_ptr]);
	}
	if (*hop_ptr == 1) {
		*hop_ptr = 0;
		return attr->is_switch || smi_slid_is_permissive(smp);
	}
	return *hop_ptr == 0;
}

bool smi_fix_up_send(const struct kmod_port_attr *attr, uint8_t *smp)
{
	if (smp[SMP_HOP_CNT] >= HOP_COUNT_LIMIT)
		return false;
	return smi_is_returning(smp) ? fix_up_send_back(attr, smp) : fix_up_send_out(attr, smp);
}

/*
 * On the way out: the SMP ends here when its path is used up. An SMP that must still be sent on is
 * only kept if it has then arrived at this very node (hop pointer one after the path's end), and
 * there is a driver for it: Linux looks for process_mad, agents or not.
 */
static bool fix_up_receive_out(const struct kmod_port_attr *attr, bool has_driver, uint8_t *smp)
{
	uint8_t hop_cnt = smp[SMP_HOP_CNT];
	uint8_t hop_ptr = smp[SMP_HOP_PTR];

	if (hop_cnt > 0 && hop_ptr == 0)
		return false;
	if (hop_ptr < hop_cnt)
		return false;		/* must go on, which is up to the wire */
	if (hop_ptr == hop_cnt) {
		if (hop_cnt > 0 && !attr->is_switch)
			smp[SMP_RETURN_PATH + hop_ptr] = attr->port_num;
		if (!smi_dlid_is_permissive(smp))
			return attr->is_switch;
		return has_driver && fix_up_send_out(attr, smp);
	}
	return hop_ptr == hop_cnt + 1;
}

static bool fix_up_receive_back(const struct kmod_port_attr *attr, uint8_t *smp)
{
	uint8_t hop_cnt = smp[SMP_HOP_CNT];
	uint8_t *hop_ptr = &smp[SMP_HOP_PTR];

	if (hop_cnt > 0 && *hop_ptr == hop_cnt + 1) {
		--*hop_ptr;
		if (!leaves_by(attr, smp[SMP_RETURN_PATH + *hop_ptr]))
			return false;
		if (*hop_ptr == 1)
			return smi_slid_is_permissive(smp);
		return !attr->is_switch;	/* Linux: a CA keeps what it cannot forward */
	}
	if (*hop_ptr == 1) {
		/* Otherwise it goes on by LID, from a switch, which is up to the wire. */
		if (!smi_slid_is_permissive(smp))
			return false;
		*hop_ptr = 0;
	}
	return *hop_ptr == 0;
}

bool smi_fix_up_receive(const struct kmod_port_attr *attr, bool has_driver, uint8_t *smp)
{
	if (smp[SMP_HOP_CNT] >= HOP_COUNT_LIMIT)
		return false;
	return smi_is_returning(smp) ? fix_up_receive_back(attr, smp) :
				       fix_up_receive_out(attr, has_driver, smp);
}
