/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * "FILE[,OPTION=VALUE...]".
 */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "kmod-stub/kmod.h"
#include "tests/rig/leak.h"
#include "sim/run/spec.h"

/* The only files that exist. */
static bool exists(const char *path)
{
	return strcmp(path, "a.net") == 0 || strcmp(path, "a,b.net") == 0 ||
	       strcmp(path, "a,b") == 0;
}

/* Given a text, when it is parsed, then the file and the options. */
static const struct good {
	const char *text;
	const char *file;
	struct umadrig_options want;
} good[] = {
	{ "", "", { .seed = 1, .first_hi_tid = 1 } },
	{ "a.net", "a.net", { .seed = 1, .first_hi_tid = 1 } },
	{ ",clock=virtual", "", { .seed = 1, .first_hi_tid = 1, .virtual_clock = true } },
	{ "a.net,clock=real,state=active", "a.net", { .seed = 1, .first_hi_tid = 1 } },
	{ "a.net,state=cold", "a.net", { .seed = 1, .first_hi_tid = 1, .cold = true } },
	{ "a.net,partial=yes", "a.net", { .seed = 1, .first_hi_tid = 1, .partial = true } },
	{ "a.net,order=any", "a.net", { .seed = 1, .first_hi_tid = 1, .any_order = true } },
	{ "a.net,order=time", "a.net", { .seed = 1, .first_hi_tid = 1 } },
	{ "a.net,partial=no", "a.net", { .seed = 1, .first_hi_tid = 1 } },
	{ "a.net,seed=0x10", "a.net", { .seed = 16, .seed_set = true, .first_hi_tid = 1 } },
	{ "a.net,seed=18446744073709551615", "a.net",
	  { .seed = UINT64_MAX, .seed_set = true, .first_hi_tid = 1 } },
	{ "a.net,latency=1us", "a.net", { .seed = 1, .first_hi_tid = 1, .latency_ns = 1000 } },
	{ "a.net,latency=1.5ms", "a.net", { .seed = 1, .first_hi_tid = 1, .latency_ns = 1500000 } },
	{ "a.net,latency=2s", "a.net",
	  { .seed = 1, .first_hi_tid = 1, .latency_ns = INT64_C(2000000000) } },
	{ "a.net,latency=0", "a.net", { .seed = 1, .first_hi_tid = 1 } },
	{ "a.net,fault=drop 5%,seed=2,fault=delay 3 by 1ms on S1[3]", "a.net",
	  { .seed = 2, .seed_set = true, .first_hi_tid = 1,
	    .faults = (char *[]){ (char *)"drop 5%",
				  (char *)"delay 3 by 1ms on S1[3]", NULL } } },
	{ "a.net,hi-tid=16777215", "a.net", { .seed = 1, .first_hi_tid = 0xffffff } },
	{ "a.net,send-queue-size=64,recv-queue-size=8192", "a.net",
	  { .seed = 1, .first_hi_tid = 1, .send_queue_size = 64, .recv_queue_size = 8192 } },
	{ "a.net,profile=linux-6.1", "a.net", { .seed = 1, .first_hi_tid = 1 } },
	{ "a.net,profile=linux-5.10", "a.net", { .seed = 1, .first_hi_tid = 1,
						 .profile = KMOD_LINUX_5_10 } },
	{ "a.net,profile=linux-6.17", "a.net", { .seed = 1, .first_hi_tid = 1,
						 .profile = KMOD_LINUX_6_17 } },
	{ "a.net,kernel=6.12,kernel=H1:/k.so", "a.net",
	  { .seed = 1, .first_hi_tid = 1,
	    .kernels = (char *[]){ (char *)"6.12", (char *)"H1:/k.so", NULL } } },
	{ "a.net,kernel=uml:6.12,guest-directory=/x/../y", "a.net",
	  { .seed = 1, .first_hi_tid = 1, .guest_directory = (char *)"/y",
	    .kernels = (char *[]){ (char *)"uml:6.12", NULL } } },
	{ "a.net,report=x.txt", "a.net",
	  { .seed = 1, .first_hi_tid = 1, .report = (char *)"x.txt" } },
	{ "a.net,host=node 7,capture=x.pcapng", "a.net",
	  { .seed = 1, .first_hi_tid = 1, .host = (char *)"node 7",
	    .capture = (char *)"x.pcapng" } },
	/* A comma in a file's name. */
	{ "a,b.net", "a,b.net", { .seed = 1, .first_hi_tid = 1 } },
	{ "a,b.net,state=cold", "a,b.net", { .seed = 1, .first_hi_tid = 1, .cold = true } },
	{ "a,b,state=cold", "a,b", { .seed = 1, .first_hi_tid = 1, .cold = true } },
	/* The numbers of a generated fabric have commas, too. */
	{ "generate:torus:3x3,1", "generate:torus:3x3,1", { .seed = 1, .first_hi_tid = 1 } },
	{ "generate:fat-tree:8,4,2,state=cold", "generate:fat-tree:8,4,2",
	  { .seed = 1, .first_hi_tid = 1, .cold = true } },
	/* Its own options belong to its name, also behind others. */
	{ "generate:rail:4,4,8,speed=XDR,state=cold,ports=2,seed=7",
	  "generate:rail:4,4,8,speed=XDR,ports=2",
	  { .seed = 7, .first_hi_tid = 1, .seed_set = true, .cold = true } },
	/*
	 * No file of that name: the first comma ends it, and loading will report that it does not
	 * exist.
	 */
	{ "none.net,state=cold", "none.net", { .seed = 1, .first_hi_tid = 1, .cold = true } },
};

static void test_good(const void *data)
{
	const struct good *row = data;
	struct spec spec;
	char message[512] = "";

	g_assert_cmpint(spec_parse(row->text, exists, &spec, message, sizeof(message)), ==, 0);
	g_assert_cmpstr(message, ==, "");
	g_assert_cmpstr(spec.file, ==, row->file);
	g_assert_cmpint(spec.options.virtual_clock, ==, row->want.virtual_clock);
	g_assert_cmpuint(spec.options.profile, ==, row->want.profile);
	g_assert_cmpint(spec.options.cold, ==, row->want.cold);
	g_assert_cmpint(spec.options.partial, ==, row->want.partial);
	g_assert_cmpint(spec.options.any_order, ==, row->want.any_order);
	g_assert_cmpint(spec.options.seed_set, ==, row->want.seed_set);
	g_assert_cmpuint(spec.options.seed, ==, row->want.seed);
	g_assert_cmpint(spec.options.latency_ns, ==, row->want.latency_ns);
	g_assert_cmpuint(spec.options.first_hi_tid, ==, row->want.first_hi_tid);
	g_assert_cmpstr(spec.options.host, ==, row->want.host);
	g_assert_cmpstr(spec.options.capture, ==, row->want.capture);
	g_assert_cmpstr(spec.options.report, ==, row->want.report);
	g_assert_cmpstr(spec.options.guest_directory, ==, row->want.guest_directory);
	g_assert_cmpint(spec.options.faults != NULL, ==, row->want.faults != NULL);
	if (row->want.faults)
		g_assert_cmpstrv(spec.options.faults, row->want.faults);
	g_assert_cmpint(spec.options.kernels != NULL, ==, row->want.kernels != NULL);
	if (row->want.kernels)
		g_assert_cmpstrv(spec.options.kernels, row->want.kernels);
	spec_clear(&spec);
}

/* Given an invalid text, when it is parsed, then the message. */
static const struct bad {
	const char *text;
	const char *says;
} bad[] = {
	{ "a.net,sed=7", "unknown option 'sed=7': did you mean seed=? Expected one of state= sa= "
			 "partial= order= seed= schedule= switches= audit= how= latency= clock= "
			 "device= host= capture= report= hi-tid= profile= send-queue-size= "
			 "recv-queue-size= as-of= unmatched= summary= mode= speed= rewrite= "
			 "max-size= fault= load=" },
	{ "fat-tree:20,8", "fat-tree:20,8: there is no such file; a fabric of this shape is "
			   "written generate:fat-tree:20,8" },
	{ "rail:4,2,8,seed=3", "written generate:rail:4,2,8,seed=3" },
	{ "a.net,clock=virtual,audit=maybe", "audit=maybe: expected yes, no or fail" },
	{ "a.net,", "a.net,: expected an option after the comma" },
	{ "a.net,,seed=1", "unknown option ''" },
	{ "a.net,state", "state=: expected active or cold" },
	{ "a.pcap,as-of=soon", "as-of=soon: expected first, last or a time" },
	{ "a.pcap,as-of=1", "as-of=1: expected first, last or a time" },
	{ "a.pcap,unmatched=status=0", "unmatched=status=0: expected drop, timeout, or status=N" },
	{ "a.pcap,unmatched=status=0x8000", "unmatched=status=0x8000: expected drop" },
	{ "a.pcap,summary=maybe", "summary=maybe: expected yes or no" },
	{ "a.net,state=warm", "state=warm: expected active or cold" },
	{ "a.net,order=file", "order=file: expected time or any" },
	{ "a.net,clock=", "clock=: expected real or virtual" },
	{ "a.net,seed=", "seed=: expected a number" },
	{ "a.net,seed=-1", "seed=-1: expected a number" },
	{ "a.net,seed=18446744073709551616", "expected a number" },
	{ "a.net,switches=", "switches=: expected choices of threads, such as 1001.1@17:1001.3+" },
	{ "a.net,switches=1001.1@17:1001.3+", "expected choices of threads" },
	{ "a.net,switches=1001.1@17", "switches=1001.1@17: expected choices of threads" },
	{ "a.net,latency=1", "latency=1: expected a time with a unit" },
	{ "a.net,latency=1 us", "expected a time with a unit" },
	{ "a.net,latency=1.us", "expected a time with a unit" },
	{ "a.net,latency=99999999999999999999s", "expected a time of at most 292 years" },
	{ "a.net,latency=9999999999s", "expected a time of at most 292 years" },
	{ "a.net,latency=1.0000000001s",
	  "expected a time that is no finer than a nanosecond" },
	{ "a.net,latency=-1us", "expected a time with a unit" },
	{ "a.net,hi-tid=0", "expected a number from 1 to 16777215" },
	{ "a.net,hi-tid=16777216", "expected a number from 1 to 16777215" },
	{ "a.net,send-queue-size=63", "expected a number from 64 to 8192" },
	{ "a.net,recv-queue-size=8193", "expected a number from 64 to 8192" },
	{ "a.net,recv-queue-size=8k", "expected a number from 64 to 8192" },
	{ "a.net,profile=linux-2.6", "profile=linux-2.6: expected linux-6.1, linux-5.10, "
				     "linux-6.12, linux-6.17 or linux-7.2" },
	{ "a.net,kernel=", "kernel=: expected KERNEL or HOST:KERNEL, " },
	{ "a.net,kernel=H1:", "kernel=H1:: expected KERNEL or HOST:KERNEL, " },
	{ "a.net,guest-directory=", "guest-directory=: expected a directory without a blank" },
	{ "a.net,guest-directory=a b", "guest-directory=a b: expected a directory without" },
	{ "a.net,report=", "report=: expected a file to write" },
	{ "a.net,host=", "expected a host's or node's name" },
	{ "a.net,seed=1,seed=2", "option 'seed' is given twice" },
	{ "a.net,load", "load=: expected a load, such as H1:H2:100G" },
	{ "a.net,load=H1:H2:1G,load=H1:H2:x", "load 'H1:H2:x': 'x': expected a rate" },
	{ "a.net,fault", "fault=: expected a rule, such as drop 5%" },
	{ "a.net,fault=drop 1,fault=drop x", "fault=drop x: unknown word 'x'" },
};

static void test_bad(const void *data)
{
	const struct bad *row = data;
	struct spec spec = { .file = (char *)"untouched" };
	char message[512] = "";

	g_assert_cmpint(spec_parse(row->text, exists, &spec, message, sizeof(message)), ==,
			-EINVAL);
	if (!strstr(message, row->says))
		g_error("'%s' does not say '%s'", message, row->says);
	g_assert_cmpstr(spec.file, ==, "untouched");
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		g_autofree char *path = g_strdup_printf("/spec/good/%zu '%s'", i, good[i].text);

		g_test_add_data_func(path, &good[i], test_good);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autofree char *path = g_strdup_printf("/spec/bad/%zu '%s'", i, bad[i].text);

		g_test_add_data_func(path, &bad[i], test_bad);
	}
	return leak_end(g_test_run());
}
