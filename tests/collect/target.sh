#!/bin/sh
# What cannot be recorded is said before anything is made, with the statuses a shell uses.
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
chmod +x elf32 foreign script half
try ./directory
try ./text
try ./elf32
try ./foreign
try ./half
try ./script
try ./none
try no-such-program-anywhere
PATH=$PWD:$PATH try text
rm -r directory text elf32 foreign script half message
ls -A
