/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The MAD dictionary: one table of classes, methods, attributes and their fields.
 *
 * The SMA encodes with it, the script checker resolves names with it, `umadrig show` prints with
 * it. Names are the field's own: attributes as the specification and Wireshark write them
 * (NodeInfo, PathRecord), fields as libibmad prints them (PortSelect, LinkWidthActive, SMLid),
 * methods in the specification's notation with the class prefix (SubnGet, SubnAdmGetTableResp).
 * Look-ups of attributes and fields ignore case and underscores (pkey finds P_Key). Bits of an
 * attribute that no field covers are reserved.
 */
#ifndef UMADRIG_SIM_DICTIONARY_MAD_DICTIONARY_H
#define UMADRIG_SIM_DICTIONARY_MAD_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mad_field_format {
	MAD_FIELD_DEC,
	MAD_FIELD_HEX,
	MAD_FIELD_BOOL,
	MAD_FIELD_GUID,		/* 64 bits */
	MAD_FIELD_GID,		/* 128 bits: bytes */
	MAD_FIELD_IPV4,		/* 32 bits */
	MAD_FIELD_LID,
	MAD_FIELD_STRING,	/* bytes up to the first NUL */
	MAD_FIELD_BYTES,
	MAD_FIELD_ENUM,		/* one of 'names' */
	MAD_FIELD_FLAGS,	/* any of 'names' together: "1X|4X" */
};

/* Enough for "SubnAdmGetTraceTableResp" and "SLtoVLMappingTableRecord" with the terminator. */
#define MAD_NAME_SIZE 48

struct mad_field_name {
	uint64_t value;
	const char *name;
};

/* How a field identifies a fabric: what makes a capture that of a site. */
enum mad_identity {
	MAD_IDENTITY_NONE,
	MAD_IDENTITY_GUID,
	MAD_IDENTITY_GID,
	MAD_IDENTITY_PREFIX,	/* the upper half of a GID */
	MAD_IDENTITY_NAME,	/* text that people chose: of a node, a service */
	MAD_IDENTITY_KEY,	/* 32, 64 or 128 bits */
	MAD_IDENTITY_P_KEY,	/* one or several of 16 bits */
	MAD_IDENTITY_LID,
	MAD_IDENTITY_LID_TOP,	/* the highest LID that a table has */
	MAD_IDENTITY_LID_BLOCK,	/* the number of a block of 64 LIDs */
	MAD_IDENTITY_LID_TABLE,	/* a random forwarding table: 16 entries of 4 bytes, LID first */
	MAD_IDENTITY_PRIVATE,	/* programs' own data, which may be anything */
};

/* A field of an attribute: 'bit' counts from the attribute's first byte, most significant first. */
struct mad_field {
	const char *name;
	uint16_t bit;
	uint16_t width;		/* in bits; strings, GIDs and bytes: a multiple of 8 */
	enum mad_field_format format;
	/* Of ENUM and FLAGS, and of HEX the bits that have names: ends with a NULL name. */
	const struct mad_field_name *names;
	enum mad_identity identity;
};

struct mad_attribute {
	uint16_t id;
	const char *name;		/* "NodeInfo" */
	const struct mad_field *fields;	/* ends with a NULL name; may be NULL: known by name only */
	uint16_t size;			/* bytes; for SA attributes of one record */
};

struct mad_method_info {
	uint8_t method;
	const char *name;		/* without the class prefix: "GetTableResp" */
};

struct mad_class_info {
	uint8_t mgmt_class;		/* first of the range */
	uint8_t last;			/* last of the range; of a single class, mgmt_class */
	uint8_t class_version;		/* the one in use */
	const char *prefix;		/* "Subn", "SubnAdm", "Perf", "Vend", ... of method names */
	const char *name;		/* "SUBN_LID", for class= in scripts and --help */
	uint8_t data_at;		/* offset of the attribute in the MAD */
	const struct mad_method_info *methods;	/* ends with a NULL name */
	const struct mad_attribute *attributes;	/* ends with a NULL name */
};

/*
 * All classes, ended by one with a NULL prefix. If ranges or prefixes overlap, the first counts:
 * "Subn" is directed route, "Vend" is range 2.
 */
const struct mad_class_info *mad_dictionary(void);

/* The class of value 'mgmt_class', or NULL if that is reserved. */
const struct mad_class_info *mad_class_find(uint8_t mgmt_class);
/* The class named 'name' in scripts (SUBN_ADM, SA, SUBN_DR, ... or a prefix), or NULL. */
const struct mad_class_info *mad_class_by_name(const char *name);

/*
 * Parses a full method name, "SubnAdmGetTableResp", into class and method. False if there is none;
 * then '*ret_suggestion' (may be NULL) is the closest known one, or NULL. A "Subn" method may mean
 * directed route or LID: '*ret_class' is then the directed-route class.
 */
bool mad_method_parse(const char *name, const struct mad_class_info **ret_class,
		      uint8_t *ret_method, const char **ret_suggestion);

/*
 * "SubnGet"; unknown methods as "Subn(0x1f)", those of a reserved class as "Class(0x50)Get". At
 * most 'size' bytes with the terminator; MAD_NAME_SIZE is always enough.
 */
void mad_method_format(uint8_t mgmt_class, uint8_t method, char *buf, size_t size);

const struct mad_attribute *mad_attribute_find(uint8_t mgmt_class, uint16_t attr_id);
const struct mad_attribute *mad_attribute_by_name(const struct mad_class_info *info,
						  const char *name, const char **ret_suggestion);

/*
 * For advice: a method that has the attribute called 'name', "SubnGetResp", at most 'size' bytes
 * with the terminator, as mad_method_format() has them; false: there is no such attribute.
 */
bool mad_method_with_attribute(const char *name, char *buf, size_t size);
/* For advice: the first attribute that has a field called 'field'; NULL: none has. */
const struct mad_attribute *mad_attribute_with_field(const char *field);

/* "NodeInfo"; unknown ones as "0x00ff". */
void mad_attribute_format(uint8_t mgmt_class, uint16_t attr_id, char *buf, size_t size);

/* What a status means ("method not supported"), or NULL if the specification does not define it. */
const char *mad_status_words(uint16_t status);

const struct mad_field *mad_field_by_name(const struct mad_attribute *attribute, const char *name,
					  const char **ret_suggestion);
/*
 * The field called 'name' of attribute 'attr_id', which must exist (asserted); for the agents' own
 * use.
 */
const struct mad_field *mad_field_must(uint8_t mgmt_class, uint16_t attr_id, const char *name);

/*
 * The fields of a generic notice's data details, which are the bytes of NoticeDataDetails: ended by
 * one with a NULL name, 'bit' counted from the Notice's first byte. NULL: not known.
 */
const struct mad_field *mad_notice_details(uint16_t trap_number);
#define MAD_CONNECT_REQUEST "ConnectRequest"

/* The same of the private data of a ConnectRequest of RDMA CM, and of its ServiceID. */
const struct mad_field *mad_ip_cm_details(bool is_ipv4);
/* Is the ConnectRequest at 'data' one of RDMA CM? Then, does it say IPv4? */
bool mad_is_ip_cm(const uint8_t *data);
bool mad_ip_cm_is_ipv4(const uint8_t *data);
/*
 * The same of the attribute at 'data': a generic notice or a ConnectRequest of RDMA CM. NULL: it is
 * neither, or not known.
 */
const struct mad_field *mad_details_of(const struct mad_attribute *attribute, const uint8_t *data);

/* Is it read and written as a number? Strings, bytes and GIDs are not. */
bool mad_field_is_number(const struct mad_field *field);
/* The largest value of a number. */
uint64_t mad_field_max(const struct mad_field *field);

/*
 * Reads and writes a field of at most 64 bits in the attribute at 'data'. Bits of 'value' beyond
 * the field's width are cut off; all others of 'data' stay as they are.
 */
uint64_t mad_field_get(const struct mad_field *field, const uint8_t *data);
void mad_field_set(const struct mad_field *field, uint8_t *data, uint64_t value);

/*
 * The field's value in readable form: "4X", "0x0002c90300000001", "Active". Unprintable bytes of
 * strings become \xNN; what does not fit in 'size' bytes ends in "...".
 */
void mad_field_format_value(const struct mad_field *field, const uint8_t *data, char *buf,
			    size_t size);

/* The value of a name among the field's 'names' ("Active", or "1X|4X" of flags): false: none. */
bool mad_field_parse_name(const struct mad_field *field, const char *text, uint64_t *ret_value);

/*
 * The one of 'candidates' (NULL-terminated) that is a typo away from 'word', or NULL: for "did you
 * mean".
 */
const char *mad_closest(const char *word, const char *const *candidates);

#endif
