// Writes imported messages into a thread as Contents.
//
// In chat APIs each tool result is a message; in Gemini's API all responses of a step are one user
// Content in the order of their calls:
//
//     assistant: calls a, b        model: functionCall a, functionCall b
//     tool: result of b       →    user:  functionResponse a, functionResponse b
//     tool: result of a
//
// What the user says between these messages follows the results as one Content.
//
// Source: "Function calling", https://ai.google.dev/gemini-api/docs/function-calling.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text_index.h"
#include "dialects/function_names.h"
#include "dialects/import_notes.h"
#include "json/writer.h"
#include "thread/thread.h"

namespace strata::dialects {

/// Who made a model turn, and when; "" is unknown.
struct TurnOrigin {
  std::string model;
  std::string backend;
  std::string at;
};

/// Appends a turn with the bytes of `content`, whatever its findings are. Stores the origin of
/// model turns only.
void appendTurn(thread::Thread& thread, std::string_view bytes, json::Value content,
                const TurnOrigin& origin);

/// Returns a text Part. `quoted` is a JSON string with its quotes.
std::string textPart(std::string_view quoted, bool thought = false,
                     std::string_view signature = {});

/// Writes turns into a thread. Open a Content before you add Parts, and call `finish` after the
/// last one. The constructor's arguments must outlive the writer.
class TurnWriter {
 public:
  /// `from` is the origin of turns whose origin is not set.
  TurnWriter(thread::Thread& thread, const lint::Provenance& from, ImportNotes& notes)
      : thread_(thread), defaultOrigin_(from), notes_(notes) {}

  /// Gives functions the names that Gemini takes. `names` must outlive the writer.
  void rename(FunctionNames& names) { names_ = &names; }

  /// Opens a user or model Content for the message at `path`. Writes the open Content and the
  /// waiting results first, but holds a user Content back while calls are open. A model message
  /// directly after another one continues its Content.
  void openUser(const Path& path) { open(false, path); }
  void openModel(const Path& path) { open(true, path); }
  /// Sets the known fields of the open Content's origin.
  void setOrigin(const TurnOrigin& origin);

  /// Adds a Part, as JSON, to the open Content.
  void addPart(std::string_view json);
  /// Adds text, unless it is empty and unsigned. `text` is a JSON string or absent.
  void addText(json::Value text, bool thought = false, std::string_view signature = {});
  /// Adds a call. `id` may be ""; `name` is a JSON string, `args` a JSON object.
  void addCall(const std::string& id, json::Value name, std::string_view args,
               std::string_view signature);
  /// Does the same for a call whose id in the Content, maybe "", is not the one in the history.
  void addCall(const std::string& id, const std::string& contentId, json::Value name,
               std::string_view args, std::string_view signature);
  /// Registers a call that was added with `addPart`.
  void registerCall(const std::string& id, std::string name);

  /// Adds the result of the open call with this id, or with this name if `id` is "". It is written
  /// with the other results of its step. `response` is a JSON object; `parts` are media Parts as
  /// JSON values, separated by commas. Models before Gemini 3 refuse media in a result: they follow
  /// the results of the step as a user Content, which is noted. Leaves out a result that repeats
  /// another one of the step. Returns false if there is no such call.
  bool addResult(std::string_view id, json::Value name, std::string_view response,
                 std::string_view parts, const Path& path);

  /// Returns whether nothing was added yet.
  bool empty() const { return thread_.size() == 0 && !isOpen_ && results_.empty(); }
  /// Writes the open Content and all that wait. Errors: `json.too_deep` if any Content nests
  /// too deep, with the path of its message.
  Status finish();

 private:
  struct Call {
    std::string id;         // in the history
    std::string contentId;  // in the Content
    std::string name;
  };
  struct ToolResult {
    int32_t call;
    std::string json;
  };

  void open(bool model, const Path& path);
  void close();
  void writeResults();
  void writeWaiting();
  void append(bool model, const std::string& parts);
  void addOpenCall(Call call);
  std::string geminiName(const std::string& name) const;
  void addMedia(const std::string& name, std::string_view parts, const Path& path);
  int32_t findCall(std::string_view id, json::Value name) const;

  thread::Thread& thread_;
  const lint::Provenance& defaultOrigin_;
  ImportNotes& notes_;
  Status status_;
  std::string path_;
  std::string parts_;
  FunctionNames* names_ = nullptr;
  TurnOrigin origin_;
  std::vector<Call> calls_;
  TextIndex openIds_;  // The indexes of all calls without a result, by id and by name.
  TextIndex openNames_;
  TextIndex answers_;                // The indexes of the others, by id and result.
  std::vector<ToolResult> results_;  // In the order in which they came.
  int32_t lastResult_ = -1;          // The highest call of them.
  std::string media_;                // The media of results that stand behind them.
  std::string held_;                 // The Parts of user Contents that follow them.
  bool isOpen_ = false;
  bool isModel_ = false;
};

}  // namespace strata::dialects
