/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The part of the Lua dissector that is the same whatever the dictionary has: how fields are read
 * and shown. The tables before it are written by harness/fields/wireshark.c.
 */
#ifndef UMADRIG_HARNESS_FIELDS_WIRESHARK_LUA_H
#define UMADRIG_HARNESS_FIELDS_WIRESHARK_LUA_H

/* Lua to put before the tables, and after them. */
extern const char *const fields_lua_before;
extern const char *const fields_lua_after;

#endif
