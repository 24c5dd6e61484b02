# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
EXTRA_DIST += doc/nightly.md doc/virtual-time.md doc/system-calls.md doc/architecture.md \
	doc/scenario-language.md
# The language for whoever writes another reader of it.
dist_doc_DATA = doc/scenario-grammar.ebnf
# What users may copy: built and run in make check, and again as installed
# (tests/harness/install.sh).
examplesdir = $(docdir)/examples
dist_examples_DATA = \
	doc/examples/README \
	doc/examples/april.pcapng \
	doc/examples/cluster.net \
	doc/examples/lossy-cable.py \
	doc/examples/lost-answer.c \
	doc/examples/march.pcapng \
	doc/examples/retry.mad
dist_examples_SCRIPTS = doc/examples/my-tests
fabricmanagerdir = $(examplesdir)/fabric-manager
dist_fabricmanager_DATA = \
	doc/examples/fabric-manager/README \
	doc/examples/fabric-manager/fabric_manager.py \
	doc/examples/fabric-manager/pytest.ini \
	doc/examples/fabric-manager/test_fabric_manager.py
discoverydir = $(examplesdir)/discovery
dist_discovery_DATA = doc/examples/discovery/README.md
dist_discovery_SCRIPTS = doc/examples/discovery/check.py doc/examples/discovery/discover.py \
	doc/examples/discovery/run.sh
exporterdir = $(examplesdir)/exporter
dist_exporter_DATA = doc/examples/exporter/README.md
dist_exporter_SCRIPTS = doc/examples/exporter/exporter.py doc/examples/exporter/run.sh \
	doc/examples/exporter/scrape.py
failoverdir = $(examplesdir)/failover
dist_failover_DATA = doc/examples/failover/README.md doc/examples/failover/failover.mad
dist_failover_SCRIPTS = doc/examples/failover/run.sh
kubernetesdir = $(examplesdir)/kubernetes
dist_kubernetes_DATA = doc/examples/kubernetes/Containerfile \
	doc/examples/kubernetes/README.md doc/examples/kubernetes/values.yaml
dist_kubernetes_SCRIPTS = doc/examples/kubernetes/ibnetdiscover \
	doc/examples/kubernetes/labels.py doc/examples/kubernetes/nodes.py
linkflapdir = $(examplesdir)/link-flap
dist_linkflap_DATA = doc/examples/link-flap/README.md doc/examples/link-flap/expected.txt
dist_linkflap_SCRIPTS = doc/examples/link-flap/flap_alert.py doc/examples/link-flap/run.sh
# For other projects: each is copied there as it stands (tests/upstream/kits.sh).
KIT = doc/examples/upstream
kitrdmacoredir = $(examplesdir)/upstream/rdma-core
dist_kitrdmacore_DATA = $(KIT)/rdma-core/README.md $(KIT)/rdma-core/umadrig.yml
dist_kitrdmacore_SCRIPTS = $(KIT)/rdma-core/run.sh
kitopensmdir = $(examplesdir)/upstream/opensm
dist_kitopensm_DATA = $(KIT)/opensm/README.md $(KIT)/opensm/failover.mad \
	$(KIT)/opensm/losses.plan $(KIT)/opensm/umadrig.yml
dist_kitopensm_SCRIPTS = $(KIT)/opensm/run.sh
kitdiagsdir = $(examplesdir)/upstream/infiniband-diags
dist_kitdiags_DATA = $(KIT)/infiniband-diags/README.md $(KIT)/infiniband-diags/cluster.net
dist_kitdiags_SCRIPTS = $(KIT)/infiniband-diags/health.sh $(KIT)/infiniband-diags/run.sh
kitlinuxdir = $(examplesdir)/upstream/linux-rdma
dist_kitlinux_DATA = $(KIT)/linux-rdma/Makefile $(KIT)/linux-rdma/README.md \
	$(KIT)/linux-rdma/config $(KIT)/linux-rdma/register.mad $(KIT)/linux-rdma/route.mad \
	$(KIT)/linux-rdma/self.mad $(KIT)/linux-rdma/settings
dist_kitlinux_SCRIPTS = $(KIT)/linux-rdma/umad_statements.sh
EXTRA_DIST += doc/any-program.md doc/captures.md doc/compatibility.md doc/containers.md \
	doc/ctl-json.md \
	doc/exporters.md doc/fidelity.md doc/fields-json.md doc/kernel.md doc/linux-mad.md \
	doc/programs.md \
	doc/python.md \
	doc/show-json.md doc/scale.md doc/scale.svg doc/scale.txt doc/tutorial.md \
	doc/upstream-bugs.md
# The web site, in site/html: make site. Not part of the build.
EXTRA_DIST += doc/site/conf.py doc/site/gallery.md doc/site/gallery.txt doc/site/index.md \
	doc/site/make-site doc/site/reference.py doc/site/scorer.js doc/site/static/site.css
site: umadrig$(EXEEXT)
	@python=$(PYTHON); test "$$python" != : || python=python3; \
	$$python -B $(top_srcdir)/doc/site/make-site $(if $(PACKAGE_URL),--url '$(PACKAGE_URL)') \
		$(top_srcdir) ./umadrig$(EXEEXT) site
.PHONY: site
clean-local: clean-site clean-python-dist
clean-site:
	rm -rf site
# For the CI of other projects.
EXTRA_DIST += doc/ci/check-current-gitlab.yml doc/ci/check-current.yml \
	doc/ci/compose.yaml doc/ci/daemonset.yaml doc/ci/explore-job.yaml \
	doc/ci/explore-merge.yaml doc/ci/explore.sbatch doc/ci/explore.yml doc/ci/gitlab.yml \
	doc/ci/pod.yaml
# What umadrig writes for other programs; tests/harness/json-schema.sh holds each command to it.
EXTRA_DIST += doc/explore-json.md doc/run-json.md
schemadir = $(pkgdatadir)/schema
dist_schema_DATA = doc/schema/ctl.json doc/schema/diff.json doc/schema/diff-fabric.json \
	doc/schema/doctor.json \
	doc/schema/env.json doc/schema/explore.json doc/schema/fields.json doc/schema/kernel.json \
	doc/schema/quirks.json doc/schema/run.json \
	doc/schema/topology.json
