# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/python: the Python module; each file is a pytest suite that tests/rig/pytest-run turns into
# TAP.
PYTEST_SUITES = \
	tests/python/test_capture.py \
	tests/python/test_conditions.py \
	tests/python/test_ctl_json.py \
	tests/python/test_example.py \
	tests/python/test_fabric.py \
	tests/python/test_faults.py \
	tests/python/test_kernel.py \
	tests/python/test_library.py \
	tests/python/test_mad.py \
	tests/python/test_plugin.py \
	tests/python/test_program.py \
	tests/python/test_programs.py \
	tests/python/test_replay.py \
	tests/python/test_types.py \
	tests/python/test_umad.py
TESTS += $(PYTEST_SUITES)
EXTRA_DIST += $(PYTEST_SUITES) tests/rig/pytest-run tests/rig/pytest_tap.py
