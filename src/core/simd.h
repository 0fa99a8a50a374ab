// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A vector of SW_LANES doubles. Kernels are written once in terms of it; in the scalar build it has
// one lane and is a plain double. This is the only file with compiler intrinsics.
#pragma once

#include "sinew/base.h"

#include <math.h>
#include <string.h>

#if defined(SW_SCALAR) || !defined(__GNUC__)

enum { SW_LANES = 1 };
typedef double swWide;
typedef int64_t swWideInt;
typedef int64_t swMask; // all bits set where true
#define SW_WIDE_MASK(condition) (-(int64_t)(condition))

#else

#if defined(__AVX512F__)
#define SW_LANES_ 8
#else
#define SW_LANES_ 4
#endif
enum { SW_LANES = SW_LANES_ };
typedef double swWide __attribute__((vector_size(8 * SW_LANES_)));
typedef int64_t swWideInt __attribute__((vector_size(8 * SW_LANES_)));
typedef swWideInt swMask;
#define SW_WIDE_MASK(condition) (condition)

#if defined(__AVX__)
#include <immintrin.h>
#endif

#endif

#define SW_INLINE static inline __attribute__((always_inline))

SW_INLINE swWide sw_wide_load(const double *p) {
    swWide v;
    memcpy(&v, p, sizeof v);
    return v;
}
SW_INLINE void sw_wide_store(double *p, swWide v) { memcpy(p, &v, sizeof v); }
SW_INLINE swWide sw_wide(double s) {
#if defined(SW_LANES_)
    return s - (swWide){0};
#else
    return s;
#endif
}

// a * b + c, with one rounding where the machine has it
SW_INLINE swWide sw_wide_fma(swWide a, swWide b, swWide c) {
#if defined(SW_LANES_) && defined(__AVX512F__)
    return (swWide)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(SW_LANES_) && defined(__FMA__)
    return (swWide)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    return a * b + c;
#endif
}

SW_INLINE swWide sw_wide_sqrt(swWide a) {
#if defined(SW_LANES_) && defined(__AVX512F__)
    return (swWide)_mm512_sqrt_pd((__m512d)a);
#elif defined(SW_LANES_) && defined(__AVX__)
    return (swWide)_mm256_sqrt_pd((__m256d)a);
#else
    double v[SW_LANES];
    memcpy(v, &a, sizeof v);
    for (int i = 0; i < SW_LANES; i++)
        v[i] = sqrt(v[i]);
    memcpy(&a, v, sizeof v);
    return a;
#endif
}

// Four doubles, whatever SW_LANES is: a row of shape functions, or a position and a spare number.
#if defined(SW_LANES_)
typedef double swQuad __attribute__((vector_size(32)));
#else
typedef struct {
    double v[4];
} swQuad;
#endif

SW_INLINE swQuad sw_quad_load(const double *p) {
    swQuad v;
    memcpy(&v, p, sizeof v);
    return v;
}
SW_INLINE void sw_quad_store(double *p, swQuad v) { memcpy(p, &v, sizeof v); }
// s * b + c, with one rounding where the machine has it
SW_INLINE swQuad sw_quad_fma(double s, swQuad b, swQuad c) {
#if defined(SW_LANES_) && defined(__FMA__)
    return (swQuad)_mm256_fmadd_pd(_mm256_set1_pd(s), (__m256d)b, (__m256d)c);
#elif defined(SW_LANES_)
    return s * b + c;
#else
    for (int k = 0; k < 4; k++)
        c.v[k] += s * b.v[k];
    return c;
#endif
}

SW_INLINE swQuad sw_quad(double s) {
#if defined(SW_LANES_)
    return s - (swQuad){0};
#else
    return (swQuad){{s, s, s, s}};
#endif
}
// a * b + c, with one rounding where the machine has it
SW_INLINE swQuad sw_quad_fma_each(swQuad a, swQuad b, swQuad c) {
#if defined(SW_LANES_) && defined(__FMA__)
    return (swQuad)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#elif defined(SW_LANES_)
    return a * b + c;
#else
    for (int k = 0; k < 4; k++)
        c.v[k] += a.v[k] * b.v[k];
    return c;
#endif
}
// The sum of all four, in a fixed order.
SW_INLINE double sw_quad_sum(swQuad v) {
    double a[4];
    sw_quad_store(a, v);
    return (a[0] + a[1]) + (a[2] + a[3]);
}

// Four floats, in the same way.
#if defined(SW_LANES_)
typedef float swFour __attribute__((vector_size(16)));
#else
typedef struct {
    float v[4];
} swFour;
#endif

SW_INLINE swFour sw_four_load(const float *p) {
    swFour v;
    memcpy(&v, p, sizeof v);
    return v;
}
SW_INLINE void sw_four_store(float *p, swFour v) { memcpy(p, &v, sizeof v); }
SW_INLINE swFour sw_four_of(float x, float y, float z) {
#if defined(SW_LANES_)
    return (swFour){x, y, z, 0};
#else
    return (swFour){{x, y, z, 0}};
#endif
}
// a * b + c, with one rounding where the machine has it
SW_INLINE swFour sw_four_fma(swFour a, swFour b, swFour c) {
#if defined(SW_LANES_) && defined(__FMA__)
    return (swFour)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
#elif defined(SW_LANES_)
    return a * b + c;
#else
    for (int k = 0; k < 4; k++)
        c.v[k] += a.v[k] * b.v[k];
    return c;
#endif
}
SW_INLINE swFour sw_four(float s) {
#if defined(SW_LANES_)
    return s - (swFour){0};
#else
    return (swFour){{s, s, s, s}};
#endif
}

// Two swFours side by side.
#if defined(SW_LANES_) && defined(__AVX__)
typedef __m256 swOct;
#else
typedef struct {
    swFour low, high;
} swOct;
#endif

SW_INLINE swOct sw_oct_pair(const float *low, const float *high) {
#if defined(SW_LANES_) && defined(__AVX__)
    return _mm256_loadu2_m128(high, low);
#else
    return (swOct){sw_four_load(low), sw_four_load(high)};
#endif
}
// Number k (0 to 2) of each half, repeated four times.
SW_INLINE swOct sw_oct_spread(swOct v, int k) {
#if defined(SW_LANES_) && defined(__AVX__)
    return k == 0   ? _mm256_permute_ps(v, 0x00)
           : k == 1 ? _mm256_permute_ps(v, 0x55)
                    : _mm256_permute_ps(v, 0xaa);
#else
    float low[4], high[4];
    sw_four_store(low, v.low);
    sw_four_store(high, v.high);
    return (swOct){sw_four(low[k]), sw_four(high[k])};
#endif
}
SW_INLINE swOct sw_oct_fma(swOct a, swOct b, swOct c) {
#if defined(SW_LANES_) && defined(__FMA__)
    return _mm256_fmadd_ps(a, b, c);
#elif defined(SW_LANES_) && defined(__AVX__)
    return _mm256_add_ps(_mm256_mul_ps(a, b), c);
#else
    return (swOct){sw_four_fma(a.low, b.low, c.low), sw_four_fma(a.high, b.high, c.high)};
#endif
}
SW_INLINE swFour sw_oct_low(swOct v) {
#if defined(SW_LANES_) && defined(__AVX__)
    return (swFour)_mm256_castps256_ps128(v);
#else
    return v.low;
#endif
}
SW_INLINE swFour sw_oct_high(swOct v) {
#if defined(SW_LANES_) && defined(__AVX__)
    return (swFour)_mm256_extractf128_ps(v, 1);
#else
    return v.high;
#endif
}

// The sum of all lanes, in a fixed order.
SW_INLINE double sw_wide_sum(swWide v) {
    double a[SW_LANES];
    sw_wide_store(a, v);
#if defined(SW_LANES_) && SW_LANES_ == 8
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
#elif defined(SW_LANES_)
    return (a[0] + a[1]) + (a[2] + a[3]);
#else
    return a[0];
#endif
}

// The sums of four vectors, each equal to sw_wide_sum() to the last bit.
SW_INLINE swQuad sw_wide_sums(swWide a, swWide b, swWide c, swWide d) {
#if defined(SW_LANES_) && defined(__AVX512F__)
    const __m512d ab = _mm512_add_pd(_mm512_unpacklo_pd((__m512d)a, (__m512d)b),
                                     _mm512_unpackhi_pd((__m512d)a, (__m512d)b)),
                  cd = _mm512_add_pd(_mm512_unpacklo_pd((__m512d)c, (__m512d)d),
                                     _mm512_unpackhi_pd((__m512d)c, (__m512d)d));
    swQuad half[2];
    for (int k = 0; k < 2; k++) {
        const __m256d u = k ? _mm512_extractf64x4_pd(ab, 1) : _mm512_castpd512_pd256(ab),
                      v = k ? _mm512_extractf64x4_pd(cd, 1) : _mm512_castpd512_pd256(cd);
        half[k] = (swQuad)_mm256_add_pd(_mm256_permute2f128_pd(u, v, 0x20),
                                        _mm256_permute2f128_pd(u, v, 0x31));
    }
    return half[0] + half[1];
#elif defined(SW_LANES_) && defined(__AVX__)
    const __m256d ab = _mm256_hadd_pd((__m256d)a, (__m256d)b),
                  cd = _mm256_hadd_pd((__m256d)c, (__m256d)d);
    return (swQuad)_mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20),
                                 _mm256_permute2f128_pd(ab, cd, 0x31));
#else
    const double sum[4] = {sw_wide_sum(a), sw_wide_sum(b), sw_wide_sum(c), sw_wide_sum(d)};
    return sw_quad_load(sum);
#endif
}

SW_INLINE swWideInt sw_wide_bits(swWide v) {
    swWideInt i;
    memcpy(&i, &v, sizeof i);
    return i;
}
SW_INLINE swWide sw_wide_from_bits(swWideInt i) {
    swWide v;
    memcpy(&v, &i, sizeof v);
    return v;
}
// mask ? a : b
SW_INLINE swWide sw_wide_select(swMask mask, swWide a, swWide b) {
    return sw_wide_from_bits((mask & sw_wide_bits(a)) | (~mask & sw_wide_bits(b)));
}

SW_INLINE swWide sw_wide_abs(swWide a) { return sw_wide_select(SW_WIDE_MASK(a < 0.0), -a, a); }

// Natural logarithm of finite normal x > 0 to about one unit in the last place. Near 1 it is as
// accurate as `less`, which is x - 1.
SW_INLINE swWide sw_wide_log_near(swWide x, swWide less) {
    // x = m 2^e with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh((m - 1) / (m + 1))
    const swWideInt magic =
        sw_wide_bits(sw_wide(4503599627370496.0)); // 2^52: its low bits hold integers
    swWideInt bits = sw_wide_bits(x), base = sw_wide_bits(sw_wide(0.70710678118654752440));
    swWideInt shifted = (bits - base) >> 52;
    swWide m = sw_wide_from_bits(bits - (shifted << 52));
    swWide e = sw_wide_from_bits(magic + (shifted + 2048)) - (4503599627370496.0 + 2048.0);
    less = sw_wide_select(SW_WIDE_MASK(e == 0.0), less, m - 1.0);
    swWide s = 2.0 * less / (m + 1.0), z = 0.25 * s * s, p = sw_wide(1.0 / 23);
    for (int n = 21; n >= 3; n -= 2)
        p = sw_wide_fma(p, z, sw_wide(1.0 / n));
    swWide tail = s * z * p + e * 1.90821492927058770002e-10;
    return e * 6.93147180369123816490e-01 + (s + tail);
}
SW_INLINE swWide sw_wide_log(swWide x) { return sw_wide_log_near(x, x - 1.0); }
// log(1 + x) for x > -1, accurate near zero.
SW_INLINE swWide sw_wide_log1p(swWide x) { return sw_wide_log_near(1.0 + x, x); }

// exp(x) - 1, accurate near zero; x is clamped to [-700, 700].
SW_INLINE swWide sw_wide_expm1(swWide x) {
    // x = k ln 2 + r, |r| <= ln 2 / 2; exp(x) - 1 = 2^k (exp(r) - 1) + (2^k - 1)
    x = sw_wide_select(SW_WIDE_MASK(x > 700.0), sw_wide(700.0), x);
    x = sw_wide_select(SW_WIDE_MASK(x < -700.0), sw_wide(-700.0), x);
    const double magic = 6755399441055744.0; // 1.5 2^52: adding it rounds to an integer
    swWide shifted = x * 1.44269504088896340736 + magic, k = shifted - magic;
    swWide r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    static const double inverse[] = {
        1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
        1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5}; // 1 / n!
    swWide p = sw_wide(1.0 / 6227020800);
    for (int i = 0; i < 11; i++)
        p = sw_wide_fma(p, r, sw_wide(inverse[i]));
    p = p * r * r + r;
    swWideInt bits = (sw_wide_bits(shifted) - sw_wide_bits(sw_wide(magic)) + 1023) << 52;
    swWide scale = sw_wide_from_bits(bits);
    return scale * p + (scale - 1.0);
}
SW_INLINE swWide sw_wide_exp(swWide x) { return sw_wide_expm1(x) + 1.0; }
