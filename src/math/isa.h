// isa.h: how kernel functions are declared, and the namespace of the instruction set compiled for.
#pragma once

// code built for a wider instruction set lives in its own inline namespace: otherwise the linker
// could keep the widest copy of a shared inline function and crash older CPUs. A build may name it.
#if defined(LOCKSTEP_ISA)
#elif defined(__AVX512F__)
#define LOCKSTEP_ISA isa_avx512
#elif defined(__AVX2__)
#define LOCKSTEP_ISA isa_avx2
#elif defined(__AVX__)
#define LOCKSTEP_ISA isa_avx
#else
#define LOCKSTEP_ISA isa_base
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define LOCKSTEP_DEVICE __host__ __device__
#else
#define LOCKSTEP_DEVICE
#endif

// LOCKSTEP_FN: a kernel function; LOCKSTEP_INLINE: a small one that must melt into its caller;
// LOCKSTEP_LAMBDA: such a lambda.
#define LOCKSTEP_FN LOCKSTEP_DEVICE inline
#define LOCKSTEP_INLINE LOCKSTEP_DEVICE inline __attribute__((always_inline))
#define LOCKSTEP_LAMBDA LOCKSTEP_DEVICE __attribute__((always_inline))

// before a short loop that is to be written out: compilers keep nested ones as loops, and then
// numbers that could stay in registers go through memory
#if defined(__clang__)
#define LOCKSTEP_UNROLL _Pragma("unroll")
#define LOCKSTEP_UNROLL16 _Pragma("unroll")
#else
#define LOCKSTEP_UNROLL _Pragma("GCC unroll 8")
#define LOCKSTEP_UNROLL16 _Pragma("GCC unroll 16")
#endif
