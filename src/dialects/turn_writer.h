// Why this file exists: chat messages and Contents are cut differently: results come one a message,
// and must become one Content in the order of their calls. All importers write through here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

/// Adds a turn as it stands; findings are kept, nothing is refused. Only of model turns the origin
/// is kept.
void appendTurn(thread::Thread& thread, std::string_view bytes, json::Value content,
                const TurnOrigin& origin);

/// A Part that is text.
std::string textPart(std::string_view quoted, bool thought = false,
                     std::string_view signature = {});

/// Writes turns into a thread. Call `finish` behind the last one.
class TurnWriter {
 public:
  /// `from` made the signatures that nothing else is known of.
  TurnWriter(thread::Thread& thread, const lint::Provenance& from, Notes& notes)
      : thread_(thread), from_(from), notes_(notes) {}

  /// Opens a user or model Content for a message at `path`. Results that wait are written first; a
  /// model message behind a model message continues its Content.
  void openUser(const Path& path) { open(false, path); }
  void openModel(const Path& path) { open(true, path); }
  void origin(const TurnOrigin& origin);

  /// Adds a Part to the open Content.
  void part(std::string_view json);
  /// Adds text, unless it is empty and unsigned.
  void text(json::Value text, bool thought = false, std::string_view signature = {});
  /// Adds a call. `id` is text, "" for none; `name` is a JSON string, `args` a JSON object.
  void call(std::string id, json::Value name, std::string_view args, std::string_view signature);
  /// Remembers the calls of a Part that was added as it stands.
  void knowCall(std::string id, std::string name);

  /// Whether a call waits for this result: by id where there is one, else by name.
  bool awaits(std::string_view id, json::Value name) const { return callOf(id, name) >= 0; }
  /// Keeps a result until its step is whole. `response` is a JSON object, `parts` the media beside
  /// it as JSON values with commas between. Only where `awaits`.
  void result(std::string_view id, json::Value name, std::string_view response,
              std::string_view parts, const Path& path);

  /// Whether nothing was written yet.
  bool empty() const { return thread_.size() == 0 && !opened_ && results_.empty(); }
  /// Closes what is open. Errors: a Content that nests too deep.
  Status finish();

 private:
  struct Call {
    std::string id;
    std::string name;
    bool answered = false;
  };
  struct ToolResult {
    int32_t call;
    std::string json;
  };

  void open(bool model, const Path& path);
  void close();
  void writeResults();
  void append(bool model, const std::string& parts);
  int32_t callOf(std::string_view id, json::Value name) const;

  thread::Thread& thread_;
  const lint::Provenance& from_;
  Notes& notes_;
  Status status_;
  std::string path_;
  std::string parts_;
  TurnOrigin origin_;
  std::vector<Call> calls_;
  std::vector<ToolResult> results_;
  bool opened_ = false;
  bool model_ = false;
};

}  // namespace strata::dialects
