// values.cc: reading, comparing and writing the value types that attributes have.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/diagnostic.h"
#include "mjcf/schema/table.h"

namespace lockstep::mjcf {
namespace {

template <class T>
constexpr const char* number_word = std::is_same_v<T, int> ? "integer" : "number";

template <class T>
std::string counted(size_t count, bool fewer) {
  if (count == 1) return fmt::format("{} {}", std::is_same_v<T, int> ? "an" : "a", number_word<T>);
  return fmt::format("{}{} {}s", fewer ? "1 to " : "", count, number_word<T>);
}

ValueError failure(NumberStatus status, std::string expected) {
  if (status == NumberStatus::too_large) return {"number is too large", std::move(expected), ""};
  return {"not a number", std::move(expected), ""};
}

// six digits cannot tell a rounding error
template <class T>
bool same(T a, T b, Digits digits) {
  if constexpr (std::is_integral_v<T>) return a == b;
  if (digits == Digits::exact) return a == b;
  return !(std::abs(a - b) > std::numeric_limits<T>::epsilon());
}

template <class T>
std::optional<std::string> write_numbers(const T* value, const T* base, size_t count, bool trim,
                                         Digits digits) {
  if constexpr (std::is_floating_point_v<T>) {
    for (size_t i = 0; i < count; i++) {
      if (std::isnan(value[i])) return std::nullopt;
    }
  }
  if (base) {
    bool equal = true;
    for (size_t i = 0; i < count; i++) equal = equal && same(value[i], base[i], digits);
    if (equal) return std::nullopt;
    while (trim && count > 1 && value[count - 1] == base[count - 1]) count--;
  }
  return format_numbers(value, count, digits);
}

// one number
template <class T>
struct ScalarOps {
  static std::optional<ValueError> read(const Row&, std::string_view text, void* value) {
    std::vector<T> numbers;
    NumberStatus status = parse_numbers(text, numbers);
    if (status != NumberStatus::ok) return failure(status, counted<T>(1, false));
    if (numbers.size() > 1) return ValueError{"too many values", counted<T>(1, false), ""};
    if (numbers.size() == 1) *static_cast<T*>(value) = numbers[0];
    return std::nullopt;
  }
  static std::optional<std::string> write(const Row&, const void* value, const void* base,
                                          Digits digits) {
    return write_numbers(static_cast<const T*>(value), static_cast<const T*>(base), 1, false,
                         digits);
  }
  static std::string describe(const Row&) { return counted<T>(1, false); }
};

// a fixed number of numbers
template <class T, size_t n>
struct ArrayOps {
  using Array = std::array<T, n>;
  static std::optional<ValueError> read(const Row& row, std::string_view text, void* value) {
    std::vector<T> numbers;
    NumberStatus status = parse_numbers(text, numbers);
    if (status != NumberStatus::ok) return failure(status, describe(row));
    if (numbers.empty()) return std::nullopt;
    if (numbers.size() > n) return ValueError{"too many values", describe(row), ""};
    if (numbers.size() < n && !row.is(fewer)) {
      return ValueError{"not enough values", describe(row), ""};
    }
    std::copy(numbers.begin(), numbers.end(), static_cast<Array*>(value)->begin());
    return std::nullopt;
  }
  static std::optional<std::string> write(const Row& row, const void* value, const void* base,
                                          Digits digits) {
    return write_numbers(static_cast<const Array*>(value)->data(),
                         base ? static_cast<const Array*>(base)->data() : nullptr, n, row.is(fewer),
                         digits);
  }
  static std::string describe(const Row& row) { return counted<T>(n, row.is(fewer)); }
};

// any number of numbers
template <class T>
struct VectorOps {
  using Vector = std::vector<T>;
  static std::optional<ValueError> read(const Row& row, std::string_view text, void* value) {
    Vector numbers;
    NumberStatus status = parse_numbers(text, numbers);
    if (status != NumberStatus::ok) return failure(status, describe(row));
    if (!numbers.empty()) *static_cast<Vector*>(value) = std::move(numbers);
    return std::nullopt;
  }
  static std::optional<std::string> write(const Row&, const void* value, const void* base,
                                          Digits digits) {
    const Vector& numbers = *static_cast<const Vector*>(value);
    if (numbers.empty() || (base && numbers == *static_cast<const Vector*>(base))) {
      return std::nullopt;
    }
    return format_numbers(numbers.data(), numbers.size(), digits);
  }
  static std::string describe(const Row&) { return fmt::format("{}s", number_word<T>); }
};

struct TextOps {
  static std::optional<ValueError> read(const Row&, std::string_view text, void* value) {
    *static_cast<std::string*>(value) = text;
    return std::nullopt;
  }
  static std::optional<std::string> write(const Row&, const void* value, const void* base, Digits) {
    const std::string& text = *static_cast<const std::string*>(value);
    if (text.empty() || (base && text == *static_cast<const std::string*>(base))) {
      return std::nullopt;
    }
    return text;
  }
  static std::string describe(const Row&) { return "a text"; }
};

struct NamesOps {
  using Names = std::vector<std::string>;
  static std::optional<ValueError> read(const Row&, std::string_view text, void* value) {
    Names& names = *static_cast<Names*>(value);
    names.clear();
    for (std::string_view word : split_words(text)) names.emplace_back(word);
    return std::nullopt;
  }
  static std::optional<std::string> write(const Row&, const void* value, const void* base, Digits) {
    const Names& names = *static_cast<const Names*>(value);
    if (names.empty() || (base && names == *static_cast<const Names*>(base))) return std::nullopt;
    return fmt::format("{}", fmt::join(names, " "));
  }
  static std::string describe(const Row&) { return "names"; }
};

// keywords; Access loads and stores the member as an int
std::string keywords(const Row& row) {
  std::vector<std::string_view> words;
  for (const EnumValue& entry : row.words()) {
    if (!entry.keyword.empty()) words.push_back(entry.keyword);
  }
  if (words.size() == 2) return fmt::format("{} or {}", words[0], words[1]);
  return fmt::format("one of {}", fmt::join(words, ", "));
}

ValueError unknown_keyword(const Row& row, std::string_view word) {
  std::vector<std::string_view> words;
  for (const EnumValue& entry : row.words()) words.push_back(entry.keyword);
  return {"unknown keyword", keywords(row), nearest_word(word, words)};
}

std::optional<int> number_of(const Row& row, std::string_view word) {
  for (const EnumValue& entry : row.words()) {
    if (!entry.keyword.empty() && entry.keyword == word) return entry.number;
  }
  return std::nullopt;
}

template <class T>
int load_number(const void* value) {
  if constexpr (std::is_same_v<T, int>) {
    int number;  // the member may be an enumeration over int
    std::memcpy(&number, value, sizeof number);
    return number;
  } else {
    return static_cast<int>(*static_cast<const T*>(value));
  }
}

template <class T>
void store_number(void* value, int number) {
  if constexpr (std::is_same_v<T, int>) {
    std::memcpy(value, &number, sizeof number);
  } else {
    *static_cast<T*>(value) = static_cast<T>(number);
  }
}

template <class T>
struct KeywordOps {
  static std::optional<ValueError> read(const Row& row, std::string_view text, void* value) {
    std::optional<int> number = number_of(row, text);
    if (!number) return unknown_keyword(row, text);
    store_number<T>(value, *number);
    return std::nullopt;
  }
  static std::optional<std::string> write(const Row& row, const void* value, const void* base,
                                          Digits) {
    int number = load_number<T>(value);
    if (base && number == load_number<T>(base)) return std::nullopt;
    for (const EnumValue& entry : row.words()) {
      if (entry.number == number && !entry.keyword.empty()) return std::string(entry.keyword);
    }
    return std::nullopt;
  }
  static std::string describe(const Row& row) { return keywords(row); }
};

struct BitsOps {
  static std::optional<ValueError> read(const Row& row, std::string_view text, void* value) {
    int bits = 0;
    std::vector<std::string_view> words = split_words(text);
    for (std::string_view word : words) {
      std::optional<int> number = number_of(row, word);
      if (!number) return unknown_keyword(row, word);
      bits |= *number;
    }
    if (!words.empty()) store_number<int>(value, bits);
    return std::nullopt;
  }
  static std::optional<std::string> write(const Row& row, const void* value, const void* base,
                                          Digits) {
    int bits = load_number<int>(value);
    if (base && bits == load_number<int>(base)) return std::nullopt;
    std::vector<std::string_view> words;
    for (const EnumValue& entry : row.words()) {
      if (!entry.keyword.empty() && (bits & entry.number)) words.push_back(entry.keyword);
    }
    if (words.empty()) return std::nullopt;
    return fmt::format("{}", fmt::join(words, " "));
  }
  static std::string describe(const Row& row) { return "some of " + keywords(row).substr(7); }
};

constexpr EnumValue boolean_words[] = {{"", 0, "false"}, {"", 1, "true"}};

struct BoolOps {
  static std::optional<ValueError> read(const Row& row, std::string_view text, void* value) {
    return KeywordOps<bool>::read(with_words(row), text, value);
  }
  static std::optional<std::string> write(const Row& row, const void* value, const void* base,
                                          Digits digits) {
    return KeywordOps<bool>::write(with_words(row), value, base, digits);
  }
  static std::string describe(const Row&) { return "true or false"; }
  static Row with_words(Row row) {
    row.words = [] { return std::span<const EnumValue>(boolean_words); };
    return row;
  }
};

template <class Ops>
const ValueOps& instance() {
  static constexpr ValueOps ops{&Ops::read, &Ops::write, &Ops::describe};
  return ops;
}

}  // namespace

const ValueOps& keyword_int_ops() { return instance<KeywordOps<int>>(); }
const ValueOps& keyword_bool_ops() { return instance<KeywordOps<bool>>(); }
const ValueOps& keyword_double_ops() { return instance<KeywordOps<double>>(); }
const ValueOps& keyword_bits_ops() { return instance<BitsOps>(); }

// clang-format off
template <> const ValueOps& member_ops<bool>() { return instance<BoolOps>(); }
template <> const ValueOps& member_ops<int>() { return instance<ScalarOps<int>>(); }
template <> const ValueOps& member_ops<double>() { return instance<ScalarOps<double>>(); }
template <> const ValueOps& member_ops<float>() { return instance<ScalarOps<float>>(); }
template <> const ValueOps& member_ops<std::string>() { return instance<TextOps>(); }
template <> const ValueOps& member_ops<std::array<int, 2>>() { return instance<ArrayOps<int, 2>>(); }
template <> const ValueOps& member_ops<std::array<int, 3>>() { return instance<ArrayOps<int, 3>>(); }
template <> const ValueOps& member_ops<std::array<float, 2>>() { return instance<ArrayOps<float, 2>>(); }
template <> const ValueOps& member_ops<std::array<float, 3>>() { return instance<ArrayOps<float, 3>>(); }
template <> const ValueOps& member_ops<std::array<float, 4>>() { return instance<ArrayOps<float, 4>>(); }
template <> const ValueOps& member_ops<std::array<double, 2>>() { return instance<ArrayOps<double, 2>>(); }
template <> const ValueOps& member_ops<std::array<double, 3>>() { return instance<ArrayOps<double, 3>>(); }
template <> const ValueOps& member_ops<std::array<double, 4>>() { return instance<ArrayOps<double, 4>>(); }
template <> const ValueOps& member_ops<std::array<double, 5>>() { return instance<ArrayOps<double, 5>>(); }
template <> const ValueOps& member_ops<std::array<double, 6>>() { return instance<ArrayOps<double, 6>>(); }
template <> const ValueOps& member_ops<std::array<double, 10>>() { return instance<ArrayOps<double, 10>>(); }
template <> const ValueOps& member_ops<std::vector<int>>() { return instance<VectorOps<int>>(); }
template <> const ValueOps& member_ops<std::vector<float>>() { return instance<VectorOps<float>>(); }
template <> const ValueOps& member_ops<std::vector<double>>() { return instance<VectorOps<double>>(); }
template <> const ValueOps& member_ops<std::vector<std::string>>() { return instance<NamesOps>(); }
// clang-format on

const Row* Rule::find(std::string_view attribute) const {
  for (const Row& row : rows) {
    if (row.name == attribute) return &row;
  }
  return nullptr;
}

const Child* Rule::child(std::string_view wanted) const {
  for (const Child& entry : children) {
    if (entry.rule->name == wanted) return &entry;
  }
  return nullptr;
}

}  // namespace lockstep::mjcf
