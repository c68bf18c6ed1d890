#include "base/diagnostic.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <numeric>

namespace lockstep {
namespace {

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "";
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); i++) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); j++) {
      int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

std::string line_of_file(const std::string& path, int line) {
  std::ifstream in(path);
  std::string text;
  for (int i = 0; i < line; i++) {
    if (!std::getline(in, text)) return "";
  }
  return text;
}

}  // namespace

std::string to_string(const Diagnostic& d) {
  std::string text;
  if (d.source.file) text += *d.source.file + ":";
  if (d.source.line) text += fmt::format("{}:", d.source.line);
  if (!text.empty()) text += " ";
  text += severity_name(d.severity);
  text += ": ";
  if (!d.element.empty()) text += d.element;
  if (!d.attribute.empty()) {
    text += fmt::format("{}attribute '{}'", d.element.empty() ? "" : ", ", d.attribute);
  }
  if (!d.element.empty() || !d.attribute.empty()) text += ": ";
  text += d.message;
  if (!d.info.empty()) text += fmt::format(" ({})", d.info);
  if (!d.expected.empty()) text += "; expected " + d.expected;
  if (!d.found.empty()) text += (d.expected.empty() ? "; found " : ", found ") + d.found;
  if (!d.suggestion.empty()) text += fmt::format("; did you mean '{}'?", d.suggestion);
  return text;
}

std::string explain(const Diagnostic& d) {
  std::string text = to_string(d);
  if (!d.source.file || d.source.line < 1) return text;
  std::string line = line_of_file(*d.source.file, d.source.line);
  if (line.empty() || line.size() > 500) return text;
  std::replace(line.begin(), line.end(), '\t', ' ');
  size_t column = d.attribute.empty() ? std::string::npos : line.find(d.attribute);
  size_t width = d.attribute.size();
  if (column == std::string::npos) {
    column = line.find_first_not_of(' ');
    width = 1;
  }
  if (column == std::string::npos) return text;
  std::string number = fmt::format("{:>6}", d.source.line);
  return text + fmt::format("\n{} | {}\n{} | {}{}", number, line, std::string(number.size(), ' '),
                            std::string(column, ' '), std::string(width, '^'));
}

Diagnostic& Diagnostics::error(const Source& source, std::string message) {
  nerror_++;
  Diagnostic& entry = entries_.emplace_back();
  entry.source = source;
  entry.message = std::move(message);
  return entry;
}

Diagnostic& Diagnostics::warning(const Source& source, std::string message) {
  Diagnostic& entry = entries_.emplace_back();
  entry.severity = Severity::warning;
  entry.source = source;
  entry.message = std::move(message);
  return entry;
}

std::string Diagnostics::text(Severity severity) const {
  std::string text;
  for (const Diagnostic& entry : entries_) {
    if (entry.severity != severity) continue;
    if (!text.empty()) text += "\n";
    text += to_string(entry);
  }
  return text;
}

void Diagnostics::append(const Diagnostics& other) {
  entries_.insert(entries_.end(), other.entries_.begin(), other.entries_.end());
  nerror_ += other.nerror_;
}

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& known) {
  std::string_view best;
  int best_distance = 1 + static_cast<int>(word.size()) / 3;
  for (std::string_view candidate : known) {
    int distance = edit_distance(word, candidate);
    if (distance < best_distance || (distance == best_distance && best.empty())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

}  // namespace lockstep
