// diagnostic.h: what went wrong in a model file, where, and what to do about it.
// Readers and compiler passes add diagnostics and go on where they can, so that one run reports
// several.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// where an element was written; elements made by a program have line 0 and no file
struct Source {
  std::shared_ptr<const std::string> file;
  int line = 0;

  std::string_view file_name() const { return file ? std::string_view(*file) : std::string_view(); }
};

enum class Severity { note, warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  Source source;
  std::string element;     // as "geom 'foot'"; may be empty
  std::string attribute;   // attribute concerned; may be empty
  std::string message;     // what is wrong, one sentence without a full stop
  std::string expected;    // what would be right; may be empty
  std::string found;       // what stands there; may be empty
  std::string suggestion;  // nearest known word; may be empty
  std::string name;        // of the element, where there is one
  int id = -1;             // its number in the model, if it has one
  std::string info;        // what the user noted about it
};

// "model.xml:12: error: geom 'foot', attribute 'size': message; expected ..., found ...; did you
// mean ...?"
std::string to_string(const Diagnostic& diagnostic);

// as to_string, followed by the source line and a caret under the attribute where the file can be
// read
std::string explain(const Diagnostic& diagnostic);

class Diagnostics {
 public:
  // returns the new entry, for the caller to complete
  Diagnostic& error(const Source& source, std::string message);
  Diagnostic& warning(const Source& source, std::string message);

  bool failed() const { return nerror_ > 0; }
  const std::vector<Diagnostic>& all() const { return entries_; }
  // all errors (or warnings), a line each
  std::string text(Severity severity) const;
  void append(const Diagnostics& other);

 private:
  std::vector<Diagnostic> entries_;
  int nerror_ = 0;
};

// the word of `known` nearest to `word` by edit distance, or "" if none is near
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace lockstep
