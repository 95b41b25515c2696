/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step [--lie] [--unknown] [--steps=COUNT] PROGRAM: step a program that tells which
 * objects are in its memory (tests/libexpt/accesses/truth), ask libexpt for the object
 * that each of its instructions accesses, and compare. With --lie the answers are made
 * up, and the verdicts are checked.
 *
 * It prints a line for each kind of address in memory, with and without the address and
 * the registers of the access: the number of accesses, of answers that are right, right
 * as far as they go (type), beyond the truth (open), unknown with their reasons, and
 * wrong. The last line of the two counts instructions by their worst answer. Before them
 * are up to 20 wrong answers, or, with --lie, verdicts. --unknown lists all instructions
 * with answers that are unknown although the address is known, with their number.
 */
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/elf/elf.h"
#include "libexpt/elf/symbols.h"
#include "libexpt/objects/function.h"
#include "tests/libexpt/accesses/step/code.h"
#include "tests/libexpt/accesses/step/count.h"
#include "tests/libexpt/accesses/step/liar.h"
#include "tests/libexpt/accesses/step/object.h"

#define STEPS_DEFAULT 400000
#define WRONG_SHOWN   20

/* An instruction of the program. */
struct site {
	struct code_instruction instruction;
	const struct expt_function *function;
	bool is_known, is_truth; /* it belongs to the functions that tell the truth */
	bool is_judged, is_shown;
	char *unknown; /* says which access was unknown first, with its address */
	size_t unknown_count;
	enum verdict worst[MODES];
};

struct stepper {
	struct tracee tracee;
	uint64_t begin, end; /* where to stop */
	uint64_t tables_at;
	struct truth_tables tables;
	struct code *code;
	struct expt_object *object;
	struct accesses *accesses;
	struct site *sites; /* by address, from the start of the code */
	struct counts counts;
	size_t steps, shown;
	bool is_lying, shows_unknown;
	size_t lies, missed; /* verdicts on them */
};

struct access {
	uint64_t pc, address;
	const struct truth_object *object; /* or NULL */
	enum region region;
	struct truth_chains chains;
};

struct answer {
	enum access_reason reason;
	enum verdict due; /* from the liar */
	struct strbuf text;
};

/* ---- answers ----------------------------------------------------------------------- */

static void fill_event(struct access_event *event, const struct stepper *stepper,
		       uint64_t address)
{
	const struct user_regs_struct *now = &stepper->tracee.registers;
	const uint64_t registers[] = { now->rax, now->rdx, now->rcx, now->rbx,
				       now->rsi, now->rdi, now->rbp, now->rsp,
				       now->r8,	 now->r9,  now->r10, now->r11,
				       now->r12, now->r13, now->r14, now->r15 };

	event->has_address = event->has_registers = true;
	event->interrupted = event->pc;
	event->address = address;
	memcpy(event->registers, registers, sizeof(registers));
}

static void ask(struct answer *answer, const struct stepper *stepper,
		const struct access *access, enum mode mode)
{
	struct access_event event = { .pc = access->pc };
	struct data_place place;

	if (stepper->is_lying) {
		answer->due = VERDICT_UNKNOWN;
		answer->reason = ACCESS_UNDETERMINED;
		if (access->object)
			answer->due = liar_answer(&answer->reason, &answer->text,
						  &stepper->tables, &access->chains,
						  access->pc);
		return;
	}
	if (mode == MODE_ADDRESS)
		fill_event(&event, stepper, access->address);
	answer->reason = access_find(&place, stepper->accesses, stepper->object,
				     access->pc - stepper->tracee.bias, &event);
	if (answer->reason == ACCESS_FOUND)
		data_place_write(&answer->text, &place);
}

static enum verdict judge_answer(const struct stepper *stepper,
				 const struct access *access, const struct answer *answer)
{
	const char *text = strbuf_text(&answer->text);

	if (answer->reason != ACCESS_FOUND)
		return VERDICT_UNKNOWN;
	if (access->object)
		return judge(&access->chains, text);
	return judge_elsewhere(&stepper->tables, &stepper->tracee,
			       access->region == REGION_SLOT, text);
}

/* ---- accesses ---------------------------------------------------------------------- */

static bool read_instruction(const struct stepper *stepper, uint64_t pc,
			     struct code_instruction *out)
{
	unsigned char bytes[16];
	size_t size = stepper->tracee.code_end - pc;

	if (size > sizeof(bytes))
		size = sizeof(bytes);
	return tracee_read(&stepper->tracee, pc, bytes, size) &&
	       code_read(stepper->code, bytes, size, pc, out);
}

/* Write the instruction of an access, and what is there. */
static void describe(struct strbuf *text, const struct stepper *stepper,
		     const struct site *site, const struct access *access)
{
	struct code_instruction instruction;

	read_instruction(stepper, access->pc, &instruction);
	strbuf_printf(text, "0x%llx %s+0x%llx: %s: %s 0x%llx is ",
		      (unsigned long long)(access->pc - stepper->tracee.image_start),
		      expt_function_name(site->function, EXPT_NAME_SHORT),
		      (unsigned long long)(access->pc - stepper->tracee.bias -
					   site->function->start),
		      code_text(stepper->code),
		      access->region == REGION_SLOT ? "stack" : "address",
		      (unsigned long long)access->address);
	for (size_t i = 0; access->object && i < access->chains.count; i++) {
		strbuf_add_text(text, i > 0 ? " or " : "");
		truth_write(text, &access->chains.items[i]);
	}
	if (!access->object)
		strbuf_add_text(text, "none of the objects");
}

static void show(struct stepper *stepper, struct site *site, const struct access *access,
		 enum mode mode, const struct answer *answer)
{
	struct strbuf text = STRBUF_INIT;

	if (site->is_shown || stepper->shown == WRONG_SHOWN)
		return;
	site->is_shown = true;
	stepper->shown++;
	describe(&text, stepper, site, access);
	printf("%s %s, %s answer %s\n", stepper->is_lying ? "missed" : "wrong",
	       strbuf_text(&text), mode == MODE_STATIC ? "static" : "the",
	       strbuf_text(&answer->text));
	strbuf_release(&text);
}

static void note_unknown(const struct stepper *stepper, struct site *site,
			 const struct access *access, const struct answer *answer)
{
	struct strbuf text = STRBUF_INIT;

	if (site->unknown_count++ > 0)
		return;
	strbuf_printf(&text, "%s ", count_reason(answer->reason));
	describe(&text, stepper, site, access);
	site->unknown = strdup(strbuf_text(&text));
	strbuf_release(&text);
}

static void examine(struct stepper *stepper, struct site *site,
		    const struct access *access, enum mode mode)
{
	struct answer answer = { .text = STRBUF_INIT };
	enum verdict verdict;
	bool is_bad;

	ask(&answer, stepper, access, mode);
	verdict = judge_answer(stepper, access, &answer);
	count_access(&stepper->counts, mode, access->region, verdict, answer.reason);
	is_bad = verdict == VERDICT_WRONG;
	if (stepper->shows_unknown && mode == MODE_ADDRESS &&
	    verdict == VERDICT_UNKNOWN && access->object)
		note_unknown(stepper, site, access, &answer);
	if (stepper->is_lying) {
		is_bad = access->object && verdict != answer.due;
		stepper->lies += access->object != NULL;
		stepper->missed += is_bad;
	}
	if (is_bad)
		show(stepper, site, access, mode, &answer);
	if (access->object || verdict == VERDICT_WRONG) {
		site->is_judged = true;
		if (verdict > site->worst[mode])
			site->worst[mode] = verdict;
	}
	strbuf_release(&answer.text);
}

static enum region region_of(const struct stepper *stepper, const struct access *access)
{
	bool is_stack = tracee_is_stack(&stepper->tracee, access->address);

	if (!access->object)
		return is_stack ? REGION_SLOT : REGION_ELSEWHERE;
	if (is_stack)
		return REGION_STACK;
	return tracee_is_image(&stepper->tracee, access->address) ? REGION_GLOBAL
								  : REGION_HEAP;
}

static void observe(struct stepper *stepper, struct site *site)
{
	struct access access = { .pc = stepper->tracee.registers.rip };
	const struct code_instruction *instruction = &site->instruction;

	for (size_t i = 0; i < instruction->count; i++) {
		if (!code_address(instruction, i, &stepper->tracee.registers,
				  &access.address))
			continue;
		access.object = truth_find(&stepper->tables, access.address);
		access.region = region_of(stepper, &access);
		if (access.object)
			truth_chains(&access.chains, &stepper->tables, access.object,
				     access.address, instruction->operands[i].size);
		examine(stepper, site, &access, MODE_ADDRESS);
		/* Without an address it is not known which operand is meant. */
		if (instruction->count == 1)
			examine(stepper, site, &access, MODE_STATIC);
	}
}

/* ---- steps ------------------------------------------------------------------------- */

static struct site *site_at(struct stepper *stepper, uint64_t pc)
{
	struct site *site = &stepper->sites[pc - stepper->tracee.code_start];

	if (site->is_known)
		return site;
	site->is_known = true;
	site->function = function_at(stepper->object, pc - stepper->tracee.bias);
	site->is_truth = strncmp(expt_function_name(site->function, EXPT_NAME_SHORT),
				 "truth_", strlen("truth_")) == 0;
	read_instruction(stepper, pc, &site->instruction);
	return site;
}

/* Leave a function that has just been called. */
static void run_out(struct stepper *stepper)
{
	struct tracee *tracee = &stepper->tracee;
	uint64_t caller;

	if (!tracee_read(tracee, tracee->registers.rsp, &caller, sizeof(caller)))
		errx(2, "cannot read the stack");
	tracee_run(tracee, caller, tracee->registers.rsp + sizeof(caller), stepper->end);
}

static void step_once(struct stepper *stepper)
{
	struct tracee *tracee = &stepper->tracee;
	uint64_t pc = tracee->registers.rip;
	struct site *site;

	if (pc < tracee->code_start || pc >= tracee->code_end) {
		run_out(stepper);
		return;
	}
	site = site_at(stepper, pc);
	if (site->is_truth && pc == tracee->bias + site->function->start) {
		run_out(stepper);
		truth_read(&stepper->tables, tracee, stepper->tables_at);
		return;
	}
	if (!site->is_truth)
		observe(stepper, site);
	tracee_step(tracee);
	stepper->steps++;
}

static uint64_t find_function(const struct elf_symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (strcmp(symbols->items[i].name, name) == 0)
			return symbols->items[i].offset;
	errx(2, "the program has no %s", name);
}

static void find_ends(struct stepper *stepper, const char *program)
{
	struct elf_symbols symbols = { .items = NULL };
	struct expt_error error;
	struct elf *elf;

	if (elf_open(&elf, open(program, O_RDONLY | O_CLOEXEC), &error) < 0 ||
	    elf_read_symbols(&symbols, elf, elf, &error) < 0)
		errx(2, "%s", error.message);
	stepper->begin =
		stepper->tracee.bias + find_function(&symbols, "truth_begin_with");
	stepper->end = stepper->tracee.bias + find_function(&symbols, "truth_end");
	free(symbols.items);
	elf_close(elf);
}

static void start(struct stepper *stepper, char *command[])
{
	struct tracee *tracee = &stepper->tracee;

	tracee_start(tracee, command);
	find_ends(stepper, command[0]);
	stepper->sites =
		calloc(tracee->code_end - tracee->code_start, sizeof(*stepper->sites));
	if (!stepper->sites)
		err(2, "sites");
	tracee_run(tracee, stepper->begin, 0, stepper->end);
	if (tracee->is_over || tracee->registers.rip != stepper->begin)
		errx(2, "the program does not begin");
	stepper->tables_at = tracee->registers.rdi;
	truth_read(&stepper->tables, tracee, stepper->tables_at);
}

static void count_instructions(struct stepper *stepper)
{
	const struct tracee *tracee = &stepper->tracee;

	for (uint64_t i = 0; i < tracee->code_end - tracee->code_start; i++) {
		const struct site *site = &stepper->sites[i];

		for (enum mode mode = 0; mode < MODES && site->is_judged; mode++)
			stepper->counts.instructions[mode][site->worst[mode]]++;
	}
}

static void show_unknown(const struct stepper *stepper)
{
	const struct tracee *tracee = &stepper->tracee;

	for (uint64_t i = 0; i < tracee->code_end - tracee->code_start; i++) {
		struct site *site = &stepper->sites[i];

		if (!site->unknown)
			continue;
		printf("unknown %zu %s\n", site->unknown_count, site->unknown);
		free(site->unknown);
	}
}

static void step_all(struct stepper *stepper, char *command[], size_t steps)
{
	struct expt *expt;
	bool is_end;

	start(stepper, command);
	expt = object_experiment(command[0], &stepper->tracee);
	stepper->object = object_find(expt, &stepper->tracee);
	stepper->code = code_open();
	stepper->accesses = accesses_open();
	while (stepper->steps < steps && !stepper->tracee.is_over &&
	       stepper->tracee.registers.rip != stepper->end)
		step_once(stepper);
	is_end = stepper->tracee.registers.rip == stepper->end;
	if (!tracee_finish(&stepper->tracee))
		errx(2, "'%s' fails", command[0]);
	count_instructions(stepper);
	show_unknown(stepper);
	printf("steps %zu%s\n", stepper->steps, is_end ? "" : " without the end");
	count_print(&stepper->counts);
	if (stepper->is_lying)
		printf("lies %zu missed %zu\n", stepper->lies, stepper->missed);
	code_close(stepper->code);
	free(stepper->sites);
	accesses_close(stepper->accesses);
	expt_close(expt);
}

int main(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "lie", no_argument, NULL, 'l' },
		{ "unknown", no_argument, NULL, 'u' },
		{ "steps", required_argument, NULL, 's' },
		{ 0 },
	};
	static struct stepper stepper;
	size_t steps = STEPS_DEFAULT;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'l')
			stepper.is_lying = true;
		else if (option == 'u')
			stepper.shows_unknown = true;
		else if (option == 's')
			steps = strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	if (argc - optind != 1)
		errx(2, "usage: step [--lie] [--unknown] [--steps=COUNT] PROGRAM");
	step_all(&stepper, argv + optind, steps);
	return 0;
}
