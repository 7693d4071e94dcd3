// Why this file exists: chat messages of any client are read alike: what is no message is an error
// with its place, what has no place in Contents is a note.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "history/import/import.h"
#include "history/import/turn_writer.h"

namespace strata::history {

/// Base of the readers of messages.
class MessageReader {
 public:
  MessageReader(Thread& thread, const ImportOptions& options, Imported& imported)
      : options_(options), imported_(imported), turns_(thread, options.signaturesFrom, notes_) {}

 protected:
  /// The elements of the array that a history is, or that stands in it under `name`. What else
  /// stands there is noted; `path` becomes that of the array.
  json::Value list(json::Value root, std::string_view name, std::string& path);

  /// Ends reading: the value at `path` is not what it must be.
  void fail(json::Value value, const std::string& path, std::string expected);
  bool failed() const { return !status_; }
  /// Ends reading, in any case.
  Status finish();

  /// Notes the fields of `object` that are not in `known` and say something.
  void noteOthers(json::Value object, const std::string& path,
                  std::initializer_list<std::string_view> known);

  /// System text: kept aside in front of the turns, a user Content among them. `text` is a JSON
  /// string.
  void systemText(json::Value text, const std::string& path);

  /// A tool's result as text of the user, where no call waits for it.
  void resultAsText(json::Value name, json::Value response, const std::string& path);

  /// A signature in standard base64; "" for what is none.
  std::string signatureOf(json::Value signature, const std::string& path);

  const ImportOptions& options_;
  Imported& imported_;
  Notes notes_;
  TurnWriter turns_;

 private:
  Status status_;
};

/// `path` with `/key` behind it, and with `/index`.
std::string below(const std::string& path, std::string_view key);
std::string below(const std::string& path, size_t index);

/// A JSON object as the API wants results: `value` itself where it is one, else `{"<key>":value}`.
std::string asObject(json::Value value, std::string_view key);

// The readers, one a format; each is in the file of its name.
Status importGemini(Thread& thread, json::Value root, const ImportOptions& options,
                    Imported& imported);
Status importRawResponse(Thread& thread, json::Value root, const ImportOptions& options,
                         Imported& imported);
Status importOpenAi(Thread& thread, json::Value root, const ImportOptions& options,
                    Imported& imported);
Status importAiSdk(Thread& thread, json::Value root, const ImportOptions& options,
                   Imported& imported);

}  // namespace strata::history
