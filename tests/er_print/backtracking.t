#!/bin/sh
# From events of processors' counters to the instruction and its data: the shapes of their records, one event
# each. Handwritten, so that the program can have been interrupted anywhere.
. "$TOP/tests/lib/tap.sh"

if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP data objects are found on x86-64 only"
	exit 0
fi

cat >program.c <<-END
	struct node { long key; struct node *next; };
	struct pair { long a, b, c; };
	struct opaque;
	typedef struct node *node_t;
	#define FUNCTION __attribute__((noinline, noclone)) long
	#define ASM __asm__ volatile

	/* A load, and a store after it: counters of loads and of stores go back to different ones. */
	FUNCTION straight(struct node *node, long value)
	{
		ASM("s_load: mov 8(%0), %%rax\ns_store: mov %1, (%0)\ns_1: nop\ns_2: nop\n"
		    ".rept 11\nnop\n.endr\ns_14: nop\ns_15: nop\ns_16: nop\ns_17: nop"
		    : : "D"(node), "S"(value) : "rax", "memory");
		return 0;
	}
	/* An access in the first instruction, a skid across a call, and behind a jump. */
	FUNCTION calls(struct node *node)
	{
		ASM("c_load: mov 8(%0), %%rax\ncall c_leaf\nc_1: nop\nc_2: nop\n"
		    "c_again: mov (%0), %%rax\njmp c_4\nc_3: nop\nc_4: nop"
		    : : "D"(node) : "rax", "memory");
		return 0;
	}
	__asm__(".globl c_leaf\n.type c_leaf, @function\nc_leaf: nop\nc_leaf_1: ret\n.size c_leaf, . - c_leaf");
	/* A loop: its head is the target of its end. */
	FUNCTION loop(struct node *node, long count)
	{
		ASM("l_load: mov 8(%0), %%rax\nl_head: nop\nl_1: nop\nl_store: mov %%rax, (%0)\nl_2: nop\n"
		    "dec %1\nl_branch: jnz l_head\nl_end: nop"
		    : "+D"(node), "+S"(count) : : "rax", "memory");
		return count;
	}
	/* The first instruction of the function is the target of its last one. */
	__attribute__((noinline, noclone, naked)) void around(struct node *node)
	{
		ASM("a_first: nop\na_load: mov 8(%rdi), %rax\na_1: nop\njnz a_first\nret");
	}
	/* Nothing tells where the jump leads. */
	FUNCTION anywhere(struct node *node, void *where)
	{
		ASM("w_load: mov 8(%0), %%rax\nw_1: nop\njmp *%1\nw_2: nop" : : "D"(node), "S"(where) : "rax");
		return 0;
	}
	FUNCTION through(struct node *node, void **where)
	{
		ASM("j_load: mov 8(%0), %%rax\nj_1: nop\njmp *(%1)\nj_2: nop" : : "D"(node), "S"(where) : "rax");
		return 0;
	}
	/* Instructions that repeat themselves, behind an access and behind none. */
	FUNCTION repeat(struct node *node, long count)
	{
		ASM("qq_load: mov 8(%0), %%rax\nqq_store: rep stosq\nqq_2: nop" : "+D"(node), "+c"(count) : : "rax", "memory");
		return 0;
	}
	FUNCTION again(struct node *node, long count)
	{
		ASM("vv_1: nop\nvv_store: rep stosq\nvv_2: nop" : "+D"(node), "+c"(count) : : "memory");
		return 0;
	}
	/* Only registers tell the member: the instruction leaves them, loses one, or loses it later. */
	FUNCTION indexed(struct pair *pairs, long i)
	{
		ASM("i_load: mov (%0,%1,8), %%rax\ni_1: nop\n"
		    "i_lost: mov (%0,%1,8), %0\ni_2: nop"
		    : "+D"(pairs), "+c"(i) : : "rax", "memory");
		return 0;
	}
	FUNCTION later(struct pair *pairs, long i)
	{
		ASM("r_load: mov (%0,%1,8), %%rax\nr_1: add %1, %0\nr_2: nop"
		    : "+D"(pairs), "+c"(i) : : "rax", "memory");
		return 0;
	}
	/* No register is needed: the pointer is lost, but what it was is known. */
	FUNCTION chase(struct node *node)
	{
		ASM("p_load: mov 8(%0), %0\np_1: nop" : "+a"(node) : : "memory");
		return (long)node;
	}
	/* Only the stack pointer tells that it is a variable of the function, and only if it has not changed. */
	FUNCTION stacked(long *unknown)
	{
		volatile struct pair local;
		local.a = local.b = local.c = 1;
		ASM("k_load: mov (%0), %%rax\nk_1: push %%rax\nk_2: pop %%rax\nk_3: nop"
		    : : "r"((long)unknown * 3) : "rax", "memory");
		return local.a + local.b;
	}
	/* An element of an array on the stack. */
	FUNCTION local_array(long i)
	{
		volatile long array[32];
		for (int at = 0; at < 32; at++)
			array[at] = 0;
		ASM("y_load: mov (%0,%1,8), %%rax\ny_1: nop" : : "D"(array), "c"(i) : "rax", "memory");
		return array[3];
	}
	FUNCTION hidden(struct opaque *opaque)
	{
		ASM("o_load: mov 8(%0), %%rax\no_1: nop" : : "D"(opaque) : "rax", "memory");
		return 0;
	}
	FUNCTION unknown(void *memory)
	{
		ASM("u_load: mov 8(%0), %%rax\nu_1: nop" : : "D"(memory) : "rax", "memory");
		return 0;
	}
	/* A place on the stack without a variable: a temporary. */
	FUNCTION temporary(void)
	{
		ASM("t_store: movq \$1, -64(%%rsp)\nt_1: nop" : : : "memory");
		return 0;
	}
	long scalar;
	FUNCTION global(void)
	{
		ASM("g_load: mov scalar(%%rip), %%rax\ng_1: nop\ng_text: mov 4f(%%rip), %%rax\n"
		    "jmp 5f\n4: .quad 0\n5: nop" : : : "rax", "memory");
		return 0;
	}
	/* A name that no descriptor has room for. */
	long LONG __asm__("named_scalar");
	FUNCTION named(void)
	{
		ASM("n_load: mov named_scalar(%%rip), %%rax\nn_1: nop" : : : "rax", "memory");
		return 0;
	}
	int main(void)
	{
		return 0;
	}
END
long=$(printf '%016380d' 0 | tr 0 n)
if ! gcc -O1 -g -no-pie -mno-red-zone -DLONG="$long" -o program program.c; then
	ok 1 "the program is built"
	done_testing
fi

cat >make.py <<'END'
# make.py <cases: an experiment with one event for each line MEMOP LEAF PC ADDRESS [NUMBER=VALUE ...], of its own
# thread. Places are names of the program, and numbers, hexadecimal.
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
import experiment  # noqa: E402

places = {line.split()[-1]: int(line.split()[0], 16)
          for line in subprocess.check_output(["nm", "program"], text=True).splitlines()
          if len(line.split()) == 3}
memops = ["1", "2", "3", "203", "403"]


def place(word):
    name, plus, more = word.partition("+")
    return (places[name] if name in places else int(name, 16)) + (int(more, 16) if plus else 0)


kind, title, fields = experiment.KINDS["hwcounters"]
fields += '<field name="PADDR" offset="80" type="UINT64"/>\n'
for i in range(16):
    fields += '<field name="REG%d" offset="%d" type="UINT64"/>\n' % (i, 88 + 8 * i)
experiment.KINDS["hwcounters"] = kind, title, fields
made = experiment.Experiment("made.er", kinds=("hwcounters",),
                             counters=[("loads", int(memop, 16)) for memop in memops])
made.segment(os.path.realpath("program"))
for thread, line in enumerate(sys.stdin, 1):
    words = line.split()
    leaf, pc, address = map(place, words[1:4])
    registers = dict((int(number), place(value)) for number, value in (word.split("=") for word in words[4:]))
    made.event("hwcounters", made.stack([leaf, places["main"]]) if leaf else 0,
               struct.pack("<iiqQQQ16Q", memops.index(words[0]), 0, 1, address, pc, 0,
                           *(registers.get(i, 0) for i in range(16))), thread=thread)
made.write()
END

# shellcheck disable=SC2034 # named in the lines below
{
unascertainable='(Module with trigger PC not compiled with -xhwcprof)'
unverifiable='(Backtracking failed to find a valid branch target)'
unresolvable='(Backtracking traversed a branch target)'
unidentified='(No identifying descriptor provided by the compiler)'
unspecified='(No type information)'
undetermined='(Not determined from the symbolic information provided by the compiler)'
instruction='(Backtracking was prevented by a jump or call instruction)'
not_found='(Backtracking did not find trigger PC)'
registers='(Could not determine VA because registers changed after trigger instruction)'
invalid='(Memory-referencing instruction did not specify a valid VA)'
key='{structure:node}.{long_int key}'
next='{structure:node}.{pointer+structure:node next}'
b='{structure:pair}.{long_int b}'
element='{volatile+array+volatile+long_int array}.{volatile+long_int -}'
heap=7f0000001000
stack=7ffc00001000
}

# are: lines of an event's MEMOP LEAF PC ADDRESS REGISTERS, its object or the name of the reason, and why.
are() {
	cat >cases
	cut -d '|' -f 1 cases | python3 make.py || exit 1
	set --
	for thread in $(seq "$(wc -l <cases)"); do
		set -- "$@" -filters "LWPID==$thread" -data_objects
	done
	# The innermost object of each event, or the reason, is the longest name.
	er_print -printmode '|' -data_metrics d+loads:name "$@" made.er | tr -d '"' | awk -F'|' '
		$2 == "<Total>" { if (NR > 1 && total) print name; name = ""; total = $1 }
		$1 == 1 && length($2) > length(name) && $2 !~ /^<(Total|Unknown|Scalars)>$/ { name = $2 }
		END { print name }' >found
	# shellcheck disable=SC2094 # nothing writes to it
	while IFS='|' read -r event expected why && read -r found <&3; do
		eval "expected=\"$expected\""
		is "$found" "$expected" "$why ($event)"
	done <cases 3<found
	is "$(wc -l <found)" "$(wc -l <cases)" "each has one"
}

# ---- the processor knows the instruction: Intel (PEBS), AMD (IBS), Arm (SPE) ----

are <<END
203 s_1 s_load $heap|\$next|PEBS: the instruction is exact, whatever the skid
203 c_leaf s_load $heap|\$next|and wherever the program was interrupted
203 a_1 a_load $heap|\$next|and though a branch leads to it
403 s_1 s_store $heap|\$next|PEBS of old processors: the next instruction is recorded
403 s_2 s_1 $heap|\$key|and so is the one after a store
403 s_2 s_2 $heap|\$not_found|before it is no access
403 c_2 c_load $heap|\$not_found|before it is no instruction of the function
403 c_2 c_1 $heap|\$instruction|before it is a call
403 c_2 c_leaf $heap|\$not_found|before it is a call in another function
403 c_2 c_3 $heap|\$instruction|before it is a jump
403 c_4 c_4 $heap|\$not_found|a jump leads there, which is no access, and before it is none
403 l_end l_head $heap|\$next|a branch leads there, which is no access: the one before it is
403 a_1 a_first $heap|\$not_found|before the beginning of the function is nothing
403 w_2 w_1 $heap|\$next|jumps that may lead there are no accesses
403 j_2 j_1 $heap|\$unverifiable|but one that reads where it leads is
403 qq_2 qq_store $heap|\$unverifiable|an instruction that repeats itself may have been the last one, or the one before it
403 vv_2 vv_store $heap|\$unidentified|or it alone
403 vv_2 vv_2 $heap|\$unidentified|or it has ended
203 p_1 p_load $heap 0=$heap|\$next|IBS: the base register is overwritten, but need not be known
203 i_1 i_load ${heap%00}20 5=$heap 2=4|\$b|IBS: registers tell the member
203 i_2 i_lost ${heap%00}20 5=$heap 2=4|\$b|and still do if the same value is loaded
203 i_2 i_lost ${heap%00}20 5=1234 2=4|\$registers|IBS: the instruction overwrites its base register
403 i_2 i_2 ${heap%00}20 5=1234 2=4|\$registers|and so in PEBS of old processors
403 i_2 i_2 ${heap%00}20 5=$heap 2=4|\$registers|where even registers that agree are not trusted
203 r_2 r_load ${heap%00}20 5=${heap%00}04 2=4|\$registers|IBS: an instruction in the skid changes the base register
203 y_1 y_load ${stack%00}20 5=$stack 2=4|\$element|an array on the stack: the base register tells where it is
203 c_leaf y_load ${stack%00}20 5=$stack 2=4|\$element|and so after the function has returned
203 y_1 y_load ${stack%00}20 5=1234 2=4|\$registers|but not if it has changed
203 k_load k_load ${stack%00}08 7=$stack|\$b|a variable on the stack: the stack pointer tells
203 k_1 k_load ${stack%00}08 7=$stack|\$b|and so if no instruction in the skid changes it
203 k_2 k_load ${stack%00}08 7=$stack|\$unidentified|but not if one does
203 c_leaf k_load ${stack%00}08 7=$stack|\$unidentified|nor in another function
203 0 k_load ${stack%00}08 7=$stack|\$unidentified|nor if it is not known where the program was
203 i_1 i_load ${heap%00}20|\$unidentified|SPE: without registers
203 s_1 s_load $heap|\$next|SPE: no registers are needed
END

# ---- it does not: the program was interrupted some instructions later ----

are <<END
3 s_2 0 $heap|\$key|the last access is that of the event
1 s_2 0 $heap|\$next|of counters of loads, the last load is
2 s_2 0 $heap|\$key|of counters of stores, the last store is
2 s_store 0 $heap|\$not_found|before it is no store
3 s_16 0 $heap|\$key|it is 16 instructions before
3 s_17 0 $heap|\$not_found|it is further away
3 c_1 0 $heap|\$instruction|a call is between
3 c_2 0 $heap|\$instruction|a call is between, and another instruction
3 c_leaf_1 0 $heap|\$not_found|there is no access up to the beginning of the function
3 c_3 0 $heap|\$instruction|a jump is between
3 l_1 0 $heap|\$unresolvable|a branch leads to between
3 l_2 0 $heap|\$key|a branch leads to before it
3 l_branch 0 $heap|\$key|a branch comes from after it
3 l_end 0 $heap|\$instruction|a branch is between
3 a_1 0 $heap|\$next|a branch leads to before it, at the beginning of the function
3 a_load 0 $heap|\$unresolvable|a branch leads to the beginning of the function
3 w_1 0 $heap|\$unverifiable|any jump may lead to between
3 0 0 $heap|\$unascertainable|the stack is empty
3 i_1 0 ${heap%00}20 5=$heap 2=4|\$b|registers tell the member
3 i_2 0 ${heap%00}20 5=$heap 2=4|\$registers|the instruction overwrites its base register
3 r_2 0 ${heap%00}20 5=$heap 2=4|\$registers|an instruction after it changes the base register
3 p_1 0 $heap 0=1234|\$next|the base register is overwritten, but need not be known
END

# ---- the recorder has gone back, without knowing where jumps lead ----

are <<END
3 s_2 s_load $heap|\$next|what the recorder says is right
3 s_17 s_load $heap|\$next|however far away
3 s_load s_2 $heap|\$unverifiable|it is not before where the program was
3 s_load+1 s_load $heap|\$unverifiable|the program was not between instructions
3 c_1 c_load $heap|\$instruction|a call is between
3 c_4 c_again $heap|\$unresolvable|a jump leads to between
3 l_2 l_load $heap|\$unresolvable|a branch leads to between
3 l_2 l_store $heap|\$key|a branch leads to before it
3 l_end l_store $heap|\$instruction|a branch is between
3 a_1 a_load $heap|\$next|a branch leads to the beginning of the function
3 a_1 a_first $heap|\$unverifiable|it does not access memory
3 w_1 w_load $heap|\$unverifiable|any jump may lead to between
3 c_leaf s_load $heap|\$unverifiable|the program was in another function
3 i_2 i_load ${heap%00}20 5=1234 2=4|\$registers|an instruction after it overwrites the base register
END

# ---- addresses that no access of a program can have ----

are <<END
203 s_1 s_load 0|(UNKNOWN)|0 is no reason of a recorder
203 s_1 s_load ff|(UNKNOWN)|nor are the others below 256
203 s_1 s_load 100|\$next|256 is an address
203 s_1 s_load ffffffff81000000|\$invalid|an address in the kernel
203 s_1 s_load ffff8000deadbee0|\$invalid|another one
203 s_1 s_load dead000000000008|\$invalid|an address that no processor has
203 s_1 s_load 0100000000000000|\$invalid|the first one
203 s_1 s_load 00ffffffffffffff|\$next|the last address of a program
3 s_2 0 ffffffff81000000|\$invalid|an address in the kernel, where the instruction is not known
403 c_2 c_1 dead000000000008|\$invalid|a wrong address, where the instruction is not known
END

# ---- the instruction is known: its data ----

are <<END
203 o_1 o_load $heap|\$unspecified|a pointer to a structure that is only declared
203 u_1 u_load $heap|\$unidentified|a pointer to anything
203 t_1 t_store $stack|\$undetermined|a place in the frame without a variable
203 g_1 g_text g_text|\$undetermined|a constant in the code
203 g_1 g_load scalar|{long_int scalar}|a variable
203 u_1 u_load scalar|{long_int scalar}|a pointer to anything, which the address tells to be a variable
203 s_2 s_2 $heap|\$unverifiable|an instruction without an access
203 s_2 s_load+1 $heap|\$unidentified|an address between instructions
203 n_1 n_load named_scalar|(UNKNOWN)|a name that is too long
END
done_testing
