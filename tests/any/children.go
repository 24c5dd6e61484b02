// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only

// children starts COMMAND six at a time, ten times, each with a limit of 2 s, and prints when each
// ended, how, and how much it has printed; and then its runtime's own figures.
//
//	children COMMAND ARGUMENT...
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

const (
	rounds = 10
	width  = 6
)

func run(args []string) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, args[0], args[1:]...).Output()
	return len(out), err
}

func main() {
	var lock sync.Mutex
	start := time.Now()
	for round := 0; round < rounds; round++ {
		var wait sync.WaitGroup
		for i := 0; i < width; i++ {
			wait.Add(1)
			go func(i int) {
				defer wait.Done()
				size, err := run(os.Args[1:])
				lock.Lock()
				defer lock.Unlock()
				fmt.Println(round, i, time.Since(start), size, err)
			}(i)
		}
		wait.Wait()
		time.Sleep(time.Second)
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fmt.Println("allocated", stats.TotalAlloc, "by", stats.Mallocs)
}
