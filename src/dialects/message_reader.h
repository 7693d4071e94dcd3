// Base of the readers of chat messages: reports invalid messages as errors with their path, and
// unsupported fields as notes.
#pragma once

#include <string>
#include <string_view>

#include "dialects/function_names.h"
#include "dialects/import.h"
#include "dialects/import_notes.h"
#include "dialects/path.h"
#include "dialects/turn_writer.h"

namespace strata::dialects {

/// The state of one import. `thread` and `options` must outlive it.
struct ImportState {
  ImportState(thread::Thread& target, const ImportOptions& importOptions)
      : thread(target),
        options(importOptions),
        turns(target, importOptions.signaturesFrom, notes) {}

  thread::Thread& thread;
  const ImportOptions& options;
  /// Whether the messages are those of a request, not a history: content that Contents cannot hold
  /// is an error instead of a note, and signatures keep their alphabet, since the API takes both.
  bool isRequest = false;
  /// Gives functions their names in Contents; null keeps the names.
  void rename(FunctionNames& names) { turns.rename(names); }
  ImportNotes notes;
  TurnWriter turns;
  std::string systemText;
  Status status;
};

/// Owns a JSON text and its index. Not movable, because its values point into it.
class JsonText {
 public:
  explicit JsonText(std::string text);
  ~JsonText();
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  /// Returns the root, or an absent Value if the text is not valid JSON. Valid as long as this
  /// object.
  json::Value root() const { return root_; }

 private:
  std::string text_;
  json::Tape tape_;
  json::Value root_;
};

/// Base class of the readers. It has no virtual destructor; create readers on the stack.
class MessageReader {
 public:
  explicit MessageReader(ImportState& state)
      : state_(state), notes_(state.notes), turns_(state.turns) {}

 protected:
  ~MessageReader() = default;

  /// Calls `readEntry` for each entry of the history until one fails. The history is an array, or
  /// an object with an array in the first field of `knownFields`, a list of names that each end
  /// with a space. Notes all other fields of the object.
  void readList(json::Value root, std::string_view knownFields, std::string_view expected);
  /// Calls `readEntry` for each element of `list`, which is at `path`, until one fails.
  void readEntries(json::Value list, const Path& path);
  virtual void readEntry(json::Value entry, const Path& path) = 0;

  /// Sets the error `field.invalid` for the value at `path`. The first error wins.
  void fail(json::Value value, const Path& path, std::string_view expected);
  bool failed() const { return !state_.status; }

  /// Notes the non-empty fields of `object` that are not in `knownFields`, nor strings in
  /// `textFields`. Both are lists as in `readList`.
  void noteUnknownFields(json::Value object, const Path& path, std::string_view knownFields,
                         std::string_view textFields = {});
  /// Notes that `what`, which is content, was left out; an error in a request.
  void omitContent(const Path& path, std::string_view what, std::string_view why);
  /// Does so because only text is supported at this place.
  void noteNonText(const Path& path, std::string_view what);
  /// Does so for a part of a type that Contents do not have.
  void noteUnsupportedPart(json::Value type, const Path& path);

  /// Adds system text: to `ImportState::systemText` before the first turn, later as a user Content.
  /// `text` is a JSON string.
  void addSystemText(json::Value text, const Path& path);

  /// Adds the result of a tool as text of the user, with its media, for a result without an open
  /// call.
  void addResultAsText(json::Value name, json::Value response, std::string_view media,
                       const Path& path);
  /// Adds the text that a tool returned as the result of the open call with this id, or with this
  /// name if `id` is "", otherwise as text of the user. A text that is a JSON object is the
  /// response; any other text is its `output`, or its `error` if the tool failed. `media` are media
  /// Parts, separated by commas.
  void addTextResult(const std::string& id, json::Value name, const std::string& text,
                     std::string_view media, const Path& path, bool failed = false);

  /// Returns the arguments of a call as a JSON object. `given` is an object, or text that a model
  /// wrote and that may not be JSON. What is not an object becomes the value of `key`, which is
  /// noted.
  std::string readArguments(json::Value given, const Path& path,
                            std::string_view key = "arguments");

  /// Returns a signature in standard base64, and notes if that changed it; as it is in a request.
  std::string normalizeSignature(const std::string& signature, const Path& path);

  ImportState& state_;
  ImportNotes& notes_;
  TurnWriter& turns_;
};

/// Returns `{"<key>":json}`.
std::string memberOf(std::string_view key, std::string_view json);

/// Returns the JSON of `value` if it is an object, otherwise `{"<key>":value}`: a
/// functionResponse's `response` must be an object.
std::string asObject(json::Value value, std::string_view key);

// One reader for each format, in the file of its name.
void importGemini(ImportState& state, json::Value root);
void importInteractions(ImportState& state, json::Value root);
void importRawResponse(ImportState& state, json::Value root);
void importOpenAi(ImportState& state, json::Value root);
void importAiSdk(ImportState& state, json::Value root);
void importLangChain(ImportState& state, json::Value root);

/// Reads the messages of a chat completion request. `messages` is an array at `path`.
void importOpenAiMessages(ImportState& state, json::Value messages, const Path& path);

}  // namespace strata::dialects
