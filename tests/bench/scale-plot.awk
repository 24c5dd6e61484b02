# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# scale-plot.awk: what `scale` printed, as a drawing (SVG): start-up and memory by the number of
# nodes, ours and ibsim's, logarithmic axes. What grows as the fabric does is parallel to the dashed
# line.
#
# awk -f scale-plot.awk scale.txt >scale.svg
function log10(x) { return log(x) / log(10) }
function x_of(nodes) { return left + (log10(nodes) - 2) / 3 * width }
function y_of(value) { return top + height - (log10(value) - low) / (high - low) * height }
function say(x, y, anchor, what) {
	printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, what
}
function line(x1, y1, x2, y2, colour) {
	printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1,
		x2, y2, colour
}
# One line with its points, of column 'from', divided by 'unit'.
function curve(from, unit, colour, name,   i, points, at, last) {
	for (i = 1; i <= count; i++) {
		if (cell[i, from] == "-" || cell[i, from] <= 0)
			continue
		at = sprintf("%.1f,%.1f", x_of(cell[i, 2]), y_of(cell[i, from] / unit))
		points = points " " at
		split(at, last, ",")
		printf "<circle cx=\"%s\" cy=\"%s\" r=\"3\" fill=\"%s\"/>\n", last[1], last[2], colour
	}
	printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n",
		substr(points, 2), colour
	say(last[1] + 6, last[2] + 4, "start", name)
}
function panel(at, title, from, unit, lowest, highest,   e, n, nodes) {
	left = at; low = lowest; high = highest
	say(left, top - 12, "start", title)
	for (e = low; e <= high; e++) {
		line(left, y_of(10 ^ e), left + width, y_of(10 ^ e), "#ddd")
		say(left - 6, y_of(10 ^ e) + 4, "end", e < 0 ? sprintf("%.*f", -e, 10 ^ e) : 10 ^ e)
	}
	n = split("100 1000 10000 49151", nodes, " ")
	for (e = 1; e <= n; e++) {
		line(x_of(nodes[e]), top, x_of(nodes[e]), top + height, "#ddd")
		say(x_of(nodes[e]), top + height + 16, "middle", nodes[e])
	}
	say(left + width / 2, top + height + 34, "middle", "nodes")
	# Ten times as much for ten times the nodes, from the last of ours back.
	printf "<g stroke-dasharray=\"3 3\">\n"
	line(x_of(cell[count, 2]), y_of(cell[count, from] / unit), x_of(cell[count, 2] / 100),
		y_of(cell[count, from] / unit / 100), "#777")
	print "</g>"
	curve(from + 1, unit, "#c33", "ibsim")
	curve(from, unit, "#26a", "umadrig")
}
$1 + 0 > 0 {
	count++
	for (i = 1; i <= NF; i++)
		cell[count, i] = $i
}
END {
	top = 40; width = 300; height = 260
	print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"350\"" \
		" font-family=\"sans-serif\" font-size=\"12\">"
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	panel(70, "start-up, seconds", 4, 1000, -3, 2)
	panel(490, "resident memory, MB", 10, 1000, 0, 3)
	print "</svg>"
}
