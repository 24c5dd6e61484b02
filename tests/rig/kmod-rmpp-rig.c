/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RMPP transfers of kmod-stub as rows.
 */
#include "tests/rig/kmod-rmpp-rig.h"

enum { OUI = 0x001405 };

static uint8_t class_version(uint8_t mgmt_class)
{
	return mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1;
}

struct rig *rmpp_rig_new(uint8_t mgmt_class, enum kmod_profile profile,
			 struct rig_file **ret_a, struct rig_file **ret_b)
{
	uint8_t used_class = mgmt_class ? mgmt_class : MAD_CLASS_SUBN_ADM;
	const struct rig_registration words = {
		.qpn = 1,
		.mgmt_class = used_class,
		.class_version = class_version(used_class),
		.methods = 1u << MAD_METHOD_GET_TABLE | 1u << RMPP_METHOD_GET_MULTI,
		.oui = OUI,
		.rmpp_version = 1,
	};
	struct rig *rig = rig_new_profile(RMPP_HI_TID, profile);

	rig->tells_segments = true;
	*ret_a = rig_open(rig, &rig->a, 'a');
	*ret_b = rig_open(rig, &rig->b, 'b');
	g_assert_cmpint(rig_register(*ret_a, &words), ==, 0);
	g_assert_cmpint(rig_register(*ret_b, &words), ==, 0);
	rig_make_room(*ret_a, 100000);
	rig_make_room(*ret_b, 100000);
	return rig;
}

static void take_step(const struct rmpp_row *row, struct rig *rig, struct rig_file *file,
		      const struct rmpp_step *step)
{
	struct rig_mad mad = step->mad;
	long ret = 1;

	if (!mad.mgmt_class)
		mad.mgmt_class = row->mgmt_class ? row->mgmt_class : MAD_CLASS_SUBN_ADM;
	mad.class_version = class_version(mad.mgmt_class);
	if (mad_class_is_vendor2(mad.mgmt_class))
		mad.oui = OUI;
	if (!mad.tid)
		mad.tid = UINT64_C(1) * RMPP_HI_TID << 32 | 1;
	rig_run(rig, step->at_ms);
	switch (step->what) {
	case RMPP_PLAIN:
		ret = rig_write(file, &mad, &step->route);
		break;
	case RMPP_MESSAGE:
		ret = rig_write_message(file, &mad, &step->route, step->size);
		break;
	case RMPP_ARRIVES:
		rig_inject(file->at, &mad, &step->route);
		break;
	case RMPP_UNREGISTER:
		g_assert_cmpint(rig_unregister(file, file->agent_id), ==, 0);
		break;
	case RMPP_END_OF_STEPS:
		break;
	}
	if (step->err)
		g_assert_cmpint(ret, ==, step->err);
	else
		g_assert_cmpint(ret, >, 0);
}

void rmpp_rows_run(const struct rmpp_row *rows, size_t count)
{
	for (const struct rmpp_row *row = rows; row < rows + count; row++) {
		g_autofree char *name = g_strdup_printf("statement %d: %s", row->statement,
							row->why);
		struct rig_file *a, *b;
		struct rig *rig = rmpp_rig_new(row->mgmt_class, row->profile, &a, &b);

		g_test_message("%s", name);
		rig_lose(rig, row->loses);
		for (unsigned int i = 0; i < RMPP_STEPS_MAX && row->steps[i].what; i++)
			take_step(row, rig, row->steps[i].who == 'a' ? a : b, &row->steps[i]);
		rig_run(rig, row->until_ms ? row->until_ms : 100000);
		rig_expect(rig, name, row->happens);
		rig_free(rig);
	}
}
