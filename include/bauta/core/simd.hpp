// Functions marked BAUTA_MULTIVERSION are compiled for several instruction sets and chosen when the program starts.
#pragma once

// Sanitizers do not survive the loader's early choice of a version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(BAUTA_SANITIZED)
#define BAUTA_MULTIVERSION __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define BAUTA_MULTIVERSION
#endif
