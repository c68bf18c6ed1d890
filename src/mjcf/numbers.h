// numbers.h: numbers in text, the same under every locale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::mjcf {

enum class NumberStatus { ok, bad_format, too_large };

// Numbers separated by blanks. Accepts what C's strtod and strtol (base 10) accept, also
// hexadecimal reals, nan and inf; integers must have no fraction. `out` holds what was read before
// a failure.
template <class T>
NumberStatus parse_numbers(std::string_view text, std::vector<T>& out);

// words separated by blanks
std::vector<std::string_view> split_words(std::string_view text);

// how numbers are saved: six digits as MuJoCo writes compiled values, or the shortest text that
// reads back as the same number
enum class Digits { six, exact };

template <class T>
void append_number(std::string& text, T value, Digits digits);

template <class T>
std::string format_numbers(const T* values, size_t count, Digits digits);

}  // namespace lockstep::mjcf
