#!/bin/sh
# The library as the loader and the program's threads see it.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

readelf -dW "$library" >dynamic.txt
readelf --dyn-syms -W "$library" >symbols.txt

check "its thread-local storage is static" grep -q STATIC_TLS dynamic.txt
is "$(grep -c __tls_get_addr symbols.txt)" 0 "it never asks for thread-local storage"
is "$(sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' dynamic.txt | sed 's/^ld-linux.*/loader/' | sort -u | tr '\n' ' ')" \
	"libc.so.6 " "it needs nothing but libc"
check "nothing is bound lazily" grep -q BIND_NOW dynamic.txt
is "$(awk '$7 != "UND" && $8 ~ /@/ && $8 !~ /@GLIBC_|@@GLIBC_|@@ERKIT_|@@GOMP_|@@OMP_|^ompt_start_tool@/' symbols.txt)" "" \
	"it exports only wrapped symbols, and those for our own libraries and for OpenMP"
for version in pthread_create@GLIBC_2.2.5 pthread_create@@GLIBC_2.34 thrd_create@GLIBC_2.28 \
	dlopen@GLIBC_2.2.5 dlopen@@GLIBC_2.34 posix_spawn@GLIBC_2.2.5 posix_spawn@@GLIBC_2.15; do
	check "it wraps $version" grep -Fqw "$version" symbols.txt
done
is "$(awk '$7 == "UND" { sub(/@.*/, "", $8); print $8 }' symbols.txt |
	grep -xE 'malloc|calloc|realloc|free|printf|fopen|write|open' | tr '\n' ' ')" "" \
	"it calls neither malloc nor stdio"

done_testing
