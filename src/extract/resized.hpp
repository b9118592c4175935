#pragma once

#include "bauta/data/resized.hpp"
