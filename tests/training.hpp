// For tests of what trains networks: SKIP_WITHOUT_TRAINING() says that they skipped where the program was built without
// LibTorch.
#pragma once

#include <gtest/gtest.h>

#ifdef BAUTA_WITHOUT_TORCH
#define SKIP_WITHOUT_TRAINING() GTEST_SKIP() << "built without LibTorch"
#else
#define SKIP_WITHOUT_TRAINING()
#endif
