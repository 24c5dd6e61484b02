# man: manual pages.
dist_man_MANS += man/umadrig.1
