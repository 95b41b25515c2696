/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include "libexpt/experiment/private.h"
#include "libexpt/format.h"

#define RUN                                                               \
	"<event kind=\"run\" tstamp=\"5.000000000\" time=\"1700000000\" " \
	"tm_zone=\"0\"/>\n"

static struct expt *open_log(const char *text)
{
	struct expt_error err;
	struct expt *expt = NULL;

	make_directory("log.er");
	write_text("log.er/log.xml", text);
	if (expt_open(&expt, "log.er", &err) < 0)
		fail_msg("%s", err.message);
	return expt;
}

static int remove_log(void **state)
{
	remove_all("log.er");
	return 0;
}

/* Opens a log that has exactly this damage. */
static void expect_damage(const char *text, const char *damage)
{
	struct expt *expt = open_log(text);

	assert_int_equal(expt_damage_count(expt), 1);
	assert_string_equal(expt_damage(expt, 0), damage);
	expt_close(expt);
}

static void a_log_says_who_recorded_what(void **state)
{
	struct expt *expt = open_log(
		"<experiment "
		"version=\"12.4\">\n<collector>2.40.00</collector>\n</experiment>\n"
		"<system hostname=\"vm\" arch=\"x86_64\" os=\"Linux 6.1\" pagesz=\"4096\""
		" npages=\"617\">\n <cpu id=\"0\" clk=\"2596\"/>\n <cpu id=\"1\" "
		"clk=\"1200.5\"/>\n"
		"</system>\n<process pid=\"98\"></process>\n<process "
		"ppid=\"97\"></process>\n"
		"<process pgrp=\"96\"></process>\n<process sid=\"95\"></process>\n"
		"<process cwd=\"/tmp\"></process>\n<process wsize=\"32\"></process>\n"
		"<process>./a.out %c3%%a9% 100%</process>\n" RUN);
	const struct expt_info *info = expt_info(expt);

	assert_string_equal(info->version, "12.4");
	assert_string_equal(info->collector, "2.40.00");
	assert_string_equal(info->host, "vm");
	assert_string_equal(info->arch, "x86_64");
	assert_string_equal(info->os, "Linux 6.1");
	assert_int_equal(info->page_size, 4096);
	assert_int_equal(info->pages, 617);
	assert_int_equal(info->cpu_count, 2);
	assert_int_equal(info->clock_min_mhz, 1200);
	assert_int_equal(info->clock_max_mhz, 2596);
	assert_int_equal(info->pid, 98);
	assert_int_equal(info->ppid, 97);
	assert_int_equal(info->pgrp, 96);
	assert_int_equal(info->sid, 95);
	assert_int_equal(info->word_bits, 32);
	assert_string_equal(info->directory, "/tmp");
	assert_string_equal(info->command, "./a.out \xc3\xa9 100%");
	assert_true(info->has_run);
	assert_false(info->is_closed);
	assert_int_equal(info->started_at, 1700000000);
	assert_int_equal(info->start_ns, 5000000000);
	assert_int_equal(expt_damage_count(expt), 0);
	expt_close(expt);
}

static void a_log_of_a_run_alone_is_enough(void **state)
{
	struct expt *expt = open_log("<event kind=\"run\" tstamp=\"5.0\"/>");

	assert_string_equal(expt_info(expt)->version, "");
	assert_string_equal(expt_info(expt)->command, "");
	assert_int_equal(expt_info(expt)->word_bits, 64);
	assert_int_equal(expt_damage_count(expt), 0);
	expt_close(expt);
}

static void versions_below_twelve_are_refused(void **state)
{
	static const struct {
		const char *version;
		int rc;
	} cases[] = {
		{ "12.4", 0 },
		{ "12", 0 },
		{ "13.0", 0 },
		{ "11.9", -ENOTSUP },
		{ "x", -ENOTSUP },
		{ ".5", -ENOTSUP },
		{ "100000000000", -ENOTSUP },
	};

	make_directory("log.er");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct expt_error err = { 0 };
		struct expt *expt = NULL;
		char text[200];

		snprintf(text, sizeof(text), "<experiment version=\"%s\"/>" RUN,
			 cases[i].version);
		write_text("log.er/log.xml", text);
		assert_int_equal(expt_open(&expt, "log.er", &err), cases[i].rc);
		if (cases[i].rc) {
			snprintf(text, sizeof(text),
				 "'log.er': format version '%s' is not supported",
				 cases[i].version);
			assert_string_equal(err.message, text);
		}
		expt_close(expt);
	}
}

static void times_are_what_people_mean(void **state)
{
	struct expt *expt =
		open_log(RUN "<event kind=\"sample\" tstamp=\"0.5\" id=\"0\"/>"
			     "<event kind=\"sample\" tstamp=\"2.000000005\" id=\"1\"/>"
			     "<event kind=\"pause\"/>");

	assert_int_equal(expt_event(expt, 1)->time_ns, 500000000);
	assert_int_equal(expt_event(expt, 2)->time_ns, 2000000005);
	assert_true(expt_event(expt, 2)->has_time);
	assert_false(expt_event(expt, 3)->has_time);
	assert_int_equal(expt_info(expt)->end_ns, 2000000005);
	expt_close(expt);
}

static void the_run_counts_from_zero(void **state)
{
	struct expt *expt = open_log(RUN RUN);

	assert_int_equal(expt_event(expt, 0)->kind, EXPT_EVENT_RUN);
	assert_int_equal(expt_event(expt, 0)->time_ns, 0);
	expt_close(expt);
}

static void java_events_have_absolute_times(void **state)
{
	struct expt *expt = open_log(RUN
				     "<event kind=\"gc_start\" tstamp=\"6.5\"/>"
				     "<event kind=\"jthread_start\" tstamp=\"4.0\"/>");

	assert_int_equal(expt_event(expt, 1)->time_ns, 1500000000);
	assert_int_equal(expt_event(expt, 2)->time_ns, 0);
	expt_close(expt);
}

static void events_keep_their_attributes_and_texts(void **state)
{
	struct expt *expt = open_log(
		RUN "<event kind=\"cwarn\" id=\"207\">10007 -> 0</event>\n"
		    "<event kind=\"cerror\" id=\"32\" ec=\"28\">profile</event>\n"
		    "<event kind=\"desc_start\" variant=\"fork\" lineage=\"_f1\"/>\n"
		    "<event kind=\"comment\" text=\"by attribute\"/>\n"
		    "<event kind=\"later_invention\" x=\"1\"/>\n");
	const struct expt_event *event = expt_event(expt, 1);

	assert_int_equal(expt_event_count(expt), 6);
	assert_int_equal(event->kind, EXPT_EVENT_WARNING);
	assert_string_equal(event->name, "cwarn");
	assert_int_equal(event->id, 207);
	assert_string_equal(event->text, "10007 -> 0");
	event = expt_event(expt, 2);
	assert_int_equal(event->kind, EXPT_EVENT_ERROR);
	assert_int_equal(event->error_number, 28);
	event = expt_event(expt, 3);
	assert_string_equal(expt_event_attribute(event, "lineage"), "_f1");
	assert_null(expt_event_attribute(event, "msg"));
	assert_string_equal(expt_event(expt, 4)->text, "by attribute");
	assert_int_equal(expt_event(expt, 5)->kind, EXPT_EVENT_OTHER);
	assert_string_equal(expt_event(expt, 5)->name, "later_invention");
	assert_int_equal(expt_damage_count(expt), 0);
	expt_close(expt);
}

static bool is_closed_after(const char *events)
{
	char text[1000];
	struct expt *expt;
	bool is_closed;

	snprintf(text, sizeof(text), RUN "%s", events);
	expt = open_log(text);
	is_closed = expt_info(expt)->is_closed;
	expt_close(expt);
	return is_closed;
}

static void an_exit_or_a_last_exec_closes_the_log(void **state)
{
	assert_false(is_closed_after(""));
	assert_true(is_closed_after("<event kind=\"exit\" tstamp=\"1.0\"/>"));
	assert_true(
		is_closed_after("<event kind=\"exec_start\" variant=\"execve\"/>"
				"<event kind=\"sample\" label=\"suspend_for_exec\"/>"));
	assert_false(is_closed_after("<event kind=\"exec_start\" variant=\"execve\"/>"
				     "<event kind=\"exec_error\" variant=\"execve\"/>"));
	assert_false(is_closed_after("<event kind=\"exec_start\" variant=\"execve\"/>"
				     "<event kind=\"desc_start\" variant=\"fork\"/>"));
	assert_false(
		is_closed_after("<event kind=\"exec_start\" variant=\"posix_spawn\"/>"));
}

static void settings_come_one_by_one(void **state)
{
	struct expt *expt = open_log(RUN "<setting signal=\"12\" action=\"exit\"/>"
					 "<setting limit=\"10\"/>");

	assert_int_equal(expt_setting_count(expt), 3);
	assert_string_equal(expt_setting(expt, 0)->name, "signal");
	assert_string_equal(expt_setting(expt, 1)->value, "exit");
	assert_string_equal(expt_setting(expt, 2)->name, "limit");
	expt_close(expt);
}

static void packets_are_declared_by_the_log(void **state)
{
	struct expt *expt = open_log(
		RUN
		"<profile name=\"profile\" ptimer=\"10007\" numstates=\"1\">\n"
		"<profdata fname=\"whatever\"/>\n<profpckt kind=\"8\" uname=\"Clock\">\n"
		"<field name=\"THRID\" uname=\"Thread\" offset=\"16\" type=\"INT64\"/>\n"
		"<field name=\"NTICK\" offset=\"48\" type=\"INT32\" noshow=\"1\">"
		"<state value=\"1\" name=\"X\"/></field>\n"
		"<field name=\"NEW\" offset=\"52\" type=\"UINT32\"/>\n"
		"</profpckt>\n</profile>\n");
	const struct expt_packet_declaration *packet;

	assert_true(expt_has_data(expt, EXPT_CLOCK));
	assert_false(expt_has_data(expt, EXPT_HEAP));
	assert_int_equal(expt_clock_period_us(expt), 10007);
	assert_int_equal(expt_clock_interval_us(expt), 10007);
	assert_int_equal(expt_clock_states(expt), 1);
	assert_int_equal(expt_profile_count(expt), 1);
	assert_string_equal(expt_profile(expt, 0)->name, "profile");
	assert_null(log_declaration(expt->log, EXPT_CLOCK, 1));
	packet = log_declaration(expt->log, EXPT_CLOCK, PACKET_CLOCK);
	assert_non_null(packet);
	assert_string_equal(packet->title, "Clock");
	assert_int_equal(packet->field_count, 3);
	assert_int_equal(packet->fields[0].field, EXPT_THRID);
	assert_int_equal(packet->fields[0].type, EXPT_INT64);
	assert_int_equal(packet->fields[0].offset, 16);
	assert_string_equal(packet->fields[0].title, "Thread");
	assert_false(packet->fields[0].is_hidden);
	assert_true(packet->fields[1].is_hidden);
	assert_string_equal(packet->fields[1].title, "NTICK");
	assert_int_equal(packet->fields[2].field, EXPT_FIELD_COUNT);
	assert_string_equal(packet->fields[2].name, "NEW");
	assert_int_equal(expt_damage_count(expt), 0);
	expt_close(expt);
}

static void counter_packets_stand_outside_of_their_profiles(void **state)
{
	struct expt *expt = open_log(
		RUN "<profdata fname=\"hwcounters\"/>\n<profpckt kind=\"3\">"
		    "<field name=\"HWCTAG\" offset=\"48\" type=\"INT32\"/>"
		    "<field name=\"REG15\" offset=\"56\" type=\"UINT64\"/></profpckt>"
		    "<profile name=\"hwcounter\" hwcname=\"cycles\" tag=\"0\"></profile>"
		    "<profile name=\"hwcounter\" hwcname=\"insts\" tag=\"1\"></profile>");

	assert_int_equal(
		log_declaration(expt->log, EXPT_HWC, PACKET_HWC)->fields[1].field,
		EXPT_REG0 + 15);
	assert_int_equal(expt_profile_count(expt), 2);
	assert_int_equal(expt_profile(expt, 1)->data, EXPT_HWC);
	assert_int_equal(expt_damage_count(expt), 0);
	expt_close(expt);
}

#define PACKET(fields)                                                   \
	RUN "<profile name=\"heaptrace\"><profpckt kind=\"5\">\n" fields \
	    "</profpckt></profile>"

static void fields_that_make_no_sense_are_damage(void **state)
{
	expect_damage(PACKET("<field name=\"HSIZE\" offset=\"70000\" type=\"INT64\"/>"),
		      "log.xml:3: field 'HSIZE': no valid offset");
	expect_damage(PACKET("<field name=\"HSIZE\" offset=\"-8\" type=\"INT64\"/>"),
		      "log.xml:3: field 'HSIZE': no valid offset");
	expect_damage(PACKET("<field name=\"HSIZE\" type=\"INT64\"/>"),
		      "log.xml:3: field 'HSIZE': no valid offset");
	expect_damage(PACKET("<field name=\"HSIZE\" offset=\"8\"/>"),
		      "log.xml:3: field 'HSIZE': no known type");
	expect_damage(PACKET("<field name=\"HSIZE\" offset=\"8\" type=\"INT16\"/>"),
		      "log.xml:3: field 'HSIZE': no known type");
	expect_damage(PACKET("<field offset=\"8\" type=\"INT64\"/>"),
		      "log.xml:3: field '': no name");
	expect_damage(PACKET("<field name=\"A\" offset=\"8\" type=\"INT64\"/>"
			     "<field name=\"A\" offset=\"16\" type=\"INT64\"/>"),
		      "log.xml:3: field 'A': declared twice");
	expect_damage(RUN "<profile name=\"heaptrace\">"
			  "<field name=\"A\" offset=\"8\" type=\"INT64\"/></profile>",
		      "log.xml:2: field outside of a packet");
	expect_damage(RUN "<profpckt kind=\"65536\"/>",
		      "log.xml:2: packet without a valid kind");
	expect_damage(RUN "<profpckt kind=\"5\"/>\n<profpckt kind=\"5\"/>",
		      "log.xml:3: packets of kind 5 are declared twice");
}

static void damage_names_the_line(void **state)
{
	expect_damage(RUN "\n<evnt kind=\"x\"/>", "log.xml:3: unknown element 'evnt'");
	expect_damage(RUN "<event x=\"1\"/>", "log.xml:2: event without a kind");
	expect_damage(RUN "<event kind=\"sample\" tstamp=\"soon\"/>",
		      "log.xml:2: 'tstamp' is not a time: 'soon'");
	expect_damage(RUN "<event kind=\"sample\" id=\"0x\"/>",
		      "log.xml:2: 'id' is not a number: '0x'");
	expect_damage(RUN
		      "<profile name=\"profile\" ptimer=\"1000\" interval=\"10 ms\"/>",
		      "log.xml:2: 'interval' is not a number: '10 ms'");
	expect_damage(RUN "<event kind=\"cwarn\" id=\"1\"></event>\n</event>",
		      "log.xml:3: end tag 'event' without a matching start tag");
	expect_damage(RUN "<process wsize=\"48\"/>", "log.xml:2: unknown word size: 48");
	expect_damage(RUN "<event kind=\"sam", "log.xml:2: tag truncated");
}

static void an_empty_log_is_damage_not_an_error(void **state)
{
	expect_damage("", "log.xml: no entry for the start of the program");
}

static void damage_beyond_a_hundred_is_counted(void **state)
{
	char text[200 * 5 + 200] = RUN;
	struct expt *expt;

	for (int i = 0; i < 150; i++)
		strcat(text, "<x/>\n");
	expt = open_log(text);
	assert_int_equal(expt_damage_count(expt), 101);
	assert_string_equal(expt_damage(expt, 100), "and 50 more places");
	expt_close(expt);
}

static void later_warnings_come_first(void **state)
{
	struct expt *expt;

	make_directory("log.er");
	write_text("log.er/warnings.xml", "<event kind=\"cwarn\" id=\"231\">late</event>"
					  "<event kind=\"run\" tstamp=\"9.0\"/>");
	expt = open_log(RUN);
	assert_int_equal(expt_event_count(expt), 2);
	assert_string_equal(expt_event(expt, 0)->text, "late");
	assert_int_equal(expt_info(expt)->start_ns, 5000000000);
	expt_close(expt);
}

static void kinds_may_be_declared_beside_the_log(void **state)
{
	struct expt_error err;
	struct expt *expt;

	make_directory("log.er");
	write_text("log.er/log.xml", RUN);
	write_text("log.er/metadata.dataraces.xml",
		   "<profile name=\"datarace\" scheme=\"0\">\n"
		   "<profdata fname=\"dataraces\"/>\n"
		   "<profpckt kind=\"10\" uname=\"Data race detection data\">\n"
		   "<field name=\"RID\" offset=\"48\" type=\"INT32\"/>\n"
		   "</profpckt>\n</profile>\n" RUN);
	assert_int_equal(expt_open(&expt, "log.er", &err), 0);
	assert_true(expt_has_data(expt, EXPT_RACE));
	assert_false(expt_has_data(expt, EXPT_DEADLOCK));
	assert_int_equal(expt_profile_count(expt), 1);
	assert_int_equal(expt_event_count(expt), 1);
	assert_int_equal(expt_damage_count(expt), 1);
	assert_string_equal(expt_damage(expt, 0),
			    "metadata.dataraces.xml:7: unknown element 'event'");
	expt_close(expt);
}

static void notes_are_read_as_they_are(void **state)
{
	struct expt *expt = open_log(RUN);

	assert_string_equal(expt_notes(expt), "");
	expt_close(expt);
	write_text("log.er/notes", "first\nsecond <&%20%\n");
	expt = open_log(RUN);
	assert_string_equal(expt_notes(expt), "first\nsecond <&%20%\n");
	expt_close(expt);
}

static void a_fifo_for_notes_does_not_block(void **state)
{
	struct expt *expt;

	make_directory("log.er");
	assert_int_equal(mkfifo("log.er/notes", 0644), 0);
	expt = open_log(RUN);
	assert_int_equal(expt_damage_count(expt), 1);
	expt_close(expt);
}

static void messages_have_texts(void **state)
{
	assert_string_equal(expt_message_text(EXPT_ERROR_DISK_FULL), "disk full");
	assert_string_equal(expt_message_text(EXPT_WARNING_NO_DATA), "no profile data");
	assert_string_equal(expt_message_text(EXPT_COMMENT_DIRECTORY),
			    "initial directory");
	assert_null(expt_message_text(4));
	assert_null(expt_message_text(59));
	assert_null(expt_message_text(-1));
	assert_null(expt_message_text(INT64_MAX));
}

#define test(name) cmocka_unit_test_teardown(name, remove_log)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_log_says_who_recorded_what),
		test(a_log_of_a_run_alone_is_enough),
		test(versions_below_twelve_are_refused),
		test(times_are_what_people_mean),
		test(the_run_counts_from_zero),
		test(java_events_have_absolute_times),
		test(events_keep_their_attributes_and_texts),
		test(an_exit_or_a_last_exec_closes_the_log),
		test(settings_come_one_by_one),
		test(packets_are_declared_by_the_log),
		test(counter_packets_stand_outside_of_their_profiles),
		test(fields_that_make_no_sense_are_damage),
		test(damage_names_the_line),
		test(an_empty_log_is_damage_not_an_error),
		test(damage_beyond_a_hundred_is_counted),
		test(later_warnings_come_first),
		test(kinds_may_be_declared_beside_the_log),
		test(notes_are_read_as_they_are),
		test(a_fifo_for_notes_does_not_block),
		test(messages_have_texts),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
