#!/bin/sh
# A target that cannot be recorded is reported before anything is made, with the status that a shell uses.
try() {
	collect "$@" 2>message
	echo "$? $(sed "s|$PWD|.|" message)"
}
mkdir directory
echo text >text
printf '\177ELF\001\001\001' >elf32 && head -c 100 /dev/zero >>elf32
printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000\002\000\267\000' >foreign
head -c 100 /dev/zero >>foreign
printf '#!/no/such/interpreter\n' >script
printf '\177ELF' >half
printf '#!/bin/sh\r\n' >carriage
printf '#!./there\n' >back && printf '#!./back\n' >there
printf '#!\nexit 5\n' >unnamed
ln -s loop loop
chmod +x elf32 foreign script half carriage back there unnamed
# Files that are not programs for this machine.
try ./directory
try ./text
try ./elf32
try ./foreign
try ./half
try ./script
try ./carriage
try ./back
# A script without an interpreter line is run by a shell.
try -A off -p off -S off ./unnamed 2>&1 | sed 's/(.*)//'
rm -r test.1.er
# Names that lead nowhere.
try ./none
try ./text/none
try ./loop
try ''
try no-such-program-anywhere
# Names without a slash are looked for in PATH, as by a shell.
PATH=$PWD:$PATH try text
PATH=$PWD:$PATH try directory
# Set-id bits of a script have no effect.
printf '#!/bin/sh\nexit 6\n' >setid
[ "$(id -u)" != 0 ] || chown 1:1 setid
chmod 6755 setid
collect -A off ./setid 2>message
echo $?
rm -rf test.1.er
# Nothing else was made.
rm -r directory text elf32 foreign script half carriage back there unnamed loop setid message
ls -A
