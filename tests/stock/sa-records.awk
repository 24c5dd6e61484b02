# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sa-records.awk: what saquery prints, a line a record, as fabric-walk -R prints what the SA has to
# have.
#	awk -v kind=NR -f sa-records.awk

function flush() {
	if (!(have))
		return
	if (kind == "NR")
		print kind, v["lid"], v["node_guid"], v["port_guid"], v["port_num"], v["node_type"],
			v["NodeDescription"]
	else if (kind == "PIR")
		print kind, v["EndPortLid"], v["PortNum"], v["Lid:"], v["LinkState:"]
	else if (kind == "LR")
		print kind, v["FromLID"], v["FromPort"], v["ToPort"], v["ToLID"]
	else if (kind == "PR")
		print kind, v["slid"], v["dlid"]
	else if (kind == "MCMR")
		print kind, v["MGID"], guid_of(v["PortGid"]), v["mlid"], v["JoinState"]
	else if (kind == "SR")
		print kind, v["ServiceID"], v["ServiceName"]
	have = 0
}

# The last 64 bits of a GID in the subnet's own prefix, which is one run of zeros:
# fe80::2:c903:0:b00.
function guid_of(gid,	groups, count, i, guid) {
	sub(/.*::/, "", gid)
	count = split(gid, groups, ":")
	for (i = 1; i <= 4; i++)
		guid = guid (i > 4 - count ? substr("000" groups[i - 4 + count], \
			length(groups[i - 4 + count])) : "0000")
	return "0x" guid
}

/^[A-Za-z0-9]+ ?Record dump:/ {
	flush()
	have = kind != "LFTR"
	split("", v)
	next
}

kind == "LFTR" && NF == 2 && $1 ~ /^[0-9]+$/ {
	if ($2 != 255)
		print kind, v["LID"], v["Block"], $1, $2
	next
}

# "name....value", whose name may end in a colon; the value may have dots.
match($0, /^\t+[A-Za-z_0-9]+:?\.\.+/) {
	name = substr($0, 1, RLENGTH)
	gsub(/[\t.]/, "", name)
	v[name] = substr($0, RLENGTH + 1)
}

END { flush() }
