/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Invalid scripts: the messages and their places.
 *
 * A row is a script (given) and every message that it gets (then), as "LINE:COLUMN: message" in the
 * order of their places. There must be exactly these messages.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "tests/rig/leak.h"
#include "harness/script/check/check.h"
#include "harness/script/parse/parse.h"
#include "harness/script/verb-table.h"

#define SAYS_MAX 6

/* The first line of most scripts. */
#define S "scenario \"s\"\n"

struct row {
	const char *name;
	const char *given;
	const char *says[SAYS_MAX];
};

static const struct row rows[] = {
	{ "an empty file",
	  "",
	  { "there is no scenario in this file: begin one with 'scenario \"what it shows\"'" } },
	{ "a comment alone",
	  "# nothing\n",
	  { "there is no scenario in this file: begin one with 'scenario \"what it shows\"'" } },
	{ "events before the scenario",
	  "0 fd = umad_open_port($CA)\n",
	  { "1:1: events belong to a scenario: put 'scenario \"what it shows\"' above them" } },
	{ "two scenarios of one name",
	  S "0 > nothing\n" "scenario \"s\"\n" "0~1ms > nothing\n",
	  { "2:1: expected a window, such as +0~+50ms",
	    "3:10: line 1 begins a scenario of the same name" } },
	{ "a directive that is none",
	  "scenaro \"s\"\n",
	  { "1:1: there is no directive 'scenaro': did you mean scenario?" } },
	{ "a word that is nothing like one",
	  S "frobnicate all\n",
	  { "2:1: an event begins with its time (0, 100ms, +1ms), a directive with a known "
	    "word; 'frobnicate' is neither" } },
	{ "vary without in",
	  S "vary x 1ms, 2ms\n" "0~1ms > nothing\n",
	  { "2:8: expected 'in' and the values, found a time" } },
	{ "vary together, one value short",
	  S "vary (x, y) in (1, 2), (3)\n" "0~1ms > nothing\n",
	  { "2:24: expected 2 values, found 1" } },
	{ "vary together, without the parentheses",
	  S "vary (x, y) in 1, 2\n" "0~1ms > nothing\n",
	  { "2:16: expected '(' and a value for each, found a number" } },
	{ "vary together, and one of them again",
	  S "vary (x, y) in (1, 2)\n" "vary y in 1, 2\n" "0~1ms > nothing\n",
	  { "3:6: y already varies, in line 2" } },
	{ "a byte that data has not",
	  S "data d = pattern(8)\n" "data e = flipped(d, 8)\n" "0~1ms > nothing\n",
	  { "3:21: there is no data of this name above with such a byte" } },
	{ "vary twice",
	  S "vary x in 1\n" "vary x in 2\n" "0~1ms > nothing\n",
	  { "3:6: x already varies, in line 2" } },
	{ "vary a MAD",
	  S "vary x in VendGet()\n" "0~1ms > nothing\n",
	  { "2:11: expected a number, a time, a word, a string or a set: MADs vary with "
	    "'each'" } },
	{ "a range of times",
	  S "vary x in 1ms..5ms\n" "0~1ms > nothing\n",
	  { "2:11: expected a range of numbers, such as 1..64" } },
	{ "a range up to what does not vary",
	  S "vary x in 1..$y\n" "0~1ms > nothing\n",
	  { "2:14: $y is not varied by any line above" } },
	{ "too many choices",
	  S "vary x in 1..200\n" "vary y in 1..200\n" "0~1ms > nothing\n",
	  { "3:6: there are more than 20000 choices" } },
	{ "data of no size",
	  S "data d = pattern(1ms)\n" "0~1ms > nothing\n",
	  { "2:18: expected a size of up to 64 MiB" } },
	{ "data that is a number",
	  S "data d = 7\n" "0~1ms > nothing\n",
	  { "2:10: expected pattern(SIZE), flipped(DATA, BYTE), sealed(DATA), hex(\"00 1f\"), "
	    "bytes in braces, or a string, found a number" } },
	{ "data of more than bytes",
	  S "data d = {1, 256}\n" "0~1ms > nothing\n",
	  { "2:10: expected bytes, up to 0xff each" } },
	{ "data of half a byte",
	  S "data d = hex(\"00 1\")\n" "0~1ms > nothing\n",
	  { "2:14: expected two hexadecimal digits for each byte, such as \"00 1f\"" } },
	{ "data of no hex at all",
	  S "data d = hex(7)\n" "0~1ms > nothing\n",
	  { "2:14: expected bytes in quotes, such as \"00 1f\", found a number" } },
	{ "data that no CRCs belong behind",
	  S "data d = pattern(27)\n" "data e = sealed(d)\n" "0~1ms > nothing\n",
	  { "3:6: there is no data of this name above that is a packet, from the LRH on, of "
	    "28 to 324 bytes" } },
	{ "a packet of no data",
	  S "0 < packet(junk)\n",
	  { "2:12: there is no data called junk: define it: 'data junk = pattern(200)'" } },
	{ "a packet of too little data",
	  S "data junk = pattern(13)\n" "0 < packet(junk)\n",
	  { "3:12: a packet has 14 to 330 bytes, from the LRH through the VCRC: junk has 13" } },
	{ "a packet of bytes on the spot",
	  S "0 < packet(\"abc\")\n",
	  { "2:5: packet() takes the name of data, such as packet(junk)" } },
	{ "a packet and fields",
	  S "data junk = pattern(99)\n" "0 < packet(junk) tid=7\n",
	  { "3:5: packet() is the whole packet: no fields can follow it" } },
	{ "a packet where a MAD must stand",
	  S "data junk = pattern(99)\n" "0 peer answers packet(junk)\n",
	  { "3:16: a whole packet can follow '<' and '>' only" } },
	{ "a part of the packet that is made",
	  S "0 < VendGet() class=0x32 bth.opcode=4\n",
	  { "2:26: this is computed: to break it use mut=bth.opcode:VALUE" } },
	{ "what leaves, broken",
	  S "0 > VendGet() mut=vcrc:wrong\n",
	  { "2:19: only what arrives ('<') can be broken: for what leaves there is 'fault "
	    "corrupt'" } },
	{ "a break of a CRC, but of which",
	  S "0 < VendGet() class=0x32 mut=crc:wrong\n",
	  { "2:30: there is no header field 'crc' here: did you mean icrc?" } },
	{ "a break of nothing",
	  S "0 < VendGet() class=0x32 mut=7\n",
	  { "2:30: expected the field that mut= breaks, found a number" } },
	{ "a break into nothing",
	  S "0 < VendGet() class=0x32 mut=vcrc\n",
	  { "2:34: expected ':' and its value, found the end of the line" } },
	{ "a break that does not fit",
	  S "0 < VendGet() class=0x32 mut=lrh.lver:16\n",
	  { "2:39: 0x10 does not fit into lrh.lver, which has 4 bits" } },
	{ "a break of what is no number",
	  S "0 < VendGet() class=0x32 mut=dgid:\"::1\"\n",
	  { "2:30: mut= breaks fields that are numbers only" } },
	{ "a wire without a wire",
	  S "0 wire == 7\n",
	  { "2:11: expected '>' or '<' and a MAD, a capture in quotes, or 'nothing', found a "
	    "number" } },
	{ "a wire that is not there",
	  S "0 wire == \"none.pcap\"\n",
	  { "2:11: none.pcap: no such file" } },
	{ "a wire of a MAD that is none",
	  S "0 wire == > VendGte()\n",
	  { "2:13: there is no method or define 'VendGte': did you mean VendGet?" } },
	{ "a wire, and only one '='",
	  S "0 wire = 7\n",
	  { "2:10: expected a call, such as umad_open_port(...), found a number" } },
	{ "a replay that is none",
	  S "replay \"none.pcap\" answer\n" "0~1ms > nothing\n",
	  { "2:8: none.pcap: no such file" } },
	{ "a replay that does not say how",
	  S "replay \"/proc/version\"\n" "0~1ms > nothing\n",
	  { "2:23: expected 'answer' (to requests, as the captured fabric did) or 'timed' "
	    "(what it sent, at its times), found the end of the line" } },
	{ "a replay that rewrites something else",
	  S "replay \"/proc/version\" timed rewrite lid\n" "0~1ms > nothing\n",
	  { "2:38: expected 'tid' (nothing else is rewritten), found 'lid'" } },
	{ "a replay in another order",
	  S "replay \"/proc/version\" timed order=file\n" "0~1ms > nothing\n",
	  { "2:36: expected 'any', found 'file'" } },
	{ "a replay as of no time",
	  S "replay \"/proc/version\" answer as-of=soon\n" "0~1ms > nothing\n",
	  { "2:37: expected 'first', 'last' or a time since the capture began, such as 2.5s, "
	    "found 'soon'" } },
	{ "a replay as something",
	  S "replay \"/proc/version\" answer as first\n" "0~1ms > nothing\n",
	  { "2:34: expected 'as-of=', found 'first'" } },
	{ "a replay as of two times",
	  S "replay \"/proc/version\" answer as-of=1s unmatched=drop as-of=2s\n"
	  "0~1ms > nothing\n",
	  { "2:55: 'as-of' is given twice" } },
	{ "a replay at no speed",
	  S "replay \"/proc/version\" timed speed=0\n" "0~1ms > nothing\n",
	  { "2:36: expected a number from 0.001 to 1000000, such as 2 (twice as fast) or "
	    "0.5" } },
	{ "a replay at a speed that is a time",
	  S "replay \"/proc/version\" timed speed=2s\n" "0~1ms > nothing\n",
	  { "2:36: expected a number from 0.001 to 1000000, such as 2 (twice as fast) or "
	    "0.5, found a time" } },
	{ "a replay at a speed with four decimals",
	  S "replay \"/proc/version\" timed speed=0.0001\n" "0~1ms > nothing\n",
	  { "2:36: expected a number from 0.001 to 1000000, such as 2 (twice as fast) or "
	    "0.5" } },
	{ "answers at a speed",
	  S "replay \"/proc/version\" answer speed=2\n" "0~1ms > nothing\n",
	  { "2:31: 'speed' is for 'timed' only" } },
	{ "a replay whose unmatched requests do what they like",
	  S "replay \"/proc/version\" answer unmatched=refuse\n" "0~1ms > nothing\n",
	  { "2:41: expected 'drop', 'timeout' or 'status=' and a number, found 'refuse'" } },
	{ "a replay that refuses with success",
	  S "replay \"/proc/version\" answer unmatched=status=0\n" "0~1ms > nothing\n",
	  { "2:48: a MAD status that refuses is a number from 1 to 0x7fff" } },
	{ "a timed replay that answers",
	  S "replay \"/proc/version\" timed unmatched=drop\n" "0~1ms > nothing\n",
	  { "2:30: 'unmatched' is for 'answer' only" } },
	{ "where without a value",
	  S "replay \"/proc/version\" timed where class = 3\n" "0~1ms > nothing\n",
	  { "2:42: expected '==' and its value, found '='" } },
	{ "where of what is no field",
	  S "replay \"/proc/version\" timed where clas == 3\n" "0~1ms > nothing\n",
	  { "2:36: there is no header field 'clas' here: did you mean class?" } },
	{ "where of what is not seen",
	  S "replay \"/proc/version\" timed where to == peer\n" "0~1ms > nothing\n",
	  { "2:36: 'where' takes fields of the MAD, slid and dlid only" } },
	{ "where of what is not known before it runs",
	  S "0 fd = umad_open_port($CA)\n" "0 wire == \"/proc/version\" where tid == fd\n",
	  { "3:40: expected a constant number, found 'fd'" } },
	{ "any order, and times",
	  S "0 wire == \"/proc/version\" order=any\n",
	  { "2:27: order=any needs 'ignoring time'" } },
	{ "another order",
	  S "0 wire == \"/proc/version\" ignoring time order=none\n",
	  { "2:47: expected 'any', found 'none'" } },
	{ "what is ignored is no field",
	  S "0 wire == \"/proc/version\" ignoring tme\n",
	  { "2:36: there is no header field 'tme' here" } },
	{ "what is ignored is not compared",
	  S "0 wire == \"/proc/version\" ignoring to\n",
	  { "2:36: 'to' is not compared: there is nothing to ignore" } },
	{ "data twice",
	  S "data d = {1}\n" "data d = {2}\n" "0~1ms > nothing\n",
	  { "3:6: d is already the name of data, in line 2" } },
	{ "data that there is not",
	  S "0 > SubnAdmGet() data=d[1]\n",
	  { "2:23: there is no data called d: define it: 'data d = pattern(200)'" } },
	{ "a piece that is no number",
	  S "data d = {1}\n" "0 > SubnAdmGet() data=d[nothing]\n",
	  { "3:25: nothing is not bound by any line above" } },
	{ "a piece of data somewhere else",
	  S "data d = {1}\n" "0 > SubnAdmGet() tid=d[1]\n",
	  { "3:22: a piece of data can be the value of data= only" } },
	{ "data that is bytes on the spot",
	  S "0 > SubnAdmGet() data={1, 2}\n",
	  { "2:23: data= takes the name of data, or a piece of it, such as paths[3]" } },
	{ "a profile that is none",
	  S "profile linux-7.1\n" "0~1ms > nothing\n",
	  { "2:9: there is no profile linux-7.1: there are linux-6.1, linux-5.10, "
	    "linux-6.12, linux-6.17" } },
	{ "a profile without a version",
	  S "profile linux-next-\n" "0~1ms > nothing\n",
	  { "2:20: expected a version, such as 6.1, found the end of the line" } },
	{ "a fault that is none",
	  S "0 fault lose 1\n" "0~1ms > nothing\n",
	  { "2:9: expected drop, delay, duplicate, reorder or corrupt" } },
	{ "a fault of fields that it does not see",
	  S "0 fault drop class=SA paylen=3\n" "0~1ms > nothing\n",
	  { "2:23: a fault looks at class, method, attribute, modifier, tid, rmpp and seg of a MAD "
	    "only" } },
	{ "a delay of no time",
	  S "0 fault delay class=SA\n" "0 fault delay by 3\n" "0~1ms > nothing\n",
	  { "2:3: delay needs a time: 'by 5ms', for example",
	    "3:18: expected a time, such as 1ms, found a number" } },
	{ "a fault at a port that is none",
	  S "0 fault drop from 7\n" "0 fault drop to sm\n" "0~1ms > nothing\n",
	  { "2:19: expected the port at an end of the cable: self, peer or \"S1[3]\"",
	    "3:17: expected the port at an end of the cable: self, peer or \"S1[3]\"" } },
	{ "mended, and a byte, of what is dropped",
	  S "0 fault drop mended at 3\n" "0 fault corrupt at 256\n" "0~1ms > nothing\n",
	  { "2:14: 'mended' is for corrupt only",
	    "2:24: 'at' is for corrupt only",
	    "3:20: expected a byte of the MAD, from 0 to 255" } },
	{ "run what",
	  S "0 run on peer\n" "0 run = 0\n",
	  { "2:14: expected a program after 'run', found the end of the line",
	    "3:9: expected a call, such as umad_open_port(...), found a number" } },
	{ "a program that says what",
	  S "0 run true = 0, shouts=\"x\" lines=$n prints=7\n",
	  { "2:17: expected lines= or prints= of a program",
	    "2:34: expected a number, found '$n'",
	    "2:44: expected a text in quotes, found a number" } },
	{ "a program's status where it starts, and an end of another kind",
	  S "0 fd = umad_open_port($CA)\n" "0 start p = run sleep 1 = 0\n"
	  "0 start r = umad_recv(fd)\n" "0 end p or r = 0\n" "0 end r = 0\n",
	  { "3:27: a program that is started ends in a line of its own: end p = ...",
	    "5:3: 'or' is for calls, not for programs" } },
	{ "programs, and what leaves a port",
	  S "0 run true\n" "+0~+1s > nothing\n",
	  { "3:8: where programs run, what leaves a port cannot be told from theirs: look at "
	    "the capture (--keep)" } },
	{ "a stop of nothing, a link sideways",
	  S "0 stop sm\n" "0 link sideways \"H1[1]\"\n" "0 power off self\n",
	  { "2:3: no line above starts a program sm",
	    "3:8: expected 'down' or 'up', and a port, found 'sideways'",
	    "4:13: expected a node in quotes, such as \"S1\", found 'self'" } },
	{ "do what",
	  S "0 do = 0\n" "0 do Unlink $x = up\n" "0 do report = 0, says=1\n" "* do report\n",
	  { "2:8: expected a call, such as umad_open_port(...), found a number",
	    "3:13: $x is not bound by any line above",
	    "3:18: expected 0, or an error such as -ENOENT",
	    "4:18: expected lines= or prints= of a command",
	    "5:1: only '>', umad_recv(), 'end' and 'wire' can have the time '*'" } },
	{ "a time without a unit",
	  S "5 > VendGet()\n",
	  { "2:1: a time needs a unit (ns, us, ms, s): did you mean 5ms?" } },
	{ "a unit that is none",
	  S "5min > VendGet()\n",
	  { "2:1: there is no unit 'min': use ns, us, ms or s" } },
	{ "a time that is too long",
	  S "99999999999s > VendGet()\n",
	  { "2:1: this time is too long (292 years), or finer than a nanosecond" } },
	{ "half a nanosecond",
	  S "0.5ns > VendGet()\n",
	  { "2:1: this time is too long (292 years), or finer than a nanosecond" } },
	{ "a number that is too large",
	  S "0 > VendGet() class=99999999999999999999\n",
	  { "2:21: this number does not fit into 64 bits" } },
	{ "a hexadecimal number that is too large",
	  S "0 > VendGet() class=0x10000000000000000\n",
	  { "2:21: this number does not fit into 64 bits" } },
	{ "0x and nothing",
	  S "0 > VendGet() class=0x\n",
	  { "2:21: this is not a hexadecimal number" } },
	{ "a string without an end",
	  "scenario \"s\n" "0~1ms > nothing\n",
	  { "1:10: this string has no end: close it with '\"'" } },
	{ "an escape that is none",
	  "scenario \"a\\q\"\n" "0~1ms > nothing\n",
	  { "1:12: unknown escape: \\\" \\\\ \\n and \\xNN are known" } },
	{ "a letter outside ASCII",
	  S "0 > VendG\xc3" "\xa9" "t()\n",
	  { "2:5: there is no method or define 'VendG': did you mean VendGet?",
	    "2:10: characters other than ASCII belong in strings and comments only" } },
	{ "a name must follow",
	  S "0 > VendGet() tid=?\n",
	  { "2:19: expected a name after '?'" } },
	{ "back in time",
	  S "10ms > VendGet()\n" "5ms > same\n",
	  { "3:1: this goes back in time: the previous line is at 10ms" } },
	{ "a window that ends first",
	  S "+5ms~+1ms > nothing\n",
	  { "2:1: this window ends before it begins" } },
	{ "silence at a point",
	  S "0 > nothing\n",
	  { "2:1: expected a window, such as +0~+50ms" } },
	{ "a MAD in the window of another line's silence",
	  S "0~10ms > nothing\n" "+5ms > VendGet()\n",
	  { "3:1: line 2 says that nothing leaves until after this time" } },
	{ "a window that reaches over the next line",
	  S "0~10ms > VendGet()\n" "+5ms > same\n",
	  { "3:1: line 2 may still be waiting at this time: end its window here or earlier" } },
	{ "a call in a window",
	  S "0~5ms umad_open_port($CA)\n",
	  { "2:1: expected a point in time, such as +1ms" } },
	{ "a packet sent in a window",
	  S "0~5ms < VendGet() class=0x32\n",
	  { "2:1: expected a point in time, such as +1ms" } },
	{ "same as what",
	  S "0 > same\n",
	  { "2:3: there is no '>' above for this to be the same as" } },
	{ "a method with a typo",
	  S "0 > VendGte()\n",
	  { "2:5: there is no method or define 'VendGte': did you mean VendGet?" } },
	{ "a method that is none",
	  S "0 > Frobnicate()\n",
	  { "2:5: there is no method or define 'Frobnicate': a method begins with its class, as "
	    "SubnGet ('umadrig fields' lists them)" } },
	{ "an attribute with a typo",
	  S "0 > PerfGet(PortCountes)\n",
	  { "2:13: PerfGet has no attribute PortCountes: did you mean PortCounters? "
	    "'umadrig fields Perf' lists them" } },
	{ "a field with a typo",
	  S "0 > PerfGet(PortCounters) { PortSelct=1 }\n",
	  { "2:29: there is no field PortSelct in PortCounters: did you mean PortSelect? "
	    "'umadrig fields PortCounters' lists them" } },
	{ "a header field with a typo",
	  S "0 > VendGet() modifer=1\n",
	  { "2:15: there is no header field 'modifer' here: did you mean modifier?" } },
	{ "a header field of another place",
	  S "0 fd = umad_open_port($CA)\n" "0 umad_send(fd, 0, VendGet() slid=3)\n",
	  { "3:30: there is no header field 'slid' here: did you mean dlid?" } },
	{ "a field that is too small for it",
	  S "0 > VendGet() class=0x132\n",
	  { "2:21: 0x132 does not fit into class, which has 8 bits" } },
	{ "fields of an unknown attribute",
	  S "0 > VendGet(0x0010) { A=1 }\n",
	  { "2:23: this attribute has no known fields: use bytes[first..last]=" } },
	{ "an attribute that is too large",
	  S "0 > VendGet(0x10000)\n",
	  { "2:13: expected an attribute: a name, or a number up to 0xffff" } },
	{ "two attributes",
	  S "0 > VendGet(1, 2)\n",
	  { "2:5: VendGet takes one attribute, not 2 values" } },
	{ "a class that must be said",
	  S "0 < VendGet(0x0010)\n",
	  { "2:5: Vend is the prefix of the classes 0x30 to 0x4f: give class=" } },
	{ "bytes without a range",
	  S "0 > VendGet() bytes=1\n",
	  { "2:15: expected a range, such as bytes[24..27]=" } },
	{ "bytes that are none",
	  S "0 > VendGet() bytes[250..260]=1\n",
	  { "2:21: expected bytes from 0 to 255, the lower one first" } },
	{ "bytes backwards",
	  S "0 > VendGet() bytes[8..4]=1\n",
	  { "2:21: expected bytes from 0 to 255, the lower one first" } },
	{ "a LID as a role",
	  S "0 > VendGet() to=2\n",
	  { "2:18: expected a role (self, peer, sm) or a port (\"H2[1]\"): for a LID use "
	    "dlid= or slid=" } },
	{ "words of values with typos",
	  S "0 > SubnGet(PortInfo) { LinkState=Actve }\n" "+0 > SubnAdmGet() rmpp=AKC\n"
	  "+0 > SubnGet(PortInfo) { LinkWidthActive=4x }\n" "+0 > VendGet() grh=maybe\n"
	  "+0 > VendGet() method=Sett\n",
	  { "2:35: LinkState has no value Actve: did you mean Active? There are NoChange, Down, "
	    "Init, Armed, Active and ActDefer",
	    "3:24: rmpp has no value AKC: did you mean ACK? There are DATA, ACK, STOP and ABORT",
	    "4:42: there is no unit 'x': use ns, us, ms or s",
	    "5:20: grh has no value maybe: there are yes and no",
	    "6:23: method has no value Sett: did you mean Set? There are Get, Set, Send, Trap, "
	    "Report, TrapRepress, GetTable, GetResp, ReportResp and GetTableResp" } },
	{ "a role that is none",
	  S "0 > VendGet() to=per\n",
	  { "2:18: expected a role (self, peer, sm) or a port in quotes (\"H2[1]\")" } },
	{ "a GID that is none",
	  S "0 > VendGet() sgid=\"fe80\"\n",
	  { "2:20: expected a GID as an IPv6 address, such as \"fe80::1\"" } },
	{ "a flag that is none",
	  S "0 > SubnAdmGet() flags={FRIST}\n",
	  { "2:25: expected ACTIVE, FIRST or LAST" } },
	{ "two equal signs",
	  S "0 > VendGet() class==1\n",
	  { "2:20: a field takes one '=', not '=='" } },
	{ "a capture twice",
	  S "0 > VendGet() tid=?t\n" "0 > VendGet() tid=?t tid.low=$t\n",
	  { "3:19: t is already bound, in line 2: a name is bound once" } },
	{ "a capture that nobody uses",
	  S "0 > VendGet() tid=?t\n",
	  { "2:19: ?t is never used: remove it" } },
	{ "a capture in what is sent",
	  S "0 < VendGet() class=?c\n" "+0 > VendGet() class=$c\n",
	  { "2:21: of what is sent only the tid, which is chosen, can be captured" } },
	{ "a name that is not bound",
	  S "0 > VendGet() tid=$tidd\n",
	  { "2:19: $tidd is not bound by any line above" } },
	{ "a name that is not bound, again and again",
	  S "0 > VendGet() tid=$tidd\n" "+1ms > VendGet() tid=$tidd\n",
	  { "2:19: $tidd is not bound by any line above" } },
	{ "names of a line that is no call",
	  S "0 fd = umad_opn_port($CA)\n" "+0 a = umad_register(fd, class=4)\n"
	  "+0 umad_recv(fd) = a\n",
	  { "2:8: there is no call umad_opn_port(): did you mean umad_open_port()?" } },
	{ "names of a line that cannot be read",
	  S "0 fd = umad_open_port($CA $PORT)\n" "+0 a = umad_register(fd, class=4)\n"
	  "+0 umad_recv(fd) = a\n",
	  { "2:27: expected ',' or ')' for the '(' in column 22, found a $name" } },
	{ "what a line that cannot be read would have captured",
	  S "0 > VendGet(} tid=?t\n" "+0 < VendGetResp(0x10) class=0x32 tid=$t\n" "+1s > same\n",
	  { "2:13: expected ',' or ')' for the '(' in column 12, found '}'" } },
	{ "a call whose start cannot be read",
	  S "0 fd = umad_open_port($CA)\n" "+0 start r = umad_rcv(fd, timeout=1s)\n"
	  "+1s end r = -ETIMEDOUT\n",
	  { "3:14: there is no call umad_rcv(): did you mean umad_recv()?" } },
	{ "a program whose start cannot be read",
	  S "0 start sm = run = 7\n" "+1s stop sm\n" "+1s end sm = 0\n",
	  { "2:18: expected a program after 'run', found '='" } },
	{ "a name with a typo",
	  S "0 handle = umad_open_port($CA)\n" "+0 umad_poll(handel) = 0\n",
	  { "3:14: handel is not bound by any line above: did you mean handle?" } },
	{ "a handle where an agent must stand",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_unregister(fd, fd)\n",
	  { "3:24: expected an agent, but fd is a handle of umad_open_port()" } },
	{ "an agent where a handle must stand",
	  S "0 fd = umad_open_port($CA)\n" "+0 a = umad_register(fd, class=4)\n"
	  "+0 umad_poll(a)\n",
	  { "4:14: expected a handle of umad_open_port(), but a is an agent" } },
	{ "a name bound twice",
	  S "0 fd = umad_open_port($CA)\n" "+0 fd = umad_open_port($CA)\n",
	  { "3:4: fd is already bound, in line 2: a name is bound once" } },
	{ "the runner's own name",
	  S "0 CA = umad_open_port($CA)\n",
	  { "2:3: CA is a name of the runner itself" } },
	{ "a call with a typo",
	  S "0 fd = umad_opn_port($CA)\n",
	  { "2:8: there is no call umad_opn_port(): did you mean umad_open_port()?" } },
	{ "a call that is none",
	  S "0 fd = frobnicate($CA)\n",
	  { "2:8: there is no call frobnicate() ('Calls' in scenario-language.md lists them)" } },
	{ "an argument with a typo",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_register(fd, clas=4)\n",
	  { "3:22: umad_register() has no argument clas: did you mean class?" } },
	{ "an argument that is missing",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_register(fd)\n",
	  { "3:4: umad_register() needs class" } },
	{ "an argument too many",
	  S "0 umad_open_port($CA, $PORT, 3)\n",
	  { "2:30: umad_open_port() takes no more arguments" } },
	{ "an argument twice",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_register(fd, class=4, class=4)\n",
	  { "3:31: class is given twice" } },
	{ "methods that are no set",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_register(fd, class=4, methods=Get)\n",
	  { "3:39: expected a set of methods, such as {Get, Set}, found 'Get'" } },
	{ "a method that is no method",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_register(fd, class=4, methods={Got})\n",
	  { "3:40: expected a method (Get, Set, Send, Trap, Report, TrapRepress, GetTable, "
	    "GetMulti, Delete, or a number up to 127)" } },
	{ "a timeout of half a millisecond",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_send(fd, 0, timeout=0.5ms, VendGet())\n",
	  { "3:29: expected a whole number of milliseconds" } },
	{ "a request that is none",
	  S "0 f = file.open(self)\n" "+0 file.ioctl(f, REGISTER)\n",
	  { "3:18: expected REGISTER_AGENT, REGISTER_AGENT2, UNREGISTER_AGENT, ENABLE_PKEY "
	    "or a number" } },
	{ "a port that is none",
	  S "0 f = file.open(3)\n",
	  { "2:17: expected a port: self, peer, $CA or a device in quotes" } },
	{ "an error that is none",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_register(fd, class=4) = -EPREM\n",
	  { "3:34: there is no error number called EPREM: did you mean EPERM?" } },
	{ "nothing from a call that gives something",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_poll(fd) = nothing\n",
	  { "3:20: only umad_recv() can return nothing" } },
	{ "fields of a MAD where none is read",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_poll(fd) = 0, status=0\n",
	  { "3:23: umad_poll() reads no MAD: only errno= can follow" } },
	{ "a MAD where none is read",
	  S "0 fd = umad_open_port($CA)\n" "+0 umad_poll(fd) = 0, VendGet()\n",
	  { "3:23: umad_poll() reads no MAD" } },
	{ "a parenthesis that is never closed",
	  S "0 fd = umad_open_port($CA\n" "+0 umad_poll(fd) = 0\n",
	  { "2:22: no ')' closes this: expected ',' or ')' before line 3" } },
	{ "a brace that is never closed",
	  S "on sim {\n" "0~1ms > nothing\n",
	  { "2:8: this '{' is never closed" } },
	{ "a brace that is closed by something else",
	  S "0 umad_poll({1, 2)\n",
	  { "2:18: expected ',' or '}' for the '{' in column 13, found ')'" } },
	{ "a bracket that is not closed",
	  S "data d = {1}\n" "0 > VendGet() bytes[3=1\n" "0 > SubnAdmGet() data=d[1\n"
	  "+0 > VendGet()\n",
	  { "3:22: expected ']' for the '[' in column 20, found '='",
	    "4:24: no ']' closes this: expected ']' before line 5" } },
	{ "names that are not closed",
	  S "define x(a, b = VendGet()\n" "each (a, b {\n" "1 2\n" "} do {\n"
	  "0~1ms > nothing\n" "}\n",
	  { "2:15: expected ',' or ')' for the '(' in column 9, found '='",
	    "3:12: expected ',' or ')' for the '(' in column 6, found '{'" } },
	{ "rows that are not closed",
	  S "each (a) {\n" "1\n" "do {\n" "0~$a*1ms > nothing\n" "}\n",
	  { "2:10: no '}' closes this before 'do' in line 4" } },
	{ "a block that is not closed before the next scenario",
	  S "on sim {\n" "0~1ms > nothing\n" "scenario \"t\"\n" "on sim {\n" "0~1ms > nothing\n"
	  "}\n",
	  { "2:8: no '}' closes this before 'scenario' in line 4" } },
	{ "a brace too many",
	  S "0~1ms > nothing\n" "}\n",
	  { "3:1: expected an event (which begins with its time) or a directive, found '}'" } },
	{ "something behind the end",
	  S "0 > same same\n",
	  { "2:10: expected the end of the line, found 'same'" } },
	{ "a define that is none",
	  S "define x = 5\n" "0~1ms > nothing\n",
	  { "2:12: expected a MAD, such as VendGet(0x0010), found a number" } },
	{ "a define twice",
	  S "define x = VendGet()\n" "define x = VendSet()\n" "0 > x\n",
	  { "3:8: x is already defined, in line 2" } },
	{ "too few values for a define",
	  S "define x(a, b) = VendGet() tid.low=$a modifier=$b\n" "0 > x(1)\n",
	  { "3:5: x takes 2 values, not 1" } },
	{ "a define of itself",
	  S "define x = x()\n" "0 > x\n",
	  { "3:5: there is no method or define 'x': a method begins with its class, as SubnGet "
	    "('umadrig fields' lists them)" } },
	{ "a row that is too short",
	  S "each (a, b) {\n" "1\n" "} do {\n" "0~1ms > nothing\n" "}\n",
	  { "3:1: expected 2 values in the row, found 1" } },
	{ "each in each",
	  S "each (a) {\n" "1\n" "} do {\n" "each (b) {\n" "2\n" "} do {\n" "0~1ms > nothing\n"
	  "}\n" "}\n",
	  { "5:1: 'each' cannot be inside another block, or outside a scenario" } },
	{ "a cell that is no MAD",
	  S "each (mad) {\n" "5\n" "} do {\n" "0 < $mad\n" "}\n",
	  { "3:1: expected a MAD, such as VendGet(0x0010), found a number" } },
	{ "a scenario in a block",
	  S "on sim {\n" "scenario \"t\"\n" "}\n",
	  { "3:1: 'scenario' cannot be inside a block" } },
	{ "a scenario without events",
	  S,
	  { "1:10: this scenario has no events" } },
	{ "needs what",
	  S "needs frobnicator\n" "0~1ms > nothing\n",
	  { "2:7: there is no need 'frobnicator': a script may need sim, hw, peer, ib, wire, "
	    "ib_umad, root, ports N, program X, module X, kernel>=N" } },
	{ "a kernel without a version",
	  S "needs kernel>=six\n" "0~1ms > nothing\n",
	  { "2:15: expected a version, such as 6.14, found 'six'" } },
	{ "a tolerance of the simulator",
	  S "tolerance sim -1ms +1ms\n" "0~1ms > nothing\n",
	  { "2:11: expected 'hw' (the simulator is exact), found 'sim'" } },
	{ "an include that is not there",
	  "include \"nosuch.inc\"\n" "scenario \"s\"\n" "0~1ms > nothing\n",
	  { "1:9: nosuch.inc: no such file" } },
	{ "a file that includes itself",
	  "include \".\"\n" "scenario \"s\"\n" "0~1ms > nothing\n",
	  { "1:9: .: is a directory, not a script" } },
	{ "a peer that does what",
	  S "0 peer sleeps\n",
	  { "2:8: expected 'listens', 'answers', 'withholds' or 'sends', found "
	    "'sleeps'" } },
	{ "a peer that listens to nothing",
	  S "0 peer listens class=0x32\n",
	  { "2:3: 'peer listens' needs class= and methods={...}" } },
	{ "a peer that answers an answer",
	  S "0 peer answers VendGetResp(1) class=0x32\n",
	  { "2:16: a response cannot be answered: only its segments can (rmpp=DATA)" } },
	{ "a peer that answers in another class",
	  S "0 peer answers VendGet(1) class=0x32 with PerfGetResp(PortCounters)\n",
	  { "2:43: this is no answer: its class is another one" } },
	{ "a peer that answers by nothing",
	  S "0 peer answers VendGet(1) class=0x32 with\n",
	  { "2:42: expected a MAD, such as VendGet(0x0010), found the end of the line" } },
	{ "a peer that answers by nothing, in braces",
	  S "0 peer answers VendGet(1) class=0x32 with { }\n",
	  { "2:45: expected a MAD, such as VendGet(0x0010), found '}'" } },
	{ "answers that are not closed",
	  S "0 peer answers VendGet(1) class=0x32 with { VendGetResp(1)\n" "0~1ms > nothing\n",
	  { "2:43: no '}' closes this: expected ',' or '}' before line 3" } },
	{ "an answer from a port",
	  S "0 peer answers VendGet(1) class=0x32 with VendGetResp(1) from=peer\n",
	  { "2:58: there is no header field 'from' here ('Fields' in scenario-language.md lists "
	    "them)" } },
	{ "a peer that sends in no class",
	  S "0 peer sends VendGet(1)\n",
	  { "2:14: Vend is the prefix of the classes 0x30 to 0x4f: give class=" } },
	{ "a peer that sends a broken MAD",
	  S "0 peer sends VendGet(1) class=0x32 mut=version:7\n",
	  { "2:40: only what arrives ('<') can be broken: for what leaves there is 'fault "
	    "corrupt'" } },
	{ "a peer that captures what it is asked",
	  S "0 peer answers VendGet(1) class=0x32 tid=?t\n",
	  { "2:42: a request that is answered may come often: nothing of it can be captured" } },
	{ "a peer that withholds a request",
	  S "0 peer answers VendSet(1) class=0x32\n" "0 peer withholds VendSet(1)\n",
	  { "3:18: the peer withholds answers, and this is a request: did you mean "
	    "VendGetResp?" } },
	{ "a peer that withholds what it does not answer",
	  S "0 peer withholds all VendGetResp(1)\n" "0 peer answers VendGet(1) class=0x32\n",
	  { "2:3: there is nothing to withhold: no line above says what the peer answers ('peer "
	    "answers ...')" } },
	{ "a peer that withholds some of its answers",
	  S "0 peer answers VendGet(1) class=0x32\n" "0 peer withholds few VendGetResp(1)\n",
	  { "3:18: expected a number or 'all', found 'few'" } },
	{ "a peer that withholds them for a time",
	  S "0 peer answers VendGet(1) class=0x32\n"
	  "0 peer withholds 2 VendGetResp(1) after 1ms\n",
	  { "3:41: expected a number, found a time" } },
	{ "a name in what is ignored",
	  S "ignore > VendGet() tid=$t\n" "0~1ms > nothing\n",
	  { "2:24: a pattern to ignore takes values, not names" } },
	{ "a topology that is not there",
	  S "topology \"nosuch.net\"\n" "0~1ms > nothing\n",
	  { "2:10: nosuch.net: no such file" } },
	{ "a capture that is not there",
	  S "replay \"nosuch.pcap\" answer\n" "0~1ms > nothing\n",
	  { "2:8: nosuch.pcap: no such file" } },
	{ "topologies that are not there, and another error",
	  S "topology \"nosuch.net\"\n" "0~1ms > nothing\n"
	  "scenario \"t\"\n" "topology \"none.net\"\n" "0 > Frob()\n",
	  { "2:10: nosuch.net: no such file", "5:10: none.net: no such file",
	    "6:5: there is no method or define 'Frob': a method begins with its class, as SubnGet "
	    "('umadrig fields' lists them)" } },
	{ "a topology that is none",
	  S "topology \"/proc/version\"\n" "0~1ms > nothing\n",
	  { "2:10: /proc/version: no fabric found: it is text without a node in it; ibsim net "
	    "files, ibnetdiscover dumps, OpenSM subnet lists and ibdm topologies can be "
	    "read" } },
	{ "a topology of no known shape",
	  S "topology \"generate:tree:8\"\n" "0~1ms > nothing\n",
	  { "2:10: generate:tree:8: no such shape 'tree'; write "
	    "fat-tree:HCAS[,RADIX[,LEVELS]] or torus:XxYxZ,HOSTS or "
	    "dragonfly+:GROUPS,LEAVES,SPINES,HOSTS[,CABLES]" } },
	{ "ports that a generated topology has not",
	  S "topology \"generate:fat-tree:16,4\" self=\"host0 HCA-1[1]\" "
	  "peer=\"host-2 HCA-1[2]\"\n"
	  "0~1ms > nothing\n",
	  { "2:40: there is no node host0 HCA-1 in generate:fat-tree:16,4: did you mean host-0 "
	    "HCA-1? It has 36, which 'umadrig "
	    "topology --generate fat-tree:16,4' lists",
	    "2:62: host-2 HCA-1 has no port 2: it has port 1 only" } },
	{ "ends that are no ports",
	  S "topology \"generate:fat-tree:16,4\" self=\"H1\"\n" "0~1ms > nothing\n",
	  { "2:40: 'H1' is not a port: expected \"NODE[N]\", such as \"H1[1]\"" } },
	{ "nodes and ports that the default fabric has not",
	  S "0 link down \"S1[1]\"\n" "0 power off \"S1\"\n" "0 fault drop to \"H1[2]\"\n"
	  "0 < VendGet() class=0x32 from=\"H3[1]\"\n",
	  { "2:13: there is no node S1: the default fabric has H1 and H2 ('topology' names "
	    "another)",
	    "3:13: there is no node S1: the default fabric has H1 and H2 ('topology' names "
	    "another)",
	    "4:17: H1 has no port 2: it has port 1 only",
	    "5:31: there is no node H3: the default fabric has H1 and H2 ('topology' names "
	    "another)" } },
	{ "a host that is not there",
	  S "0 run on \"H3[1]\" true\n",
	  { "2:10: there is no node H3: the default fabric has H1 and H2 ('topology' names "
	    "another)" } },
	{ "counters with typos",
	  S "0 check counter(\"H1[0]\", PortRcvErors) == 0\n"
	  "0 check counter(self, XmitPkt) == 0\n" "0 check counter(self, OpCode) == 0\n",
	  { "2:17: H1 has no port 0: it has port 1 only",
	    "2:26: no port has a counter PortRcvErors: did you mean PortRcvErrors? 'umadrig "
	    "fields PortCounters PortCountersExtended' lists them",
	    "3:23: no port has a counter XmitPkt: did you mean PortXmitPkts? 'umadrig fields "
	    "PortCounters PortCountersExtended' lists them",
	    "4:23: no port has a counter OpCode: there are PortXmitPkts, PortRcvPkts, "
	    "PortXmitDiscards, PortRcvErrors, ... 'umadrig fields PortCounters "
	    "PortCountersExtended' lists them" } },
	{ "commands with typos",
	  S "0 do Unlnk H1\n" "0 do node of H1\n" "0 do Route 1\n" "0 do node off H3\n"
	  "0 do Unlink H3 = -ENOENT\n" "0 do fault add drop:5%@H1[7]\n",
	  { "2:6: there is no command 'Unlnk': did you mean 'unlink'?",
	    "3:6: 'node' what? There is 'node off', 'node on'",
	    "4:6: expected: Route FROM-LID TO-LID",
	    "5:15: there is no node H3: the default fabric has H1 and H2 ('topology' names "
	    "another)",
	    "7:16: H1 has no port 7: it has port 1 only" } },
	{ "a command on a name with blanks",
	  S "0 do Unlink \"no such[1]\"\n",
	  { "2:13: there is no node no such: the default fabric has H1 and H2 ('topology' names "
	    "another)" } },
	{ "a call started that does not wait",
	  S "0 start x = umad_open_port($CA)\n" "0 end x = 0\n",
	  { "2:13: umad_open_port() returns at once: only umad_recv() and umad_poll() can be "
	    "started" } },
	{ "a call that never ends",
	  S "0 fd = umad_open_port($CA)\n" "0 start x = umad_recv(fd)\n",
	  { "3:3: no line waits for the end of this call: add 'end ... = ...'" } },
	{ "an end of what was not started",
	  S "0 end x = 0\n",
	  { "2:3: no line above starts a call x" } },
	{ "two ends of one call",
	  S "0 fd = umad_open_port($CA)\n" "0 start x = umad_poll(fd)\n" "0 end x = 0\n"
	  "0 end x = 0\n",
	  { "5:3: more calls end than were started" } },
	{ "a wait that holds up the script",
	  S "0 fd = umad_open_port($CA)\n" "0 umad_poll(fd, timeout=1s)\n",
	  { "3:25: a call that waits must be started: 'start r = umad_poll(...)', and later "
	    "'end r = ...'" } },
	{ "a call started with no name",
	  S "0 start umad_recv(3)\n",
	  { "2:18: expected '=' and the call, found '('" } },
	{ "a check of what",
	  S "0 check weather() == 1\n",
	  { "2:9: expected counter(PORT, NAME) after 'check', found 'weather'" } },
	{ "a counter of no port",
	  S "0 check counter(PortRcvErrors) == 1\n",
	  { "2:9: expected a port and a name: counter(\"H1[1]\", PortRcvErrors)" } },
	{ "a counter that is not compared",
	  S "0 check counter(self, PortRcvErrors) = 1\n",
	  { "2:38: expected '==', '<', '>' or '>=' and a number, found '='" } },
	{ "a counter in a window",
	  S "0~1s check counter(self, PortRcvErrors) == x\n",
	  { "2:1: expected a point in time, such as +1ms",
	    "2:44: expected a number, found 'x'" } },
	{ "a note of a number",
	  S "0 note 7\n",
	  { "2:8: expected a text in quotes, found a number" } },
	{ "a note of a name that is not bound",
	  S "0 note $what\n",
	  { "2:8: $what is not bound by any line above" } },
	{ "a note of two texts",
	  S "0 note \"a\" \"b\"\n",
	  { "2:12: expected the end of the line, found a string" } },
	{ "a note in a window",
	  S "0~1ms note \"a\"\n",
	  { "2:1: expected a point in time, such as +1ms" } },
	{ "something nested too deeply",
	  S "0 > x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x("
	  "x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(x(0))))))))))))))))))))))\n",
	  { "2:37: this is nested too deeply (32 levels at most)" } },
	{ "several errors in one file",
	  S "0 fd = umad_opn_port($CA)\n" "+5 > VendGte()\n" "+1ms > VendGet() modifer=1\n",
	  { "2:8: there is no call umad_opn_port(): did you mean umad_open_port()?",
	    "3:2: a time needs a unit (ns, us, ms, s): did you mean 5ms?",
	    "4:18: there is no header field 'modifer' here: did you mean modifier?" } },
};

static char *said(const struct diagnostic *diagnostic)
{
	g_assert_true(diagnostic->is_error);
	if (diagnostic->place.line == 0)
		return g_strdup(diagnostic->message);
	return g_strdup_printf("%u:%u: %s", diagnostic->place.line, diagnostic->place.column,
			       diagnostic->message);
}

static void test_wrong(const void *data)
{
	const struct row *row = data;
	struct script *script = script_parse(row->given, strlen(row->given), "t.mad", script_verbs);
	struct plan *plan;
	g_autofree char *text = NULL;
	guint i;

	plan = script_check(script);
	plan_diagnose_objections(plan);
	g_assert_cmpuint(script->diagnostics->errors, >, 0);
	/* Sorts them. */
	text = diagnostics_text(script->diagnostics);
	for (i = 0; i < script->diagnostics->list->len; i++) {
		g_autofree char *actual = said(script->diagnostics->list->pdata[i]);

		g_assert_cmpuint(i, <, SAYS_MAX);
		g_assert_cmpstr(actual, ==, row->says[i]);
	}
	g_assert_true(i == SAYS_MAX || !row->says[i]);
	plan_free(plan);
	script_free(script);
}

/* The whole of a message: place, line, caret under the right character. */
static void test_caret(void)
{
	static const char given[] = "scenario \"\xc3\xa4\xc3\xb6\"\n"
				    "\t0 > VendGet() modifer=1\n"
				    "0 fd = umad_open_port(\"\xc3\xbc\", x=1)\n";
	struct script *script = script_parse(given, strlen(given), "dir/t.mad", script_verbs);
	struct plan *plan;
	g_autofree char *text = NULL;

	plan = script_check(script);
	g_assert_cmpuint(script->diagnostics->errors, >, 0);
	text = diagnostics_text(script->diagnostics);
	g_assert_cmpstr(text, ==,
			"dir/t.mad:2:16: error: there is no header field 'modifer' here: did you "
			"mean modifier?\n"
			"    2 | \t0 > VendGet() modifer=1\n"
			"      | \t              ^~~~~~~\n"
			"dir/t.mad:3:28: error: umad_open_port() has no argument x: it "
			"takes ca, port\n"
			"    3 | 0 fd = umad_open_port(\"\xc3\xbc\", x=1)\n"
			"      |                            ^\n");
	plan_free(plan);
	script_free(script);
}

/* More errors than anyone reads. */
static void test_many(void)
{
	g_autoptr(GString) given = g_string_new(S);
	struct script *script;
	struct plan *plan;
	g_autofree char *text = NULL;

	/* So many that quadratic time would be noticed. */
	for (int i = 0; i < 30000; i++)
		g_string_append_printf(given, "0 > VendGet() tid=$tid%d\n", i);
	script = script_parse(given->str, given->len, "t.mad", script_verbs);
	plan = script_check(script);
	g_assert_cmpuint(script->diagnostics->errors, >, 0);
	g_assert_cmpuint(script->diagnostics->list->len, ==, DIAGNOSTICS_MAX);
	text = diagnostics_text(script->diagnostics);
	g_assert_true(g_str_has_suffix(text, "... there is more: mend these first\n"));
	plan_free(plan);
	script_free(script);
}

/* A define that uses earlier ones: the next after 'd<before>'. */
static void append_define(GString *given, int how, int before)
{
	g_string_append_printf(given, "define d%d(x) = ", before + 1);
	switch (how) {
	case 0:		/* doubles */
		g_string_append_printf(given, "d%d($x+$x)\n", before);
		return;
	case 1:		/* is only a long chain */
		g_string_append_printf(given, "d%d($x) tid.low=$x\n", before);
		return;
	default:	/* doubles what is discarded */
		g_string_append_printf(given, "d%d(d%d(1))\n", before, before);
		return;
	}
}

/* Defines that grow without limit are an error, without delay. */
static void test_growth(const void *data)
{
	g_autoptr(GString) given = g_string_new(S "define d0(x) = VendGet() modifier=$x\n");
	struct script *script;
	struct plan *plan;

	for (int i = 0; i < 200; i++)
		append_define(given, GPOINTER_TO_INT(data), i);
	g_string_append(given, "0 > d200(1)\n");
	script = script_parse(given->str, given->len, "t.mad", script_verbs);
	plan = script_check(script);
	g_assert_cmpuint(script->diagnostics->errors, >, 0);
	plan_free(plan);
	script_free(script);
}

#define TAGS_10 "a,b,c,d,e,f,g,h,i,j,"
#define TAGS_50 TAGS_10 TAGS_10 TAGS_10 TAGS_10 TAGS_10

/* A script of HEAD, COUNT times LINE (with its number) and TAIL is refused for this reason. */
static const struct large {
	const char *name;
	const char *head;
	unsigned int count;
	const char *line;
	const char *tail;
	const char *says;
} large_scripts[] = {
	{ "fields of a MAD", S "0 > VendGet()", 301, " f%u=1", "\n",
	  "there are more than 300 of these" },
	{ "tags", S "tags ", 1001, "t%u,", " t\n0~1ms > nothing\n",
	  "there are more than 1000 of these" },
	{ "needs", S, 1001, "needs program p%u\n", "0~1ms > nothing\n",
	  "there are more than 1000 of these" },
	{ "defines", S, 1001, "define d%u = VendGet()\n", "0~1ms > nothing\n",
	  "there are more than 1000 of these" },
	{ "data", S, 1001, "data d%u = {1}\n", "0~1ms > nothing\n",
	  "there are more than 1000 of these" },
	{ "vary", S, 201, "vary v%u in 1\n", "0~1ms > nothing\n",
	  "there are more than 200 of these" },
	{ "scenarios that take over tags", "tags " TAGS_50 TAGS_50 "end\n", 10000,
	  "scenario \"s%u\"\n0~1ms > nothing\n", "",
	  "the directives above the first scenario are too many for so many scenarios" },
	{ "points", "", 24, "scenario \"s%u\"\nvary a in 1..19000\n0~1ms > nothing\n", "",
	  "the script is too large with its rows, 'vary' and defines written out: more than "
	  "4000000 lines and values" },
};

static bool is_said(const struct script *script, const char *message)
{
	for (guint i = 0; i < script->diagnostics->list->len; i++) {
		g_autofree char *actual = said(script->diagnostics->list->pdata[i]);

		if (strstr(actual, message))
			return true;
	}
	return false;
}

static void test_large(const void *data)
{
	const struct large *large = data;
	g_autoptr(GString) given = g_string_new(large->head);
	struct script *script;
	struct plan *plan;

	for (unsigned int i = 0; i < large->count; i++) {
		g_auto(GStrv) parts = g_strsplit(large->line, "%u", 2);

		g_string_append_printf(given, "%s%u%s", parts[0], i, parts[1]);
	}
	g_string_append(given, large->tail);
	script = script_parse(given->str, given->len, "t.mad", script_verbs);
	plan = script_check(script);
	g_assert_true(is_said(script, large->says));
	plan_free(plan);
	script_free(script);
}

/* Eight files of 1 kB, each of which includes the next one fifty times. */
static void test_includes(void)
{
	static const char given[] = S "include \"0.inc\"\n0~1ms > nothing\n";
	g_autofree char *dir = g_dir_make_tmp("umadrig-XXXXXX", NULL);
	g_autofree char *name = g_build_filename(dir, "t.mad", NULL);
	struct script *script;
	struct plan *plan;

	for (int i = 0; i < 8; i++) {
		g_autofree char *path = g_strdup_printf("%s/%d.inc", dir, i);
		g_autoptr(GString) text = g_string_new(NULL);

		for (int j = 0; j < 50; j++)
			g_string_append_printf(text, i < 7 ? "include \"%d.inc\"\n" :
					       "# the line %d of many\n", i + 1);
		g_assert_true(g_file_set_contents(path, text->str, -1, NULL));
	}
	script = script_parse(given, strlen(given), name, script_verbs);
	plan = script_check(script);
	g_assert_true(is_said(script, "the script is too large with what it includes: more than 4 "
			      "MiB"));
	plan_free(plan);
	script_free(script);
	for (int i = 0; i < 8; i++) {
		g_autofree char *path = g_strdup_printf("%s/%d.inc", dir, i);

		g_assert_cmpint(g_unlink(path), ==, 0);
	}
	g_assert_cmpint(g_rmdir(dir), ==, 0);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/script-check/%s", rows[i].name);

		g_test_add_data_func(path, &rows[i], test_wrong);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(large_scripts); i++) {
		g_autofree char *path =
			g_strdup_printf("/script-check/too many: %s", large_scripts[i].name);

		g_test_add_data_func(path, &large_scripts[i], test_large);
	}
	g_test_add_func("/script-check/files that include files", test_includes);
	g_test_add_func("/script-check/the caret", test_caret);
	g_test_add_func("/script-check/errors by the thousand", test_many);
	g_test_add_data_func("/script-check/defines that double", GINT_TO_POINTER(0), test_growth);
	g_test_add_data_func("/script-check/defines in a chain", GINT_TO_POINTER(1), test_growth);
	g_test_add_data_func("/script-check/defines that hide", GINT_TO_POINTER(2), test_growth);
	return leak_end(g_test_run());
}
