// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only

// topograph-labels: what ibnetdiscover prints, read by topograph's own reader and tree: a line for
// each host, with the switches that it is labelled with, the leaf first, as
// doc/examples/kubernetes/labels.py prints them. Built within topograph's module.
package main

import (
	"fmt"
	"io"
	"os"
	"sort"

	"github.com/NVIDIA/topograph/pkg/ib"
	"github.com/NVIDIA/topograph/pkg/topology"
)

var lines []string

// walk adds a line for each host below a vertex, whose switches above it are given.
func walk(vertex *topology.Vertex, above []string) {
	if len(vertex.Vertices) == 0 {
		line := vertex.ID
		for i := range above {
			line += fmt.Sprintf(" fabric.topograph.run/tier-%d=%s", i, above[len(above)-1-i])
		}
		lines = append(lines, line)
		return
	}
	for _, below := range vertex.Vertices {
		walk(below, append(append([]string{}, above...), vertex.ID))
	}
}

func main() {
	found, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	_, hosts, err := ib.ParseIbnetdiscoverFile(found)
	if err != nil {
		panic(err)
	}
	roots, _, err := ib.GenerateTopologyConfig(found, []topology.ComputeInstances{{Instances: hosts}})
	if err != nil {
		panic(err)
	}
	for _, root := range roots {
		walk(root, nil)
	}
	sort.Strings(lines) // by their bytes
	for _, line := range lines {
		fmt.Println(line)
	}
}
