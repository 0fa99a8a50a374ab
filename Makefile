# SPDX-FileCopyrightText: 2026 The sinew authors
# SPDX-License-Identifier: MIT
# Shortcuts for the usual tasks. CMake does the work; CMakePresets.json has the kinds of build.
PREFIX ?= /usr/local
C_FILES = $(wildcard include/sinew/*.h src/*/*.[ch] cli/*.[ch] cli/*/*.[ch] tests/*.[ch] tests/consumer/*.c* \
                     fuzz/*.[ch] bench/*.[ch] examples/*.[ch])

.DEFAULT_GOAL := all
.NOTPARALLEL: # each build runs in parallel by itself
.PHONY: all demo test bench format install debug asan tsan scalar fuzz check-long clean help deps

all: ## build the library and the command build/sinew
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target sinew_shared sinew_static sinew_command

demo: deps all ## simulate the turtle: an animation and a picture in out/
	@mkdir -p out
	build/sinew run examples/turtle.json -o out/turtle.glb -o out/turtle.png
	@echo "out/turtle.glb  the animation: open it in Blender or any glTF viewer"
	@echo "out/turtle.png  a picture of it"
	@echo "build/sinew view examples/turtle.json  grab it and pull it, live in the browser"

test: deps ## build everything and run all tests
	@cmake --preset release -DSINEW_TESTS=ON >/dev/null
	@cmake --build --preset release
	@ctest --preset release

bench: all ## measure speed; the laws also in the scalar build
	build/sinew bench
	@cmake --preset scalar >/dev/null
	@cmake --build --preset scalar --target sinew_command >/dev/null
	build-scalar/sinew bench --laws

format: ## clang-format all C files
	clang-format -i $(C_FILES)

install: all ## install under PREFIX (default /usr/local)
	@cmake --install build --prefix "$(PREFIX)"

debug asan tsan scalar: deps ## build and test in another way, in build-debug, build-asan, ...
	@cmake --preset $@ >/dev/null
	@cmake --build --preset $@
	@ctest --preset $@

fuzz: ## run every fuzzer for FUZZ_SECONDS (default 60); needs clang
	@scripts/fuzz $(FUZZ_SECONDS)

check-long: ## an hour of tests: all known results, random scenes, sanitizers, the scalar build, the fuzzers
	@$(MAKE) test
	@ctest --preset release --build-config long --label-regex long
	@$(MAKE) asan
	@$(MAKE) tsan
	@$(MAKE) scalar
	@$(MAKE) fuzz

clean: ## remove the build folders
	rm -rf build build-debug build-asan build-tsan build-scalar build-fuzz

help: ## print this list
	@sed -n 's/^\([a-z][a-z -]*\):[^#]*## \(.*\)/\1@\2/p' Makefile | \
	    awk -F@ '{ printf "make %-24s %s\n", $$1, $$2 }'

deps:
	@scripts/install-deps
