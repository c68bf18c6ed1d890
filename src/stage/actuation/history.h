// history.h: past values of a channel, in d.history: [last tick, cursor, n times, n rows of dim
// values]. A ring: the cursor is the place of the newest sample. Lanes may stand at different
// times, so that each looks for itself.
#pragma once

#include "math/real.h"
#include "model/enums.h"

namespace lockstep {
inline namespace LOCKSTEP_ISA {

template <class Real>
struct History {
  Real* start;
  int count, dim;  // samples, numbers of each

  using T = Scalar<Real>;

  // place of the k-th oldest sample
  LOCKSTEP_INLINE int place(int k, int at) const {
    const T cursor = lane(start[1], at);
    const int newest = cursor >= T(0) && cursor < T(count) ? int(cursor) : 0;  // users may write it
    return (newest + 1 + k) % count;
  }
  LOCKSTEP_INLINE T time(int k, int at) const { return lane(start[2 + place(k, at)], at); }
  LOCKSTEP_INLINE T value(int k, int i, int at) const {
    return lane(start[2 + count + place(k, at) * dim + i], at);
  }
  LOCKSTEP_INLINE void set_time(int k, int at, T t) const {
    set_lane(start[2 + place(k, at)], at, t);
  }
  LOCKSTEP_INLINE void set_value(int k, int i, int at, T x) const {
    set_lane(start[2 + count + place(k, at) * dim + i], at, x);
  }

  // Times are sums of steps, which single precision rounds: as many as there are samples. Less than
  // there is between two of them
  LOCKSTEP_INLINE T slack(int at) const {
    if constexpr (sizeof(T) == sizeof(double)) return T(0);
    const T now = time(count - 1, at), gap = count > 1 ? now - time(count - 2, at) : T(0);
    return max(T(0), min(abs(now) * T(6e-8) * T(count + 2), T(0.25) * gap));
  }

  // the oldest sample that is not before t; count when all are
  LOCKSTEP_FN int find(T t, int at) const {
    int low = 0, high = count;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (time(middle, at) < t) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

enum class Interpolation { zoh, linear, cubic };

// slope of a cubic at a sample; flat at the ends of the ring
template <class Real>
LOCKSTEP_FN Scalar<Real> history_slope(const History<Real>& h, int k, int i, int at) {
  if (k <= 0 || k >= h.count - 1) return 0;
  return (h.value(k + 1, i, at) - h.value(k - 1, i, at)) / (h.time(k + 1, at) - h.time(k - 1, at));
}

// value number i at time t in one lane; the ends of the ring go on for ever
template <class Real>
LOCKSTEP_FN Scalar<Real> read_history(const History<Real>& h, Scalar<Real> t, int i,
                                      int interpolation, int at) {
  using T = Scalar<Real>;
  const int last = h.count - 1;
  const T slack = h.slack(at), same = slack + T(min_val);
  if (t <= h.time(0, at) + same) return h.value(0, i, at);
  if (t >= h.time(last, at) - same) return h.value(last, i, at);
  const int after = h.find(t - slack, at), before = after - 1;
  if (abs(t - h.time(after, at)) < same) return h.value(after, i, at);
  const T y0 = h.value(before, i, at), y1 = h.value(after, i, at);
  if (interpolation == code(Interpolation::zoh)) return y0;
  const T width = h.time(after, at) - h.time(before, at);
  const T s = (t - h.time(before, at)) / width;
  if (interpolation == code(Interpolation::linear)) return (T(1) - s) * y0 + s * y1;
  const T m0 = history_slope(h, before, i, at), m1 = history_slope(h, after, i, at);
  const T s2 = s * s, s3 = s2 * s;
  return (T(2) * s3 - T(3) * s2 + T(1)) * y0 + (s3 - T(2) * s2 + s) * width * m0 +
         (T(3) * s2 - T(2) * s3) * y1 + (s3 - s2) * width * m1;
}

// moves sample k + 1 of one lane to k
template <class Real>
LOCKSTEP_FN void shift_sample(const History<Real>& h, int k, int at) {
  h.set_time(k, at, h.time(k + 1, at));
  for (int i = 0; i < h.dim; i++) h.set_value(k, i, at, h.value(k + 1, i, at));
}

// Room for a sample at time t in one lane, returned as its rank by age. A sample of the same time
// is overwritten; otherwise the oldest one goes.
template <class Real>
LOCKSTEP_FN int insert_history(const History<Real>& h, Scalar<Real> t, int at) {
  const Scalar<Real> slack = h.slack(at);
  const int k = h.find(t - slack, at);
  if (k < h.count && abs(h.time(k, at) - t) < slack + Scalar<Real>(min_val)) return k;
  if (k == h.count) {  // the newest takes the place of the oldest
    set_lane(h.start[1], at, Scalar<Real>(h.place(0, at)));
    h.set_time(h.count - 1, at, t);
    return h.count - 1;
  }
  for (int older = 0; older + 1 < k; older++) shift_sample(h, older, at);
  const int rank = k > 0 ? k - 1 : 0;
  h.set_time(rank, at, t);
  return rank;
}

}  // namespace LOCKSTEP_ISA
}  // namespace lockstep
