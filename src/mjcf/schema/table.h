// table.h: the form of the schema tables. A row names an attribute and the member that holds it;
// the member's type decides how the attribute is read, compared and written. A rule is an element:
// its rows, its children, and which attributes go together.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "mjcf/numbers.h"
#include "model/types.h"
#include "spec/dimensions.h"

namespace lockstep::mjcf {

struct Row;

// what is wrong with the text of an attribute
struct ValueError {
  std::string message;
  std::string expected;
  std::string suggestion;
};

// how values of one member type are handled
struct ValueOps {
  // nothing on success; `value` is unchanged by text without any value, as MuJoCo takes it
  std::optional<ValueError> (*read)(const Row& row, std::string_view text, void* value);
  // nothing if it equals `base` (null: no base) and need not be written
  std::optional<std::string> (*write)(const Row& row, const void* value, const void* base,
                                      Digits digits);
  // "3 numbers", "true or false"
  std::string (*describe)(const Row& row);
};

// one definition per member type, in values.cc
template <class T>
const ValueOps& member_ops();
// members written as keywords of a list
const ValueOps& keyword_int_ops();
const ValueOps& keyword_bool_ops();
const ValueOps& keyword_double_ops();
// an int whose bits are written as keywords
const ValueOps& keyword_bits_ops();

template <class T>
constexpr auto keyword_ops() -> const ValueOps& (*)() {
  if constexpr (std::is_same_v<T, bool>) return &keyword_bool_ops;
  if constexpr (std::is_same_v<T, double>) return &keyword_double_ops;
  return &keyword_int_ops;
}

template <class T>
constexpr auto ops_of() -> const ValueOps& (*)() {
  if constexpr (std::is_enum_v<T>) {
    return &keyword_int_ops;
  } else {
    return &member_ops<T>;
  }
}

enum RowFlag : unsigned {
  required = 1,        // must be given
  not_in_default = 2,  // cannot be set in a default class
  fewer = 4,           // an array may be given in part, the rest stays
  save_by_hook = 8,    // read by the table, saved by the element's own writer
  identity = 16,       // name or class: read before the others
  not_simulated = 32,  // kept and saved, without effect
  filled = 64,         // cannot be blank, as other numbers can
};

struct Row {
  std::string_view name;
  std::string_view doc;
  void* (*address)(void* object) = nullptr;  // null: a hook reads and saves the attribute
  const ValueOps& (*ops)() = nullptr;
  std::span<const EnumValue> (*words)() = nullptr;  // keywords, where the type does not say them
  unsigned flags = 0;
  std::string_view form = {};       // of an attribute read by a hook: "6 numbers"
  std::string_view dimension = {};  // as "F/Q" (spec/dimensions.h); empty: a plain number or a word

  bool is(RowFlag flag) const { return flags & flag; }
};

template <class T>
struct MemberTraits;
template <class Class, class Value>
struct MemberTraits<Value Class::*> {
  using ClassType = Class;
  using ValueType = Value;
};

template <auto member>
void* address_of(void* object) {
  using Class = typename MemberTraits<decltype(member)>::ClassType;
  return &(static_cast<Class*>(object)->*member);
}

template <class T>
constexpr auto words_of() -> std::span<const EnumValue> (*)() {
  if constexpr (std::is_enum_v<T>) return &enum_values<T>;
  return nullptr;
}

template <auto member>
constexpr Row row(std::string_view name, std::string_view doc, unsigned flags = 0) {
  using Value = typename MemberTraits<decltype(member)>::ValueType;
  using Class = typename MemberTraits<decltype(member)>::ClassType;
  return {name,
          doc,
          &address_of<member>,
          ops_of<Value>(),
          words_of<Value>(),
          flags,
          {},
          dimension_of_member<member, Class>()};
}

// a member that is written as one of some keywords
template <auto member>
constexpr Row keyword(std::string_view name, std::span<const EnumValue> (*words)(),
                      std::string_view doc, unsigned flags = 0) {
  using Value = typename MemberTraits<decltype(member)>::ValueType;
  return {name, doc, &address_of<member>, keyword_ops<Value>(), words, flags};
}

// an int whose bits are written as keywords
template <auto member>
constexpr Row bits(std::string_view name, std::span<const EnumValue> (*words)(),
                   std::string_view doc, unsigned flags = 0) {
  return {name, doc, &address_of<member>, &keyword_bits_ops, words, flags};
}

// an attribute with a meaning of its own, read and saved by the element's hook
constexpr Row hook(std::string_view name, std::string_view form, std::string_view doc,
                   unsigned flags = 0) {
  return {name, doc, nullptr, nullptr, nullptr, flags, form};
}

inline constexpr Row name_row = {"name",  "name of the element",     nullptr, nullptr,
                                 nullptr, identity | not_in_default, "a name"};
inline constexpr Row class_row = {"class",
                                  "default class",
                                  nullptr,
                                  nullptr,
                                  nullptr,
                                  identity | not_in_default,
                                  "the name of a default class"};

// joins rows and groups of rows
template <class T>
constexpr size_t row_count = 1;
template <size_t n>
constexpr size_t row_count<std::array<Row, n>> = n;

template <class... Parts>
constexpr auto rows(const Parts&... parts) {
  std::array<Row, (row_count<Parts> + ... + 0)> result{};
  size_t at = 0;
  auto put = [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Row>) {
      result[at++] = part;
    } else {
      for (const Row& row : part) result[at++] = row;
    }
  };
  (put(parts), ...);
  return result;
}

struct Rule;
enum class Count : char { one = '!', optional = '?', any = '*', recursive = 'R' };

struct Child {
  const Rule* rule;
  Count count = Count::any;
};

// attributes that exclude or need each other; bundles are joined by '+'
struct Presence {
  enum Kind { exclusive, together, one_of } kind;
  std::string_view attributes;  // as "site1+site2 body1+anchor"
};

struct Rule {
  std::string_view name;
  std::string_view doc;
  std::span<const Row> rows = {};
  std::span<const Child> children = {};
  std::span<const Presence> presence = {};
  bool simulated = true;  // false: read, kept and saved only

  const Row* find(std::string_view attribute) const;
  const Child* child(std::string_view name) const;
};

// the whole language, from the root element
const Rule& mjcf_schema();

}  // namespace lockstep::mjcf
