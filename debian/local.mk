# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# debian: the Debian packages. "3.0 (quilt)" takes debian/ from the tree, not from the archive.
EXTRA_DIST += \
	debian/changelog debian/control debian/copyright debian/libumadrig-dev.examples \
	debian/libumadrig-dev.install debian/libumadrig0.install \
	debian/libumadrig0.symbols debian/not-installed debian/python3-umadrig.install \
	debian/rules debian/shlibs.local debian/source/format debian/tests/control \
	debian/tests/nothing-starts debian/tests/smoke debian/umadrig.docs \
	debian/umadrig.install debian/watch

# The packages, from "make dist", in deb/. Debian asks for an address; as long as configure.ac has
# none, it is one that nobody can have (.invalid, RFC 2606).
NO_ADDRESS = <[^<>]*@[^<>]*\.invalid>
# Where uscan looks for releases: debian/watch has it once there is a URL.
WATCHED = $(PACKAGE_URL:/=)/tags .*/v?@ANY_VERSION@@ARCHIVE_EXT@
deb:
	$(MAKE) dist
	rm -rf deb
	mkdir deb
	mv $(distdir).tar.xz deb/$(PACKAGE)_$(VERSION).orig.tar.xz
	cd deb && tar -xJf $(PACKAGE)_$(VERSION).orig.tar.xz && cd $(distdir) && \
		$(if $(PACKAGE_URL),sed -i '/^Standards-Version:/a Homepage: $(PACKAGE_URL)' \
			debian/control &&) \
		$(if $(PACKAGE_URL),printf '%s\n' '$(WATCHED)' >>debian/watch &&) \
		$(if $(PACKAGE_BUGREPORT),sed -i 's/$(NO_ADDRESS)/<$(PACKAGE_BUGREPORT)>/' \
			debian/control debian/changelog &&) \
		dpkg-buildpackage -us -uc
.PHONY: deb
