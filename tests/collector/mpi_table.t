#!/bin/sh
# The table of the calls of MPI agrees with headers of both libraries: how many parameters a call has, and which
# of them are communicators, requests, tags and messages.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

cat >compare.py <<'END'
import re, sys
table, header = open(sys.argv[1]).read(), re.sub(r"\s+", " ", open(sys.argv[2]).read())
# What the type, or else the name, of a parameter with the letter has in it.
marks = {"c": "MPI_Comm ", "C": "MPI_Comm *", "F": "MPI_Comm *", "q": "MPI_Request *", "Q": "MPI_Request ",
         "x": "MPI_Message *", "K": "MPI_Message *", "S": "MPI_Status *", "A": "MPI_Status ", "t": "MPI_Datatype ",
         "u": "MPI_Datatype ", "e": "tag", "f": "int *", "i": "int *", "j": "int *", "b": "void *", "B": "void *",
         "o": "root", "p": "MPI_Op ", "k": "int ", "n": "int ", "m": "int ", "N": "int ", "M": "int "}
unseen = {("Intercomm_create", "MPI_Comm bridge_comm"), ("Intercomm_create", "MPI_Comm peer_comm")}
count = 0
for number, name, form in re.findall(r'^CALL\((\d+), (\w+), \w+, "([^"]*)"\)$', table, re.M):
    found = re.search(r"int MPI_%s\(([^)]*)\)" % name, header)
    if not found:
        print(name, "is not in the header")
        continue
    count += 1
    parameters = [p.strip() for p in found[1].split(",") if p.strip() != "void"]
    if not len(parameters) == len(form) == int(number):
        print(name, "has", len(parameters), "parameters")
    for parameter, letter in zip(parameters, form):
        if letter in marks and marks[letter] not in parameter:
            print(name, letter, "is", parameter)
        if letter == "." and parameter.startswith("MPI_Comm ") and "*" not in parameter and (name, parameter) not in unseen:
            print(name, "is not told of", parameter)
print("all" if count == table.count("\nCALL(") else count)
END

found=
for folder in /usr/lib/*/openmpi/include /usr/include/*/mpich; do
	[ -e "$folder/mpi.h" ] || continue
	found=$folder
	cat "$folder/mpi.h" >all.h
	cat "$folder/mpi_proto.h" "$folder/mpio.h" >>all.h 2>/dev/null # as in MPICH
	is "$(python3 compare.py "$TOP/collector/mpi/calls.h" all.h)" all "$folder"
done
[ "$found" ] || skip 'there is no mpi.h' 'the table of calls'
done_testing
