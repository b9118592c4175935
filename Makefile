# The two commands of the README are `make demo` and `make test`; both set up and build what they need.
.PHONY: all setup configure build demo test bench format tidy asan tsan clean

PRESET ?= release
BUILD := build/$(PRESET)

all: build

setup:
	@scripts/setup

configure: setup
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET)

build: configure
	@cmake --build $(BUILD)

demo: configure
	@cmake --build $(BUILD) --target bauta
	@$(BUILD)/bauta demo --out bauta-demo

test: build
	@ctest --test-dir $(BUILD) --output-on-failure -j2

bench: build
	@cmake --build $(BUILD) --target bench
	@bench/run $(BUILD)

# The OpenMP library is not instrumented: what it does with its own memory is unknown to the sanitizer.
tsan: export TSAN_OPTIONS = ignore_noninstrumented_modules=1
asan tsan:
	@$(MAKE) --no-print-directory PRESET=$@ build
	@ctest --test-dir build/$@ --output-on-failure -j2 -LE slow

format:
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

# A tree of its own: clang-tidy cannot read the headers that g++ compiled in advance.
tidy: setup
	@cmake --preset tidy > /dev/null
	@scripts/tidy

clean:
	@rm -rf build bauta-demo
