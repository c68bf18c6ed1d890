#include "mjcf/numbers.h"

#include <fmt/core.h>

#include <charconv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lockstep::mjcf {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// an integral double as text without exponent, as MuJoCo saves it
constexpr double integral_tolerance = 1e-12;

bool is_integral(double x) {
  return std::abs(x - std::floor(x)) < integral_tolerance ||
         std::abs(x - std::ceil(x)) < integral_tolerance;
}

// size of a number whose exponent is out of range: tiny ones are zero, huge ones an error
bool underflows(std::string_view word) {
  size_t e = word.find_first_of("eEpP");
  if (e != std::string_view::npos) return e + 1 < word.size() && word[e + 1] == '-';
  return word.starts_with("0.") || word.starts_with(".");
}

template <class T>
NumberStatus parse_real(std::string_view word, T& value) {
  bool negative = false;
  if (!word.empty() && (word[0] == '+' || word[0] == '-')) {
    negative = word[0] == '-';
    word.remove_prefix(1);
  }
  if (word.empty() || word[0] == '+' || word[0] == '-') return NumberStatus::bad_format;
  auto format = std::chars_format::general;
  if (word.size() > 2 && word[0] == '0' && lower(word[1]) == 'x') {
    format = std::chars_format::hex;
    word.remove_prefix(2);
  }
  const char* end = word.data() + word.size();
  auto [stop, code] = std::from_chars(word.data(), end, value, format);
  if (code == std::errc::invalid_argument || stop != end) return NumberStatus::bad_format;
  if (code == std::errc::result_out_of_range) {
    if (!underflows(word)) return NumberStatus::too_large;
    value = 0;
  }
  if (negative) value = -value;
  return NumberStatus::ok;
}

NumberStatus parse_integer(std::string_view word, int& value) {
  if (!word.empty() && word[0] == '+') {
    word.remove_prefix(1);
    if (!word.empty() && word[0] == '-') return NumberStatus::bad_format;
  }
  const char* end = word.data() + word.size();
  auto [stop, code] = std::from_chars(word.data(), end, value, 10);
  if (code == std::errc::invalid_argument || stop != end) return NumberStatus::bad_format;
  if (code == std::errc::result_out_of_range) return NumberStatus::too_large;
  return NumberStatus::ok;
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && is_blank(text[at])) at++;
    size_t begin = at;
    while (at < text.size() && !is_blank(text[at])) at++;
    if (at > begin) words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

template <class T>
NumberStatus parse_numbers(std::string_view text, std::vector<T>& out) {
  size_t at = 0;
  while (true) {
    while (at < text.size() && is_blank(text[at])) at++;
    if (at == text.size()) return NumberStatus::ok;
    size_t begin = at;
    while (at < text.size() && !is_blank(text[at])) at++;
    std::string_view word = text.substr(begin, at - begin);
    T value{};
    NumberStatus status;
    if constexpr (std::is_same_v<T, int>) {
      status = parse_integer(word, value);
    } else {
      status = parse_real(word, value);
    }
    if (status != NumberStatus::ok) return status;
    out.push_back(value);
  }
}

template NumberStatus parse_numbers(std::string_view, std::vector<double>&);
template NumberStatus parse_numbers(std::string_view, std::vector<float>&);
template NumberStatus parse_numbers(std::string_view, std::vector<int>&);

template <class T>
void append_number(std::string& text, T value, Digits digits) {
  const double wide = static_cast<double>(value);
  if constexpr (std::is_integral_v<T>) {
    text += std::to_string(value);
  } else if (digits == Digits::exact) {
    if (wide == 0) {
      text += std::signbit(wide) ? "-0" : "0";
    } else if (std::abs(wide) < 1e9 && wide == std::floor(wide)) {
      text += std::to_string(static_cast<int64_t>(wide));
    } else {
      text += fmt::format("{}", value);
    }
  } else if (std::abs(wide) < INT_MAX && is_integral(wide)) {
    text += std::to_string(std::lround(wide));
  } else {
    text += fmt::format("{:.6g}", value);
  }
}

template void append_number(std::string&, double, Digits);
template void append_number(std::string&, float, Digits);
template void append_number(std::string&, int, Digits);

template <class T>
std::string format_numbers(const T* values, size_t count, Digits digits) {
  std::string text;
  for (size_t i = 0; i < count; i++) {
    if (i) text += ' ';
    append_number(text, values[i], digits);
  }
  return text;
}

template std::string format_numbers(const double*, size_t, Digits);
template std::string format_numbers(const float*, size_t, Digits);
template std::string format_numbers(const int*, size_t, Digits);

}  // namespace lockstep::mjcf
