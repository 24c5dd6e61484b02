# man: manual pages.
