// passes.h: the passes of the compiler, one file each; compile.cc runs them in order.
#pragma once

namespace lockstep {

struct Build;

}  // namespace lockstep
