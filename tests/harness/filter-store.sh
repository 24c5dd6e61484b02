#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# filter-store: files of /sys that a host writes: sriov_numvfs, sriov/N/{node,port,policy} and
# lifespan. Each write has the errno of the kernel's, and devices come and go.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

any_needs_filter
CTL="$umadrig ctl"
card=/sys/class/infiniband/mlx5_0/device
export CTL card
below() {
	timeout -s KILL 100 "$umadrig" exec --fabric "generate:rail:2,1,4,vfs=4:host-0${load:-}" \
		--host host-0 --how "${how:-both}" -- "$@" >out 2>err
}

# FILE TEXT: what a write returns, as a program that is no shell makes it.
cat >put.py <<'END_PUT'
import errno, os, sys
for file, text in zip(sys.argv[1::2], sys.argv[2::2]):
    fd = os.open(file, os.O_WRONLY | os.O_TRUNC)
    try:
        print(file, repr(text), os.write(fd, text.encode()))
    except OSError as wrong:
        print(file, repr(text), errno.errorcode[wrong.errno])
    os.close(fd)
END_PUT
cat >show.sh <<'END_SHOW'
echo $(cat sriov_numvfs) $(ls /sys/class/infiniband) $(ls sriov) $(ls -d virtfn* 2>/dev/null) \
	$($CTL vf list | wc -l)
END_SHOW
cat >count.sh <<'END_COUNT'
here=$(pwd)
cd "$card"
stat -c '%A %n' sriov_numvfs sriov_totalvfs sriov/0/node sriov/0/port sriov/0/policy
python3 "$here/put.py" sriov_numvfs 3 sriov_numvfs 5 sriov_numvfs 65536 sriov_numvfs x \
	sriov_numvfs '' sriov_numvfs '4 ' sriov_numvfs 4 sriov_numvfs "0
"
. "$here/show.sh"
python3 "$here/put.py" sriov_numvfs 0x2
. "$here/show.sh"
python3 "$here/put.py" sriov_numvfs +00
python3 -c 'import os
fd = os.open("sriov_numvfs", os.O_RDWR)
print(os.writev(fd, [b"", b"3", b"\n"]))'
. "$here/show.sh"
$CTL vf count host-0 0
. "$here/show.sh"
END_COUNT
if [ -n "$(command -v python3)" ]; then
	below sh count.sh
	tap_is "sriov_numvfs: all go, and then others come; the errnos are sriov_numvfs_store()'s" \
		"$(cat out)" "-rw-r--r-- sriov_numvfs
-r--r--r-- sriov_totalvfs
-rw-r--r-- sriov/0/node
-rw-r--r-- sriov/0/port
-rw-r--r-- sriov/0/policy
sriov_numvfs '3' EBUSY
sriov_numvfs '5' ERANGE
sriov_numvfs '65536' EINVAL
sriov_numvfs 'x' EINVAL
sriov_numvfs '' 0
sriov_numvfs '4 ' EINVAL
sriov_numvfs '4' 1
sriov_numvfs '0\\n' 2
0 mlx5_0 0
sriov_numvfs '0x2' 3
2 mlx5_0 mlx5_1 mlx5_2 0 1 virtfn0 virtfn1 2
sriov_numvfs '+00' 3
2
3 mlx5_0 mlx5_1 mlx5_2 mlx5_3 0 1 2 virtfn0 virtfn1 virtfn2 3
0 mlx5_0 0"
	tap_is "nothing else is said" "$(grep -v '^simulated fabric' err)" ""
else
	tap_skip "sriov_numvfs" "no python3 here"
fi

# A host gives a function its GUIDs, an SM changes a P_Key below it, and its port comes up.
cat >pkey.py <<'END_PKEY'
import fcntl, os, struct
fd = os.open("/dev/infiniband/umad0", os.O_RDWR)
asked = bytearray(struct.pack("=I16xBBBxxxB", 0, 0, 0x81, 1, 0))
fcntl.ioctl(fd, 0xc01c1b01, asked)                      # IB_USER_MAD_REGISTER_AGENT
agent = struct.unpack_from("=I", asked)[0]
set_p_keys = struct.pack(">BBBBHBBQHHIQHH28x", 1, 0x81, 1, 2, 0, 0, 0, 7, 0xffb6, 0, 1 << 16, 0,
                         0xffff, 0xffff)
set_p_keys += struct.pack(">HH", 0xffff, 0x8123) + bytes(60 + 128)
head = struct.pack("=IIIII", agent, 0, 1000, 0, 0) + struct.pack(">IIHBB4x16sI", 0, 0, 0xffff, 0, 0,
                                                                   bytes(16), 0)
os.write(fd, head + set_p_keys)
answer = os.read(fd, 1000)
print("%#06x" % (struct.unpack_from(">H", answer, len(head) + 4)[0] & 0x7fff))
END_PKEY
cat >guid.sh <<'END_GUID'
cd "$card"
vf=/sys/class/infiniband/mlx5_1
echo 00:11:22:33:44:55:66:77 | tee sriov/0/node >/dev/null
echo 00:11:22:33:44:55:66:78 | tee sriov/0/port >/dev/null
cat sriov/0/node sriov/0/port $vf/node_guid $vf/ports/1/gids/0 $vf/ports/1/state
echo Follow | tee sriov/0/policy >/dev/null
cat sriov/0/policy $vf/ports/1/state
python3 "$here/pkey.py"
cat $vf/ports/1/pkeys/1 $vf/ports/1/pkeys/0 ../0000:1e:02.0/infiniband/mlx5_2/ports/1/pkeys/1
echo Down | tee sriov/0/policy >/dev/null
cat $vf/ports/1/state
for bad in Follow1 follow ''; do
	python3 "$here/put.py" sriov/0/policy "$bad"
done
for bad in 0 00:11:22:33:44:55:66 00:11:22:33:44:55:66:777 x0:11:22:33:44:55:66:77; do
	python3 "$here/put.py" sriov/0/port "$bad"
done
echo 0 | tee sriov_numvfs >/dev/null
echo 1 | tee sriov_numvfs >/dev/null
cat sriov/0/port
END_GUID
here=$(pwd)
export here
if [ -n "$(command -v python3)" ]; then
	below sh guid.sh
	tap_is "GUIDs and policy are written by a shell; P_Keys are the SM's; GUIDs stay" "$(cat out)" \
		"00:11:22:33:44:55:66:77
00:11:22:33:44:55:66:78
0011:2233:4455:6677
fe80:0000:0000:0000:0011:2233:4455:6678
1: DOWN
Follow
4: ACTIVE
0x0000
0x8123
0xffff
0x0000
1: DOWN
sriov/0/policy 'Follow1' EINVAL
sriov/0/policy 'follow' EINVAL
sriov/0/policy '' 0
sriov/0/port '0' EINVAL
sriov/0/port '00:11:22:33:44:55:66' EINVAL
sriov/0/port '00:11:22:33:44:55:66:777' EINVAL
sriov/0/port 'x0:11:22:33:44:55:66:77' EINVAL
00:11:22:33:44:55:66:78"
else
	tap_skip "GUIDs and policy" "no python3 here"
fi

# A shell's own redirection is a copy at a low number, which nobody sees: it fails at least.
if [ -n "$(command -v bash)" ]; then
	below bash -c 'cd $card; echo 3 | tee sriov_numvfs >/dev/null; echo 5 | tee sriov_numvfs >/dev/null; echo 0 | tee sriov_numvfs >/dev/null &&
		cat sriov_numvfs; echo 1 | tee sriov_numvfs >/dev/null; cat sriov_numvfs
		echo 1 | tee sriov_totalvfs >/dev/null; printf "%080d" 0 >sriov_numvfs'
	tap_is "what a shell has tee write" "$(cat out)" "0
1"
	tap_is "and its errors" "$(sed -n 's/^\(bash\|tee\): .*: //p' err)" "Device or resource busy
Numerical result out of range
Permission denied
Bad file descriptor"
else
	tap_skip "what a shell has tee write" "no bash here"
fi
how=filter below sh -c 'cd $card && echo 0 | tee sriov_numvfs >/dev/null && cat sriov_numvfs &&
	echo 2 | tee sriov_numvfs | tr 2 two && cat sriov_numvfs'
tap_is "with the filter alone, too" "$(cat out)" "0
t
2"

cat >copied.sh <<'END_COPIED'
cd "$card" && echo 0 | tee sriov_numvfs >/dev/null && cat sriov_numvfs && stat -c %A sriov_numvfs
ls /sys/class/infiniband
END_COPIED
"$umadrig" serve --fabric generate:rail:2,1,4,vfs=4:host-0 --socket socket >ready 2>&1 &
server=$!
i=0
while [ $i -lt 200 ] && [ ! -S socket ]; do
	sleep 0.05
	i=$((i + 1))
done
timeout 60 "$umadrig" exec --attach socket --host host-0 -- sh copied.sh >out 2>err
tap_is "on somebody's server" "$(cat out)" "0
-rw-r--r--
mlx5_0"
kill "$server"
wait "$server" 2>/dev/null

# How long counters of queue pairs stay as they were read: in virtual time, set by another session.
cat >lifespan.sh <<'END_LIFESPAN'
file=/sys/class/infiniband/mlx5_0/ports/1/hw_counters
python3 "$here/put.py" $file/lifespan 10001 $file/lifespan -1 $file/lifespan 0x10 \
	$file/lifespan 101
cat $file/lifespan
echo 10000 | tee $file/lifespan >/dev/null
cat $file/lifespan
END_LIFESPAN
if [ -n "$(command -v python3)" ]; then
	below sh lifespan.sh
	tap_is "lifespan is in whole jiffies, up to 10 s" "$(sed 's/^.*lifespan //' out)" \
		"'10001' EINVAL
'-1' EINVAL
'0x10' EINVAL
'101' 3
104
10000"
	# Ten seconds: what a load moves meanwhile is not seen there.
	load=,load=all:next:8G below sh -c 'cd /sys/class/infiniband/mlx5_0/ports/1
		moves() {
			i=0 was=$(cat "$1")
			while [ $i -lt 200 ] && [ "$(cat "$1")" = "$was" ]; do
				sleep 0.05
				i=$((i + 1))
			done
			[ $i -lt 200 ] && echo "$1"
		}
		moves hw_counters/rx_write_requests
		echo 10000 | tee hw_counters/lifespan >/dev/null
		read=$(cat hw_counters/rx_write_requests)
		moves counters/port_rcv_data
		[ "$read" = "$(cat hw_counters/rx_write_requests)" ] && echo stays
		echo 4 | tee hw_counters/lifespan >/dev/null
		moves hw_counters/rx_write_requests'
	tap_is "and for so long what was read stays" "$(cat out)" "hw_counters/rx_write_requests
counters/port_rcv_data
stays
hw_counters/rx_write_requests"
else
	tap_skip "lifespan" "no python3 here"
fi
out=$(timeout 60 "$umadrig" exec --fabric generate:rail:2,1,4,vfs=4:host-0,clock=virtual \
	--host host-0 -- sh -c 'cd $card && ls sriov && echo 0 | tee sriov_numvfs >/dev/null; cat sriov_numvfs' 2>&1)
tap_has "in virtual time nothing can be written, and that fails" "$out" "ermission denied
4"
tap_done
