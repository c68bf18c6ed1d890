// select.h: nth element of a range, by a fixed algorithm.
// The comparisons of bounding volume leaves are not transitive (tolerances, NaN centers of
// degenerate triangles), so the outcome depends on the very sequence of comparisons and swaps. This
// is the one of LLVM's standard library, with which the reference is built; others give other,
// equally good, trees.
#pragma once

#include <cstddef>
#include <utility>

namespace lockstep::mesh {
namespace select_detail {

// sorts three elements, returns the number of swaps
template <class T, class Less>
int sort3(T& a, T& b, T& c, Less& less) {
  if (less(b, a)) {
    if (less(c, b)) {
      std::swap(a, c);
      return 1;
    }
    std::swap(a, b);
    if (!less(c, b)) return 1;
    std::swap(b, c);
    return 2;
  }
  if (!less(c, b)) return 0;
  std::swap(b, c);
  if (!less(b, a)) return 1;
  std::swap(a, b);
  return 2;
}

template <class T, class Less>
void selection_sort(T* first, T* last, Less& less) {
  for (; first + 1 < last; ++first) {
    T* smallest = first;
    for (T* i = first + 1; i != last; ++i) {
      if (less(*i, *smallest)) smallest = i;
    }
    if (smallest != first) std::swap(*first, *smallest);
  }
}

template <class T, class Less>
bool sorted(const T* first, const T* last, Less& less) {
  for (const T* i = first + 1; i < last; ++i) {
    if (less(*i, *(i - 1))) return false;
  }
  return true;
}

// All of [first, last) are not below *first: moves what equals it to the front.
// Returns the end of that part, or nullptr if all are equal.
template <class T, class Less>
T* split_equal(T* first, T* last, Less& less) {
  T* i = first + 1;
  T* j = last - 1;
  if (!less(*first, *j)) {
    while (i != j && !less(*first, *i)) ++i;
    if (i == j) return nullptr;
    std::swap(*i, *j);
    ++i;
  }
  if (i == j) return nullptr;
  while (true) {
    while (i != last && !less(*first, *i)) ++i;
    do --j;
    while (j != first && less(*first, *j));
    if (i >= j) return i;
    std::swap(*i, *j);
    ++i;
  }
}

}  // namespace select_detail

// afterwards *nth is what sorting would put there, smaller ones before it
template <class T, class Less>
void select_nth(T* first, T* nth, T* last, Less less) {
  namespace detail = select_detail;
  while (nth != last) {
    std::ptrdiff_t size = last - first;
    if (size < 2) return;
    if (size == 2) {
      if (less(first[1], first[0])) std::swap(first[0], first[1]);
      return;
    }
    if (size == 3) {
      detail::sort3(first[0], first[1], first[2], less);
      return;
    }
    if (size <= 7) return detail::selection_sort(first, last, less);

    T* pivot = first + size / 2;
    T* i = first;
    T* j = last - 1;
    int nswap = detail::sort3(*first, *pivot, *j, less);

    // the search downwards needs a guard: an element below the pivot at the front
    if (!less(*i, *pivot)) {
      do --j;
      while (j != i && !less(*j, *pivot));
      if (j == i) {
        T* end = detail::split_equal(first, last, less);
        if (!end || nth < end) return;
        first = end;
        continue;
      }
      std::swap(*i, *j);
      ++nswap;
    }

    ++i;
    if (i < j) {
      while (true) {
        while (i != last && less(*i, *pivot)) ++i;
        do --j;
        while (j != first && !less(*j, *pivot));
        if (i >= j) break;
        std::swap(*i, *j);
        ++nswap;
        if (pivot == i) pivot = j;
        ++i;
      }
    }
    if (i != pivot && i != last && less(*pivot, *i)) {
      std::swap(*i, *pivot);
      ++nswap;
    }
    if (nth == i) return;

    // nothing moved: perhaps the part of interest is in order already
    if (nswap == 0) {
      if (nth < i ? detail::sorted(first, i, less) : detail::sorted(i, last, less)) return;
    }
    if (nth < i) {
      last = i;
    } else {
      first = i + 1;
    }
  }
}

}  // namespace lockstep::mesh
