# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# man: manual pages.
dist_man_MANS += man/umadrig.1

# The commands, and what they read and write.
dist_man_MANS += \
	man/umadrig-formats.5 \
	man/umadrig-hca.4 \
	man/umadrig-bridge.1 \
	man/umadrig-ctl.1 \
	man/umadrig-diff.1 \
	man/umadrig-doctor.1 \
	man/umadrig-env.1 \
	man/umadrig-exec.1 \
	man/umadrig-explore.1 \
	man/umadrig-fields.1 \
	man/umadrig-format.1 \
	man/umadrig-guest.1 \
	man/umadrig-kernel.1 \
	man/umadrig-lint.1 \
	man/umadrig-record.1 \
	man/umadrig-replay.1 \
	man/umadrig-run.1 \
	man/umadrig-scenario.5 \
	man/umadrig-report.1 \
	man/umadrig-scrub.1 \
	man/umadrig-serve.1 \
	man/umadrig-show.1 \
	man/umadrig-topology.1

# The calls of libibumad, in a section of our own beside those of libibumad-dev.
dist_man_MANS += man/umad.7
dist_man_MANS += \
	man/umad_addr_dump.3umadrig \
	man/umad_alloc.3umadrig \
	man/umad_attribute_str.3umadrig \
	man/umad_class_str.3umadrig \
	man/umad_close_port.3umadrig \
	man/umad_common_mad_status_str.3umadrig \
	man/umad_debug.3umadrig \
	man/umad_done.3umadrig \
	man/umad_dump.3umadrig \
	man/umad_free.3umadrig \
	man/umad_free_ca_device_list.3umadrig \
	man/umad_get_ca.3umadrig \
	man/umad_get_ca_device_list.3umadrig \
	man/umad_get_ca_portguids.3umadrig \
	man/umad_get_cas_names.3umadrig \
	man/umad_get_fd.3umadrig \
	man/umad_get_issm_path.3umadrig \
	man/umad_get_mad.3umadrig \
	man/umad_get_mad_addr.3umadrig \
	man/umad_get_pkey.3umadrig \
	man/umad_get_port.3umadrig \
	man/umad_get_smi_gsi_pair_by_ca_name.3umadrig \
	man/umad_get_smi_gsi_pairs.3umadrig \
	man/umad_host_enter.3umadrig \
	man/umad_init.3umadrig \
	man/umad_mad_status_str.3umadrig \
	man/umad_method_str.3umadrig \
	man/umad_open_port.3umadrig \
	man/umad_open_smi_port.3umadrig \
	man/umad_poll.3umadrig \
	man/umad_recv.3umadrig \
	man/umad_register.3umadrig \
	man/umad_register2.3umadrig \
	man/umad_register_oui.3umadrig \
	man/umad_release_ca.3umadrig \
	man/umad_release_port.3umadrig \
	man/umad_sa_mad_status_str.3umadrig \
	man/umad_send.3umadrig \
	man/umad_set_addr.3umadrig \
	man/umad_set_addr_net.3umadrig \
	man/umad_set_grh.3umadrig \
	man/umad_set_grh_net.3umadrig \
	man/umad_set_pkey.3umadrig \
	man/umad_size.3umadrig \
	man/umad_sort_ca_device_list.3umadrig \
	man/umad_status.3umadrig \
	man/umad_unregister.3umadrig

# Installed pages name the version, which configure.ac alone has.
install-data-hook:
	for page in $(dist_man_MANS); do \
		name=$${page##*/}; section=$${name##*.}; section=$${section%umadrig}; \
		$(SED) -i 's/^\(\.TH .*\) umadrig "\([^"]*\)"$$/\1 "$(PACKAGE_STRING)" "\2"/' \
			"$(DESTDIR)$(mandir)/man$$section/$$name" || exit 1; \
	done
