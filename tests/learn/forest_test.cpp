#include <gtest/gtest.h>
#include "bauta/learn/forest.hpp"
