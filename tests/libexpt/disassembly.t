#!/bin/sh
# Instructions compared with objdump's, by disassembly_compare.py. DISASSEMBLY_LIMIT is the number of bytes
# of code of each program (all: 0).
#
# For whoever writes the view: gp-display-text 2.40 -disasm FUNCTION prints
#
#	Source file: w.c
#	Object file: w
#	Load Object: w
#
#	   Excl. Total   Incl. Total
#	   CPU           CPU
#	    sec.      %   sec.      %
#	                                        <Function: work>
#	   0.      0.    0.      0.             [?]     1183:  je     0x45
#	## 0.741   0.    0.741   0.             [?]     11af:  add    $0x1,%rcx
#	   0.      0.    0.      0.             [?]     11a8:  mov    0x2e71(%rip),%rcx        # 0x2e78
#
# Columns: metrics, "[line]", the address of the file in hexadecimal without 0x, right aligned in 8 columns,
# ":", two spaces, "%-6s %s" of mnemonic and operands as objdump has them; no bytes, and no names. "## " marks
# large values. It takes each instruction to be at address 0, so its targets are wrong: "je 0x45" at 1183
# goes to 11c8, and "# 0x2e78" is 0x2e78 after 11a8. erkit shows the address and the name, as objdump does.

. "$TOP/tests/lib/tap.sh"

for needed in objdump readelf python3; do
	if ! command -v $needed >/dev/null; then
		skip "there is no $needed" 'instructions are those of objdump'
		done_testing
	fi
done
if [ "$(uname -m)" != x86_64 ]; then
	skip 'only x86-64 is disassembled' 'instructions are those of objdump'
	done_testing
fi
exec python3 -B "$TESTDIR/disassembly_compare.py"
