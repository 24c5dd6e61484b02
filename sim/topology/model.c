/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The models of systems: boxes of one device, and those that IBNL files describe. */
#include "config.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "sim/topology/ibnl.h"
#include "sim/topology/text-file.h"

/* Boxes and cards of one device, by all their names: connector Pn is the device's port n. */
static const struct {
	const char *names;
	const char *kind;
	unsigned int ports;
	const char *make;	/* its digits are the device id, in decimal */
} simple_models[] = {
	{ "MT23108,Cougar,MTPB23108,MHX-CE128-T,MHX-CE256-T,MHX-CE512-T,MHXL-CF128-T,"
	  "MHXL-CF256-T,MHXL-CF512-T", "CA", 2, "MT23108" },
	{ "MT25208,Lion,MTLP25208,MHEL-CF128-T,MHEL-CF256-T,MHEL-CF512-T", "CA", 2, "MT25208" },
	{ "MT25218,LionMini,MHEA28-XT", "CA", 2, "MT25218" },
	{ "MT25204,Cheetah,MHGS18-XT", "CA", 1, "MT25204" },
	{ "MT25408,Eagle,MHEH28,MHGH28", "CA", 2, "MT25408" },
	{ "MT43132,MTS800,Buffalo", "SW", 8, "MT43132" },
	{ "MT47396,MTS2400,MTS2400-24,Reindeer", "SW", 24, "MT47396" },
	{ "MT48436,MTS3600,Shark,IS4,F464M", "SW", 36, "MT48436" },
};

/* Where ibdm installs its own. */
static const char *const installed[] = {
	"/usr/lib/*/ibdm*/ibnl", "/usr/lib/ibdm*/ibnl", "/usr/lib64/ibdm*/ibnl",
	"/usr/local/lib/ibdm*/ibnl",
};

#define IBNL_BYTES_MAX (16 << 20)

struct ibnl_library {
	struct topology_reader *reader;
	GPtrArray *models;	/* of struct ibnl_model * */
	GHashTable *by_name;	/* a box's name -> its model */
	unsigned int searched;	/* places whose files were read */
};

static void library_add(struct ibnl_library *library, struct ibnl_model *model)
{
	g_ptr_array_add(library->models, model);
	for (unsigned int i = 0; model->top && i < model->top_names->len; i++)
		if (!g_hash_table_contains(library->by_name, model->top_names->pdata[i]))
			g_hash_table_insert(library->by_name, model->top_names->pdata[i], model);
}

/* ---- boxes of one device ---- */

static void library_add_simple(struct ibnl_library *library)
{
	for (size_t i = 0; i < G_N_ELEMENTS(simple_models); i++) {
		GString *text = g_string_new(NULL);

		g_string_printf(text, "TOPSYSTEM %s\nNODE %s %u %s U1\n", simple_models[i].names,
				simple_models[i].kind, simple_models[i].ports,
				simple_models[i].make);
		for (unsigned int port = 1; port <= simple_models[i].ports; port++)
			g_string_append_printf(text, "%u -> P%u\n", port, port);
		library_add(library, ibnl_parse(library->reader, (struct span){
				text->str, text->str + text->len }));
		g_string_free(text, true);
	}
}

/* ---- files ---- */

/* Reads it as one of the topology's files, so that diagnostics name it. */
static void library_read(struct ibnl_library *library, const char *path)
{
	struct topology_reader *reader = library->reader;
	unsigned int file_number = reader->file_number, line = reader->line;
	char *text;
	gsize size;
	GError *error = NULL;

	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
		return;
	if (!text_file_read(path, TEXT_FILE_MAX, &text, &size, &error)) {
		topology_diagnose(reader, TOPOLOGY_WARNING, reader->line, "%s; its model is not "
				  "known", error->message);
		g_error_free(error);
		return;
	}
	if (size <= IBNL_BYTES_MAX) {
		g_ptr_array_add(reader->topology->files, g_strdup(path));
		reader->file_number = reader->topology->files->len - 1;
		library_add(library, ibnl_parse(reader, (struct span){ text, text + size }));
		reader->file_number = file_number;
		reader->line = line;
	}
	g_free(text);
}

static int path_compare(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All models in a directory, in the order of their names' bytes. */
static void library_read_directory(struct ibnl_library *library, const char *directory)
{
	GDir *dir = g_dir_open(directory, 0, NULL);
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".ibnl"))
			g_ptr_array_add(paths, g_build_filename(directory, name, NULL));
	g_ptr_array_sort(paths, path_compare);
	for (unsigned int i = 0; i < paths->len; i++)
		library_read(library, paths->pdata[i]);
	g_ptr_array_unref(paths);
	if (dir)
		g_dir_close(dir);
}

static void library_read_installed(struct ibnl_library *library)
{
	for (size_t i = 0; i < G_N_ELEMENTS(installed); i++) {
		glob_t found = { 0 };

		if (glob(installed[i], GLOB_NOSORT, NULL, &found) == 0) {
			qsort(found.gl_pathv, found.gl_pathc, sizeof(char *), path_compare);
			for (size_t j = 0; j < found.gl_pathc; j++)
				library_read_directory(library, found.gl_pathv[j]);
		}
		globfree(&found);
	}
}

static void library_read_beside(struct ibnl_library *library)
{
	char *directory = g_path_get_dirname(library->reader->topology->file);

	library_read_directory(library, directory);
	g_free(directory);
}

static void library_read_named(struct ibnl_library *library)
{
	const char *named = g_getenv("UMADRIG_IBNL");
	char **directories = g_strsplit(named ? named : "", ":", 0);

	for (char **directory = directories; *directory; directory++)
		if (**directory)
			library_read_directory(library, *directory);
	g_strfreev(directories);
}

/* Where models are looked for, in this order until one is found. */
static void (*const places[])(struct ibnl_library *library) = {
	library_read_beside, library_read_named, library_read_installed,
};

/* ---- the library ---- */

static void model_free(gpointer data)
{
	ibnl_model_free(data);
}

struct ibnl_library *ibnl_library_new(struct topology_reader *reader)
{
	struct ibnl_library *library = g_new0(struct ibnl_library, 1);

	library->reader = reader;
	library->models = g_ptr_array_new_with_free_func(model_free);
	library->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	library_add_simple(library);
	return library;
}

void ibnl_library_free(struct ibnl_library *library)
{
	g_hash_table_unref(library->by_name);
	g_ptr_array_unref(library->models);
	g_free(library);
}

const struct ibnl_model *ibnl_find(struct ibnl_library *library, const char *name)
{
	const struct ibnl_model *model;

	while (!(model = g_hash_table_lookup(library->by_name, name)) &&
	       library->searched < G_N_ELEMENTS(places))
		places[library->searched++](library);
	return model;
}
