/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* How Sphinx orders what a search finds: definitions, then pages of that title, then mentions. */
var Scorer = {
	objNameMatch: 60,
	objPartialMatch: 8,
	objPrio: { 0: 15, 1: 5, 2: -5 },
	objPrioDefault: 0,
	title: 30,
	partialTitle: 12,
	term: 5,
	partialTerm: 2
};
