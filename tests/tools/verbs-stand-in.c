/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * verbs-stand-in: loaded before libibverbs, so that srp_daemon and ibsrpdm get as far as their
 * MADs. They first create a queue pair to receive notices, which no MAD layer has. Here is a device
 * with the name from /sys/class/infiniband; everything is created on it successfully, and does
 * nothing. Its ports have the LIDs from there, and the default P_Key.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int nothing(void)
{
	return 0;
}

/*
 * The first word of an ibv_context is followed by the functions that the inline functions of
 * <infiniband/verbs.h> call. What is created on a device begins with a pointer to its context.
 */
static void *context[64], *object[64];
static char name[256];

void **ibv_get_device_list(int *count);
void **ibv_get_device_list(int *count)
{
	static void *devices[] = { name, NULL };
	DIR *dir = opendir("/sys/class/infiniband");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			snprintf(name, sizeof(name), "%s", entry->d_name);
	if (dir)
		closedir(dir);
	for (int i = 0; i < 64; i++) {
		context[i] = (void *)nothing;
		object[i] = context;
	}
	*count = name[0] != '\0';
	return devices;
}

const char *ibv_get_device_name(const void *device);
const char *ibv_get_device_name(const void *device)
{
	return device;
}

static uint16_t number(unsigned int port, const char *file)
{
	char path[512], text[16] = "";
	FILE *stream;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%u/%s", name, port, file);
	stream = fopen(path, "r");
	if (stream && !fgets(text, sizeof(text), stream))
		text[0] = '\0';
	if (stream)
		fclose(stream);
	return (uint16_t)strtoul(text, NULL, 0);
}

/* The part of ibv_port_attr that old and new programs agree on, in half words. */
int ibv_query_port(void *device, uint8_t port, uint16_t *attr);
int ibv_query_port(void *device, uint8_t port, uint16_t *attr)
{
	enum { LID = 17, SM_LID = 18 };

	(void)device;
	attr[LID] = number(port, "lid");
	attr[SM_LID] = number(port, "sm_lid");
	return 0;
}

int ibv_query_pkey(void *device, uint8_t port, int index, uint16_t *pkey_be);
int ibv_query_pkey(void *device, uint8_t port, int index, uint16_t *pkey_be)
{
	(void)device;
	(void)port;
	*pkey_be = htons(0xffff);
	return index ? -1 : 0;
}

#define MAKES(function, made)	\
	void *function(void);	\
	void *function(void)	\
	{			\
		return made;	\
	}
MAKES(ibv_open_device, context)
MAKES(ibv_create_comp_channel, object)
MAKES(ibv_alloc_pd, object)
MAKES(ibv_create_cq, object)
MAKES(ibv_reg_mr, object)
MAKES(ibv_create_qp, object)

#define DOES_NOTHING(function)	\
	int function(void);	\
	int function(void)	\
	{			\
		return 0;	\
	}
DOES_NOTHING(ibv_get_pkey_index)
DOES_NOTHING(ibv_modify_qp)
DOES_NOTHING(ibv_destroy_qp)
DOES_NOTHING(ibv_dereg_mr)
DOES_NOTHING(ibv_destroy_cq)
DOES_NOTHING(ibv_destroy_comp_channel)
DOES_NOTHING(ibv_dealloc_pd)
DOES_NOTHING(ibv_close_device)
DOES_NOTHING(ibv_free_device_list)
