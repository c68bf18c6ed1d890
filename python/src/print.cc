#include "print.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <regex>
#include <stdexcept>
#include <vector>

#include "mjcf/schema/table.h"

namespace lockstep::python {
namespace {

// formats come from users: exactly one conversion of a double may stand in them
void check_format(const std::string& format) {
  static const std::regex one_number("%[-+ #0]*[0-9]{0,3}(\\.[0-9]{0,3})?[aAeEfFgG]");
  std::string stripped = std::regex_replace(format, std::regex("%%"), "");
  if (std::count(stripped.begin(), stripped.end(), '%') != 1 ||
      !std::regex_search(stripped, one_number)) {
    throw std::invalid_argument(
        "float_format must have one conversion for a number, as in \"%.6g\"");
  }
}

std::string number_text(double value, const std::string& format) {
  char text[1500];
  std::snprintf(text, sizeof text, format.c_str(), value);
  return text;
}

// a cell of any type
std::string cell_text(const void* data, Dtype dtype, int64_t i, const std::string& format) {
  switch (dtype) {
    case Dtype::f64: return number_text(static_cast<const double*>(data)[i], format);
    case Dtype::f32: return number_text(double{static_cast<const float*>(data)[i]}, format);
    case Dtype::i32: return fmt::format("{}", static_cast<const int*>(data)[i]);
    case Dtype::i64: return fmt::format("{}", static_cast<const int64_t*>(data)[i]);
    case Dtype::boolean: return fmt::format("{:d}", static_cast<const bool*>(data)[i]);
    default: return fmt::format("{}", static_cast<const uint8_t*>(data)[i]);
  }
}

void print_members(std::string& out, const void* start, std::span<const MemberInfo> table,
                   const std::string& format) {
  std::string_view group;
  for (const MemberInfo& member : table) {
    if (member.group != group) out += fmt::format("  {}\n", group = member.group);
    out += fmt::format("{}{:<20}", group.empty() ? "  " : "    ", member.name);
    const void* cell = static_cast<const char*>(start) + member.offset;
    for (int i = 0; i < member.count; i++) out += cell_text(cell, member.dtype, i, format) + " ";
    out += "\n";
  }
}

void print_field(std::string& out, const FieldInfo& field, const std::string& format) {
  if (field.dtype == Dtype::chr || !field.size()) return;
  out += fmt::format("{} ({} x {})\n", field.name, field.rows, field.cols);
  for (int64_t row = 0; row < field.rows; row++) {
    out += fmt::format("  {:<6}", row);
    for (int64_t col = 0; col < field.cols; col++) {
      out += cell_text(field.data, field.dtype, row * field.cols + col, format) + " ";
    }
    out += "\n";
  }
}

// one element of the schema with its depth; recursive ones end there
struct Line {
  int depth;
  char count;
  const mjcf::Rule* rule;
  bool prototype;  // within a default class, where some attributes make no sense
};

void collect(const mjcf::Child& child, int depth, std::vector<const mjcf::Rule*>& open,
             std::vector<Line>& lines) {
  bool prototype = open.size() > 1 && open[1]->name == "default";
  lines.push_back({depth, static_cast<char>(child.count), child.rule, prototype});
  if (std::find(open.begin(), open.end(), child.rule) != open.end()) return;
  open.push_back(child.rule);
  for (const mjcf::Child& inner : child.rule->children) collect(inner, depth + 1, open, lines);
  open.pop_back();
}

std::vector<std::string> attributes(const Line& line) {
  std::vector<std::string> names;
  for (const mjcf::Row& row : line.rule->rows) {
    if (!line.prototype || !row.is(mjcf::not_in_default)) names.emplace_back(row.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string html_line(const Line& line, bool pad) {
  std::string indent = pad ? fmt::format(" style=\"padding-left:{}\"", 5 + 15 * line.depth) : "";
  std::string text = fmt::format("<tr>\n\t<td{}>", indent);
  for (int i = 0; !pad && i < 4 * line.depth; i++) text += "&nbsp;";
  text += fmt::format("{}</td>\n\t<td>{}</td>\n\t<td>", line.rule->name, line.count);
  for (const std::string& name : attributes(line)) text += name + " ";
  return text + "</td>\n</tr>\n";
}

std::string text_line(const Line& line) {
  constexpr size_t column = 30, width = 80;
  std::string text = fmt::format("{:{}}{} ({})", "", 3 * line.depth, line.rule->name, line.count);
  size_t start = 0;
  text.resize(std::max(column, text.size() + 1), ' ');
  for (const std::string& name : attributes(line)) {
    if (text.size() - start + name.size() > width) {
      start = text.size() + 1;
      text += "\n" + std::string(column, ' ');
    }
    text += name + " ";
  }
  return text + "\n";
}

}  // namespace

std::string print_model(const Model& m, const std::string& float_format) {
  check_format(float_format);
  std::string out = fmt::format("model name  {}\n\nSIZES\n", m.names ? m.names : "");
  for (const SizeInfo& size : m.sizes()) {
    if (*size.value) out += fmt::format("  {:<20}{}\n", size.name, *size.value);
  }
  out += "\nOPTION\n";
  print_members(out, &m.opt, option_members(), float_format);
  out += "\nVISUAL\n";
  print_members(out, &m.vis, visual_members(), float_format);
  out += "\nSTATISTIC\n";
  print_members(out, &m.stat, statistic_members(), float_format);
  out += "\nARRAYS\n";
  for (const FieldInfo& field : m.fields()) print_field(out, field, float_format);
  return out;
}

std::string print_data(const Model& m, const Data& d, const std::string& float_format) {
  check_format(float_format);
  std::string out;
  for (const FieldInfo& field : d.fields(m)) {
    if (field.rows_name == "1") {
      out += fmt::format("{:<20}{}\n", field.name,
                         cell_text(field.data, field.dtype, 0, float_format));
    } else {
      print_field(out, field, float_format);
    }
  }
  return out;
}

std::string print_schema(bool html, bool pad) {
  std::vector<Line> lines;
  std::vector<const mjcf::Rule*> open;
  collect({&mjcf::mjcf_schema(), mjcf::Count::one}, 0, open, lines);
  std::string out = html ? "<table>\n" : "";
  for (const Line& line : lines) out += html ? html_line(line, pad) : text_line(line);
  return html ? out + "</table>\n" : out;
}

}  // namespace lockstep::python
