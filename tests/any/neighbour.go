// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only

// neighbour: what neighbour.c does, in Go: the file is in the hands of the runtime's poller.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

const (
	classDir       = "/sys/class/infiniband/"
	madDir         = "/sys/class/infiniband_mad/umad0/"
	device         = "/dev/infiniband/umad0"
	registerAgent2 = 0xC0281B04
	header         = 64
	mad            = 256
)

// must returns the value of a call that has to succeed.
func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

// wordOf returns the first word of a file.
func wordOf(path string) string {
	return strings.TrimSpace(string(must(os.ReadFile(path))))
}

func listDevices() {
	for _, entry := range must(os.ReadDir(classDir)) {
		fmt.Printf("device %s: GUID %s\n", entry.Name(),
			wordOf(classDir+entry.Name()+"/node_guid"))
	}
	fmt.Printf("umad0: port %s of %s", wordOf(madDir+"port"), wordOf(madDir+"ibdev"))
	if must(os.Stat(device)).Mode()&os.ModeCharDevice != 0 {
		fmt.Printf(", a character device")
	}
	fmt.Println()
}

func request(agent uint32) []byte {
	umad := make([]byte, header+mad)
	binary.LittleEndian.PutUint32(umad, agent)
	binary.LittleEndian.PutUint32(umad[8:], 1000) // ms
	umad[28], umad[29] = 0xff, 0xff               // LID: permissive
	smp := umad[header:]
	copy(smp, []byte{1, 0x81, 1, 1, 0, 0, 0, 1}) // SMP by directed route, Get, one hop
	copy(smp[12:], "any!")
	smp[17] = 0x11 // NodeInfo
	copy(smp[32:], []byte{0xff, 0xff, 0xff, 0xff})
	smp[129] = 1 // by port 1
	return umad
}

func ioctl(file *os.File, number uintptr, argument unsafe.Pointer) (result int, err error) {
	raw := must(file.SyscallConn())
	_ = raw.Control(func(fd uintptr) {
		value, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, number, uintptr(argument))
		result = int(value)
		if errno != 0 {
			err = errno
		}
	})
	return
}

func ask(file *os.File, agent uint32) {
	answer := make([]byte, header+mad)
	must(file.Write(request(agent)))
	_ = file.SetReadDeadline(time.Now().Add(5 * time.Second))
	must(file.Read(answer))
	smp := answer[header:]
	fmt.Printf("neighbour: method 0x%x, TID %s, type %d, %d ports\n", smp[3], smp[12:16],
		smp[66], smp[67])
}

func refused(call string, result int, err error) {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		result = -1
	}
	fmt.Printf("%s: %d, errno %d\n", call, result, int(errno))
}

func main() {
	listDevices()
	file := must(os.OpenFile(device, os.O_RDWR|syscall.O_NONBLOCK, 0))
	var asked [40]byte
	asked[8], asked[9] = 0x81, 1
	if _, err := ioctl(file, registerAgent2, unsafe.Pointer(&asked)); err == nil {
		ask(file, binary.LittleEndian.Uint32(asked[:]))
	} else {
		fmt.Printf("register: errno %d\n", int(err.(syscall.Errno)))
	}
	_ = file.SetReadDeadline(time.Time{})
	count, err := file.Write(make([]byte, 20))
	refused("write of 20 bytes", count, err)
	count, err = file.Write(request(31))
	refused("write for agent 31", count, err)
	count, err = file.Read(make([]byte, 20))
	refused("read of 20 bytes", count, err)
	count, err = ioctl(file, 0x1B09, nil)
	refused("unknown ioctl", count, err)
	file.Close()
}
