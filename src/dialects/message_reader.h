// Why this file exists: chat messages of any client are read alike: what is no message is an error
// with its place, what has no place in Contents is a note.
#pragma once

#include <string>
#include <string_view>

#include "dialects/import.h"
#include "dialects/import_notes.h"
#include "dialects/path.h"
#include "dialects/turn_writer.h"

namespace strata::dialects {

/// What reading one history needs and gives.
struct Reading {
  Reading(thread::Thread& into, const ImportOptions& how)
      : thread(into), options(how), turns(into, how.signaturesFrom, notes) {}

  thread::Thread& thread;
  const ImportOptions& options;
  Notes notes;
  TurnWriter turns;
  std::string systemText;
  Status status;
};

/// JSON that stands in a string, or was just written. It is not movable: its values point into it.
class JsonText {
 public:
  explicit JsonText(std::string text);
  ~JsonText();
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  /// Absent where the text is no JSON.
  json::Value root() const { return root_; }

 private:
  std::string text_;
  json::Tape tape_;
  json::Value root_;
};

/// Base of the readers of messages. It needs no virtual destructor: readers live on the stack.
class MessageReader {
 public:
  explicit MessageReader(Reading& reading)
      : reading_(reading), notes_(reading.notes), turns_(reading.turns) {}

 protected:
  ~MessageReader() = default;

  /// Reads each entry of the array that a history is, or that stands in it under the first of
  /// `known`: names with a space behind each. Other fields that stand there are noted.
  void readList(json::Value root, std::string_view known, std::string_view expected);
  virtual void readEntry(json::Value entry, const Path& path) = 0;

  /// Ends reading: the value at `path` is not what it must be.
  void fail(json::Value value, const Path& path, std::string_view expected);
  bool failed() const { return !reading_.status; }

  /// Notes the fields of `object` that say something and are not in `known`, nor, being text, in
  /// `texts`.
  void noteOthers(json::Value object, const Path& path, std::string_view known,
                  std::string_view texts = {});
  /// Notes that `what`, which is no text, is left out where only text can be.
  void noteNoText(const Path& path, std::string_view what);
  /// Notes that a Part of this type is left out.
  void noteType(json::Value type, const Path& path);

  /// System text: kept aside in front of the turns, a user Content among them. `text` is a JSON
  /// string.
  void systemText(json::Value text, const Path& path);

  /// A tool's result as text of the user, where no call waits for it.
  void resultAsText(json::Value name, json::Value response, const Path& path);

  /// A signature in standard base64; "" for what is none.
  std::string signatureOf(const std::string& signature, const Path& path);

  Reading& reading_;
  Notes& notes_;
  TurnWriter& turns_;
};

/// A JSON object as the API wants results: `value` itself where it is one, else `{"<key>":value}`.
std::string asObject(json::Value value, std::string_view key);

// The readers, one a format; each is in the file of its name.
void importGemini(Reading& reading, json::Value root);
void importRawResponse(Reading& reading, json::Value root);
void importOpenAi(Reading& reading, json::Value root);
void importAiSdk(Reading& reading, json::Value root);

}  // namespace strata::dialects
