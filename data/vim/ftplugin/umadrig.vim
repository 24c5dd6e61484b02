" SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
" Scenarios: comments, and 'umadrig lint' and 'umadrig format' as :make and gq.

if exists("b:did_ftplugin")
	finish
endif
let b:did_ftplugin = 1

setlocal comments=:# commentstring=#\ %s
setlocal iskeyword+=.
setlocal makeprg=umadrig\ lint\ %:S
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%-G%.%#
let b:undo_ftplugin = "setlocal comments< commentstring< iskeyword< makeprg< errorformat<"
