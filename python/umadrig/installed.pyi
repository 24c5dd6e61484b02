# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# installed.py is made by "make install".
BINDIR: str
LIBDIR: str
UMADLIBDIR: str
