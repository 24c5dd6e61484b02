# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# python: the module umadrig. It is Python alone: what it calls is libumadrig, libibumad and the
# command umadrig, whose places it has in a file that make writes.
MODULE_SOURCES = \
	python/umadrig/__init__.py \
	python/umadrig/capture.py \
	python/umadrig/clock.py \
	python/umadrig/console.py \
	python/umadrig/counters.py \
	python/umadrig/dictionary.py \
	python/umadrig/errors.py \
	python/umadrig/fabric.py \
	python/umadrig/fault.py \
	python/umadrig/handle.py \
	python/umadrig/library.py \
	python/umadrig/load.py \
	python/umadrig/mad.py \
	python/umadrig/node.py \
	python/umadrig/options.py \
	python/umadrig/port.py \
	python/umadrig/program.py \
	python/umadrig/property.py \
	python/umadrig/pytest_plugin.py \
	python/umadrig/recording.py \
	python/umadrig/replay.py \
	python/umadrig/serving.py \
	python/umadrig/umad.py
MODULE_FILES = python/umadrig/installed.pyi python/umadrig/py.typed
EXTRA_DIST += $(MODULE_SOURCES) $(MODULE_FILES) python/pyproject.toml

# A wheel and an sdist, in python/dist: of a copy, because setuptools leaves files beside sources.
pythondist = python
python-dist:
	@rm -rf $(pythondist)/dist $(pythondist)/source
	@$(MKDIR_P) $(pythondist)/dist $(pythondist)/source/umadrig
	@for file in $(MODULE_SOURCES) $(MODULE_FILES); do \
		cp "$(srcdir)/$$file" $(pythondist)/source/umadrig/ || exit; done
	@cp $(srcdir)/python/pyproject.toml $(srcdir)/COPYING $(pythondist)/source/
	@cd $(pythondist)/source && $(PYTHON) -B -c 'from setuptools import build_meta as made; \
		made.build_sdist("../dist"); made.build_wheel("../dist")' >../dist.log 2>&1 || \
		{ tail -n 20 ../dist.log >&2; exit 1; }
	@echo $(pythondist)/dist/*
.PHONY: python-dist
# Of clean-local: doc/local.mk.
clean-python-dist:
	rm -rf python/dist python/source python/dist.log

if HAVE_PYTHON
pymoduledir = $(pythondir)/umadrig
pymodule_PYTHON = $(MODULE_SOURCES)
nodist_pymodule_PYTHON = python/installed.py
pymoduledata_DATA = $(MODULE_FILES)
pymoduledatadir = $(pymoduledir)
# What pip, pytest and importlib.metadata read.
pyinfodir = $(pythondir)/umadrig-$(PACKAGE_VERSION).dist-info
nodist_pyinfo_DATA = python/METADATA python/entry_points.txt
CLEANFILES += python/installed.py python/METADATA python/entry_points.txt
endif

# REUSE-IgnoreStart
python/installed.py: Makefile
	$(AM_V_GEN)$(MKDIR_P) python && \
	printf '%s\n' '# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only' \
		'"""Where the command and the libraries are."""' \
		'BINDIR = "$(bindir)"' 'LIBDIR = "$(libdir)"' \
		'UMADLIBDIR = "$(umadlibdir)"' >$@.new && mv $@.new $@
# REUSE-IgnoreEnd

python/METADATA: Makefile
	$(AM_V_GEN)$(MKDIR_P) python && \
	printf '%s\n' 'Metadata-Version: 2.1' 'Name: umadrig' 'Version: $(PACKAGE_VERSION)' \
		'Summary: Software that speaks InfiniBand MADs, tested on a simulated fabric' \
		'License: BSD-2-Clause OR GPL-2.0-only' 'Requires-Python: >=3.9' \
		$(if $(PACKAGE_URL),'Home-page: $(PACKAGE_URL)') >$@.new && \
	mv $@.new $@

# pytest finds the plugin by it.
python/entry_points.txt: Makefile
	$(AM_V_GEN)$(MKDIR_P) python && \
	printf '%s\n' '[pytest11]' 'umadrig = umadrig.pytest_plugin' >$@.new && mv $@.new $@
