# erkit: one file builds, tests and installs everything. The rules of tests are in tests/Makefile.inc.
#
#   make            build the programs, libraries and manuals into $(BUILD)
#   make deps       install what is missing with the system's package manager, or say how
#   make demo       record a real compile, carry it around, show it, clean up
#   make check      run all tests (TESTS='tests/er_mv/*.sh' for some), TEST_JOBS at a time;
#                   UPDATE=1 rewrites golden files
#   make check-debian   the same in a Debian 13 (DEBIAN=trixie) that is made for it; as root
#   make asan       run all tests with AddressSanitizer and UndefinedBehaviorSanitizer
#   make faults     break every tool at every one of its system calls, in four ways
#   make kills      kill recordings at KILLS random moments, and miss nothing that was done
#   make fuzz       fuzz every parser for FUZZ_SECONDS, or FUZZ_RUNS times (clang with libFuzzer)
#   make bench      measure against the peers, pairwise, BENCH_RUNS times (BENCHES=copy for one)
#   make soak       record whole programs SOAK_ROUNDS times: they do as they do alone (SOAK=gcc for one)
#   make soak-java  record programs in Java for SOAK_SECONDS (600) with each collector of each machine
#   make attaches   attach to programs that run, ATTACHES times each: they do as they do alone (SOAK=java for one)
#   make attack     the tools as root over a tree that others change, for ATTACK_SECONDS
#   make truth      single-step a million instructions of each of several programs: the stacks are the true ones
#   make format     clang-format everything; make lint checks format, shell scripts and floors
#   make install    under PREFIX (/usr/local), below DESTDIR;  make uninstall. Without DESTDIR, root's
#                   tells the dynamic loader of the libraries (LDCONFIG)
#   make clean      remove $(BUILD), and no other variant
#
# SERVERS=yes lets deps and check install an ssh server and a web server as well, which the system
# then starts; without them, tests of other hosts, and some attaching, are skipped.
#
# CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR are yours. BUILD names the directory of a variant.

BUILD   ?= build
PREFIX  ?= /usr/local
CFLAGS  ?= -O2 -g
FUZZ_SECONDS ?= 60
KILLS   ?= 200
BENCH_RUNS ?= 7
TEST_JOBS ?= $(shell nproc)
SOAK_ROUNDS ?= 100
ATTACK_SECONDS ?= 300
DEBIAN  ?= trixie
LDCONFIG ?= ldconfig

bindir     = $(PREFIX)/bin
libdir     = $(PREFIX)/lib
pluginsdir = $(libdir)/erkit
includedir = $(PREFIX)/include
mandir     = $(PREFIX)/share/man
docdir     = $(PREFIX)/share/doc/erkit
bashdir    = $(PREFIX)/share/bash-completion/completions
zshdir     = $(PREFIX)/share/zsh/site-functions
gdbdir     = $(PREFIX)/share/gdb/auto-load
pkgconfigdir = $(libdir)/pkgconfig

version  = 0.1
tools    = er_archive er_cp er_export er_html er_mv er_print er_rm tha
linked   = libelf libdw libxml-2.0 libzstd libxxhash
packages = $(linked) libarchive libcrypto capstone libdebuginfod # the last four: see libexpt/base/late.h

# Debian and Ubuntu packages needed for building, and for testing
build_needs = pkg-config libarchive-dev libelf-dev libdw-dev libxml2-dev libzstd-dev \
	libxxhash-dev zlib1g-dev libssl-dev libedit-dev libpfm4-dev libcapstone-dev libdebuginfod-dev
test_needs  = libcmocka-dev default-jdk-headless perl g++ gfortran clang libomp-dev binutils dwz elfutils xz-utils zstd python3 strace groff libc6-dbg \
	openssh-client zsh libjemalloc2 libtcmalloc-minimal4 procps \
	bzip2 debuginfod gdb linux-perf openmpi-bin libopenmpi-dev mpich libmpich-dev chromium $(if $(SERVERS),openssh-server nginx-light)

# Without a JDK, whose headers it needs, the agent for Java machines is not built.
jdk   := $(or $(JAVA_HOME),$(patsubst %/bin/javac,%,$(realpath $(shell command -v javac 2>/dev/null))))
jvmti := $(wildcard $(jdk)/include/jvmti.h)

# ---- flags: the project's are added to the user's, never used instead of them ----

ours     = -std=gnu11 -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Wpointer-arith \
	-Wwrite-strings -Wno-unused-parameter -fno-common -pthread -D_GNU_SOURCE \
	-DERKIT_VERSION='"$(version)"' -I.
pkgflags = $(shell pkg-config --cflags $(packages) 2>/dev/null)
pkglibs  = $(shell pkg-config --libs $(linked) 2>/dev/null) -lm
# Guests in other processes: no TLS calls, no lazy binding, nothing but libc, and no calls of memcpy
# and memset that the compiler inserts, because a sanitizer may intercept them (gcc's option,
# clang's). A wrapper that only passes on a call leaves no frame after a wrapper that records it.
# Code and constants share a mapping: loading it is part of the time of every short process.
no_idioms := $(shell echo | $(CC) -fno-tree-loop-distribute-patterns -E -x c - >/dev/null 2>&1 && \
	echo -fno-tree-loop-distribute-patterns || echo -fno-builtin)
guest    = -fPIC -fvisibility=hidden -ftls-model=initial-exec -fno-stack-protector \
	$(no_idioms) -fasynchronous-unwind-tables -foptimize-sibling-calls
guestld  = -shared -Wl,-z,now -Wl,-z,nodelete -Wl,-z,noseparate-code -Wl,--no-undefined -Wl,-z,noexecstack

folders  = $(patsubst %/,%,$(sort $(wildcard $(addsuffix /*/,$(1)))))
objects  = $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(addsuffix /*.c,$(1))))
sources  = $(wildcard $(addsuffix /*.c,$(call folders,libexpt) libexpt/cli/transfer collector \
	$(call folders,collector) $(tools) $(call folders,$(tools))))
manuals  = $(wildcard $(addsuffix /*.[1-8],libexpt collector/api collector/collect collector/er_kernel collector/gdb $(tools)))

libexpt_objects   = $(call objects,$(filter-out libexpt/cli,$(call folders,libexpt)))
cli_objects       = $(call objects,libexpt/cli libexpt/cli/transfer)
companions        = heap sync io mpi deadlock race
# Each companion shares the first files with libcollector.so, and the second with the other
# companions.
in_companions     = $(patsubst %,$(BUILD)/collector/%.o,base/interpose trace/left)
in_deadlock       = $(patsubst %,$(BUILD)/collector/base/%.o,memory text)
unwind_objects    = $(call objects,collector/unwind)
collector_folders = $(filter-out $(addprefix collector/,$(companions) java api collect counters er_kernel inject kernel launch outside perf tracee sampler target),$(call folders,collector))
collector_objects = $(filter-out %/trace/left.o,$(call objects,collector $(collector_folders)))

programs  = $(addprefix $(BUILD)/bin/,$(tools) er_import collect er_kernel)
in_gdb    = $(wildcard collector/gdb/collector.py collector/gdb/erkit_collector/*.py)
debugger  = $(in_gdb:collector/%=$(BUILD)/lib/erkit/%)
readme    = $(BUILD)/share/doc/erkit/README.md
libraries = $(BUILD)/lib/libexpt.a $(BUILD)/lib/libexpt.so.1 $(api_libraries) $(plugins) \
	$(sampler) $(importer) $(java_api)
sampler   = $(BUILD)/lib/erkit/erkit-sampler
importer  = $(BUILD)/lib/erkit/erkit-perf
java_agent = $(if $(jvmti),$(BUILD)/lib/erkit/libcollector-java.so)
java_api  = $(if $(jvmti),$(BUILD)/lib/collector.jar)
api_libraries = $(BUILD)/lib/libcollectorAPI.a $(BUILD)/lib/libcollectorAPI.so.1
plugins   = $(BUILD)/lib/erkit/libcollector.so \
	$(patsubst %,$(BUILD)/lib/erkit/libcollector-%.so,$(companions)) $(java_agent)
er_print_libs = $(shell pkg-config --libs libedit 2>/dev/null)
er_export_libs = $(shell pkg-config --libs zlib 2>/dev/null)
er_html_libs = $(er_export_libs)

.PHONY: all deps deps-check demo check check-debian faults kills asan fuzz bench soak soak-java attaches attack truth format lint install uninstall clean
.DELETE_ON_ERROR:

all: deps-check $(programs) $(libraries) $(debugger) $(readme)

# ---- libexpt ----

$(BUILD)/libexpt/%.o: libexpt/%.c
	@mkdir -p $(@D)
	$(CC) $(ours) $(pkgflags) -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections \
		$(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/lib/libexpt.a: $(libexpt_objects)
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/lib/libexpt.so.1: $(libexpt_objects) libexpt/libexpt.sym
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -pthread -Wl,-soname,libexpt.so.1 \
		-Wl,--version-script=libexpt/libexpt.sym -Wl,--no-undefined -Wl,--as-needed \
		-o $@ $(libexpt_objects) $(pkglibs)
	ln -sf libexpt.so.1 $(BUILD)/lib/libexpt.so

# ---- programs: static libexpt, so that each loads only the libraries it uses ----

$(BUILD)/er_%.o: er_%.c
	@mkdir -p $(@D)
	$(CC) $(ours) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tha/%.o: tha/%.c
	@mkdir -p $(@D)
	$(CC) $(ours) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Code shared by the programs is a library, too: each takes the files that it uses.
$(BUILD)/libcli.a: $(cli_objects)
	rm -f $@
	$(AR) rcs $@ $^

define tool
$(BUILD)/bin/$(1): $(call objects,$(1) $(call folders,$(1))) $(BUILD)/libcli.a $(BUILD)/lib/libexpt.a
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(LDFLAGS) -pthread -Wl,--as-needed -Wl,--gc-sections -o $$@ $$^ \
		$$($(1)_libs) $$(pkglibs)
endef
$(foreach t,$(tools),$(eval $(call tool,$(t))))

# The page of er_html as it is before its data, and after them; the scripts are in this order.
page_scripts = $(patsubst %,er_html/page/%.js,bytes model dom format words state table paths flame times views sites code traced dataspace difference summary page)
page_parts = $(BUILD)/er_html/before.html $(BUILD)/er_html/after.html

$(BUILD)/er_html/after.html: $(BUILD)/er_html/before.html
$(BUILD)/er_html/before.html: er_html/page/assemble er_html/page/page.css $(page_scripts)
	@mkdir -p $(@D)
	er_html/page/assemble $(page_parts) er_html/page/page.css $(page_scripts)

$(BUILD)/er_html/page.o: $(page_parts)
$(BUILD)/er_html/page.o: ours += -DPAGE_BEFORE='"$(BUILD)/er_html/before.html"' -DPAGE_AFTER='"$(BUILD)/er_html/after.html"'

$(BUILD)/bin/er_import: $(BUILD)/bin/er_export
	ln -sf er_export $@

# ---- the collector and its launcher ----

define launcher
$(BUILD)/collector/$(1)/%.o: collector/$(1)/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(ours) $$(CPPFLAGS) $$(CFLAGS) -MMD -MP -c -o $$@ $$<
endef
$(foreach folder,collect counters er_kernel inject kernel launch perf target tracee,$(eval $(call launcher,$(folder))))

# Small where no event comes by: the program's caches and page tables hold this, too.
rarely_run = $(call objects,$(addprefix collector/,api common descendants experiment guest helpers java machine patch recording)) \
	$(patsubst %,$(BUILD)/collector/%.o,api base/late base/module files/access files/create files/file files/log \
	process/environment $(addprefix unwind/,cfi debug_frame decode expression instructions interrupted way_out))

$(BUILD)/collector/%.o: collector/%.c
	@mkdir -p $(@D)
	$(CC) $(ours) $(guest) $(CPPFLAGS) $(filter-out -fsanitize=%,$(CFLAGS)) \
		$(if $(filter $@,$(rarely_run)),-Os) -MMD -MP -c -o $@ $<

$(BUILD)/lib/erkit/libcollector.so: $(collector_objects) collector/libcollector.sym
	@mkdir -p $(@D)
	$(CC) $(guestld) $(filter-out -fsanitize=%,$(CFLAGS)) $(LDFLAGS) -Wl,-soname,$(@F) \
		-Wl,--sort-section=name \
		-Wl,--version-script=collector/libcollector.sym -o $@ $(collector_objects)

# Wrappers of malloc, locks and I/O are preloaded only when asked for. Their names have no versions,
# which suits all callers, except for those in *.sym. A wrapper has a frame. In a library that is
# opened late, RTLD_NEXT finds the wrappers of libcollector.so only if it is needed before libc.
$(BUILD)/collector/%.o: guest += $(if $(filter $(companions:%=$(BUILD)/collector/%/),$(dir $@)),-fno-omit-frame-pointer -fexceptions)

# The sampler runs beside static programs, in a process of its own. It shares the text of an
# experiment with libcollector.so.
in_sampler = $(call objects,collector/common) \
	$(patsubst %,$(BUILD)/collector/base/%.o,memory number_in_file text)

$(sampler): $(call objects,collector/sampler collector/outside) $(in_sampler) $(unwind_objects)
	@mkdir -p $(@D)
	$(CC) $(filter-out -fsanitize=%,$(CFLAGS)) $(LDFLAGS) -o $@ $^

comma := ,

define companion
$(BUILD)/lib/erkit/libcollector-$(1).so: $(call objects,collector/$(1)) $(in_companions) $(in_$(1)) \
		$(wildcard collector/$(1)/*.sym) $(BUILD)/lib/erkit/libcollector.so
	$$(CC) $$(guestld) $$(filter-out -fsanitize=%,$$(CFLAGS)) $$(LDFLAGS) -Wl,-soname,$$(@F) \
		-Wl,-rpath,'$$$$ORIGIN' $(patsubst %,-Wl$(comma)--version-script=%,$(wildcard collector/$(1)/*.sym)) \
		-o $$@ $$(filter %.o,$$^) $(BUILD)/lib/erkit/libcollector.so -lc
endef
$(foreach c,$(companions),$(eval $(call companion,$(c))))

# The agent is loaded by Java machines, in processes into which libcollector.so is preloaded.
in_agent   = $(call objects,collector/java) $(BUILD)/collector/base/memory.o

$(call objects,collector/java): ours += -isystem $(jdk)/include -isystem $(jdk)/include/linux

$(BUILD)/lib/erkit/libcollector-java.so: $(in_agent) collector/java/agent.sym $(BUILD)/lib/erkit/libcollector.so
	$(CC) $(guestld) $(filter-out -fsanitize=%,$(CFLAGS)) $(LDFLAGS) -Wl,-soname,$(@F) \
		-Wl,-rpath,'$$ORIGIN' -Wl,--version-script=collector/java/agent.sym \
		-o $@ $(in_agent) $(BUILD)/lib/erkit/libcollector.so

# What programs in Java call; for machines since version 8.
$(BUILD)/lib/collector.jar: collector/java/CollectorAPI.java
	@mkdir -p $(@D)
	$(jdk)/bin/javac --release 8 -Xlint:-options -d $(BUILD)/collector/java/classes $<
	$(jdk)/bin/jar cf $@ -C $(BUILD)/collector/java/classes com

# Programs that control their recording link this; Fortran has another name for it.
api_objects = $(call objects,collector/api)

$(BUILD)/lib/libcollectorAPI.a: $(api_objects)
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^
	ln -sf libcollectorAPI.a $(@D)/libfcollector.a

$(BUILD)/lib/libcollectorAPI.so.1: $(api_objects)
	@mkdir -p $(@D)
	$(CC) $(guestld) $(filter-out -fsanitize=%,$(CFLAGS)) $(LDFLAGS) -Wl,-soname,$(@F) -o $@ $^
	ln -sf libcollectorAPI.so.1 $(@D)/libcollectorAPI.so
	ln -sf libcollectorAPI.so.1 $(@D)/libfcollector.so

collect_objects = $(call objects,$(addprefix collector/,collect counters inject launch target tracee)) \
	$(BUILD)/collector/common/sanitizer.o $(BUILD)/libcli.a $(BUILD)/lib/libexpt.a

$(BUILD)/bin/collect: $(collect_objects)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -pthread -Wl,--as-needed -Wl,--gc-sections -o $@ $^ $(pkglibs)

er_kernel_objects = $(call objects,$(addprefix collector/,counters er_kernel inject kernel launch outside target tracee)) \
	$(in_sampler) $(unwind_objects) $(BUILD)/libcli.a $(BUILD)/lib/libexpt.a

$(BUILD)/bin/er_kernel: $(er_kernel_objects)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -pthread -Wl,--as-needed -Wl,--gc-sections -o $@ $^ $(pkglibs)

# er_import runs it for recordings of perf.
importer_objects = $(call objects,$(addprefix collector/,kernel outside perf)) \
	$(in_sampler) $(unwind_objects) $(BUILD)/libcli.a $(BUILD)/lib/libexpt.a

$(importer): $(importer_objects)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -pthread -Wl,--as-needed -Wl,--gc-sections -o $@ $^ $(pkglibs)

# The commands of gdb find collect and the libraries from where they are.
$(BUILD)/lib/erkit/gdb/%.py: collector/gdb/%.py
	@mkdir -p $(@D)
	cp $< $@

# collect -R shows it.
$(readme): README.md
	@mkdir -p $(@D)
	cp $< $@

# ---- requirements ----

deps-check:
	@tests/lib/deps check $(build_needs)
	@$(if $(jvmti),:,echo 'building without Java: there is no JDK (set JAVA_HOME, or install default-jdk-headless)')

deps:
	@tests/lib/deps install $(build_needs) $(test_needs)

include tests/Makefile.inc

demo: deps all
	BUILD=$(abspath $(BUILD)) tests/lib/demo

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

lint:
	clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h')
	tests/lib/check-floors
	tests/lib/check-columns $$(git ls-files '*.c' '*.h' | grep -v '^tests/')
	shellcheck -x $$(git ls-files 'tests/**.sh' 'tests/**.t' tests/lib tests/bench tests/soak .ci | xargs grep -l '^#!/bin/sh') \
		completions/erkit.bash
	for page in $(manuals); do groff -mdoc -wall -Tascii -z $$page || exit 1; done

# ---- installation ----

api_headers = collector/api/collectorAPI.h collector/api/libcollector.h \
	collector/api/fortran/libfcollector.h

# Read by install and uninstall: mode:source:destination. The modes "link" and "fill" make a
# symbolic link, and a copy in which @PREFIX@ and @VERSION@ are filled in.
into      = $(foreach file,$(3),$(1):$(file):$(2)/$(notdir $(file)))
installed = $(call into,755,$(bindir),$(filter-out %/er_import,$(programs))) \
	link:er_export:$(bindir)/er_import \
	$(call into,644,$(libdir),$(BUILD)/lib/libexpt.a $(BUILD)/lib/libcollectorAPI.a) \
	$(call into,755,$(libdir),$(BUILD)/lib/libexpt.so.1 $(BUILD)/lib/libcollectorAPI.so.1) \
	link:libexpt.so.1:$(libdir)/libexpt.so \
	$(foreach name,libcollectorAPI libfcollector,link:libcollectorAPI.so.1:$(libdir)/$(name).so) \
	link:libcollectorAPI.a:$(libdir)/libfcollector.a \
	$(call into,644,$(libdir),$(java_api)) \
	$(call into,755,$(pluginsdir),$(plugins) $(sampler) $(importer)) \
	$(foreach file,$(in_gdb),644:$(file):$(file:collector/%=$(pluginsdir)/%)) \
	$(call into,644,$(gdbdir)$(pluginsdir),collector/gdb/libcollector.so-gdb.py) \
	$(call into,644,$(includedir),$(api_headers)) \
	$(call into,644,$(includedir)/libexpt,libexpt/expt.h libexpt/values.h) \
	$(call into,644,$(includedir)/libexpt/api,$(wildcard libexpt/api/*.h)) \
	fill:libexpt/libexpt.pc.in:$(pkgconfigdir)/libexpt.pc \
	fill:collector/api/collectorAPI.pc.in:$(pkgconfigdir)/collectorAPI.pc \
	$(foreach page,$(manuals),644:$(page):$(mandir)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
	$(call into,644,$(docdir),$(readme)) \
	644:completions/erkit.bash:$(bashdir)/erkit \
	$(foreach program,$(notdir $(programs)),link:erkit:$(bashdir)/$(program)) \
	644:completions/_erkit:$(zshdir)/_erkit

install: all
	@printf '%s\n' $(installed) | while IFS=: read -r mode source destination; do \
		destination=$(DESTDIR)$$destination; \
		install -d "$${destination%/*}" && case $$mode in \
		link) ln -sf "$$source" "$$destination" ;; \
		fill) sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(version)|' "$$source" \
			> "$$destination" ;; \
		*) install -m "$$mode" "$$source" "$$destination" ;; \
		esac && echo "$$destination" || exit 1; \
	done
	[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || $(LDCONFIG)

uninstall:
	rm -f $(foreach file,$(installed),$(DESTDIR)$(lastword $(subst :, ,$(file))))
	rm -rf $(DESTDIR)$(pluginsdir) $(DESTDIR)$(includedir)/libexpt

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -path $(BUILD)/debian -prune -o -name '*.d' -print 2>/dev/null)
