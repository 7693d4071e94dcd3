// Does the work of one path through the core, so that callgrind can count its instructions (`npm
// run gates`):
//
//     instructions append          20 repetitions
//     instructions append --slow   one repetition more: a slowdown of 5 %
//     instructions toolchain       what else the number of instructions depends on
#include <iostream>
#include <string_view>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include "gates/paths.h"

/// Repeats the work of `path`. Callgrind counts between the begin and the end of this function; it
/// is found by its name. Returns whether all results were right.
extern "C" [[gnu::noinline]] bool countedRepetitions(strata::gates::Path& path, size_t count) {
  bool right = true;
  for (size_t i = 0; i < count; ++i) right = path.repeat() && right;
  return right;
}

namespace {

constexpr size_t kRepetitions = 20;

int printToolchain() {
#if defined(__clang__)
  std::cout << "clang++ " << __clang_version__;
#else
  std::cout << "g++ " << __VERSION__;
#endif
#if defined(__GLIBC__)
  std::cout << ", glibc " << gnu_get_libc_version();
#endif
  std::cout << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "toolchain") return printToolchain();
  const bool slow = argc > 2 && std::string_view(argv[2]) == "--slow";
  const auto path = strata::gates::makePath(name);
  if (!path) {
    std::cerr << "Usage: instructions append|assemble|lint|stream|render [--slow]\n";
    return 2;
  }
  // The first repetition fills what is built once, such as tables and the assembler's memory.
  const bool right = path->repeat() && countedRepetitions(*path, kRepetitions + (slow ? 1 : 0));
  if (!right) std::cerr << name << ": a repetition failed\n";
  return right ? 0 : 1;
}
