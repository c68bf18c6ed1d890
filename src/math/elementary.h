// elementary.h: the elementary functions of kernels, for float, double and packs of both.
// built from + - * / sqrt and bit operations only, so that every platform gives the same bits.
#pragma once

#include "math/exponential.h"
#include "math/rounding.h"
#include "math/trigonometry.h"
