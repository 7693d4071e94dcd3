// Converts Contents into steps.
//
//     {"role":"model","parts":[{"text":"Let me look."},
//                              {"functionCall":{…},"thoughtSignature":"S"}]}
//     → {"type":"thought","signature":"S"}, {"type":"model_output",…}, {"type":"function_call",…}
//
// A signature becomes a thought directly before its item. Since a turn with a thought must open
// with one, the first signature of a turn opens it, too, where something stands before its item;
// that of the first call stands there only, as in the answers of the API.
//
// Source for the signatures: Prism-Shadow/model-message-stream-protocol, measured in September
// 2026; https://ai.google.dev/gemini-api/docs/thinking.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "gemini/content_view.h"
#include "interactions/convert.h"

namespace strata::interactions {

/// Converts the Contents of one history, in order.
class ContentsToSteps {
 public:
  /// The findings go to `findings`, with places below `/contents`. `resolution` is that of the
  /// request's media, or "".
  ContentsToSteps(const ConvertOptions& options, catalogue::Findings& findings,
                  std::string resolution = {})
      : options_(options), losses_(findings, kToInteractions), resolution_(std::move(resolution)) {}

  /// Returns the steps of a list of Contents, or of a single one, as JSON values separated by
  /// commas.
  std::string convert(json::Value contents);

  // For a history that grows. What a Content becomes depends on those before it, and of those
  // behind it only on the model's Contents that follow directly, which are of the same turn.

  /// Starts behind `contents` Contents of which no call is open. `calls` is what `calls()` was
  /// there.
  void resume(size_t contents, size_t calls);
  void add(json::Value content);
  /// Adds a Content whose steps are known: an array, which is copied.
  void addSteps(json::Value content, std::string_view steps);
  /// Ends the model's turn, and returns the steps since the last call.
  std::string take();
  /// Returns the number in the last invented id.
  size_t calls() const { return calls_; }

 private:
  enum class Kind : uint8_t { kSummary, kOutput, kCall, kNothing };
  // What one Part becomes.
  struct Item {
    Kind kind;
    std::string json;
    std::string signature;  // as the Part has it, without quotes
    std::string path;
  };
  struct Step {
    Kind kind;
    std::string json;  // the elements of a list, or a whole call
    std::string signature;
  };
  struct Call {
    std::string id;
    std::string name;
    bool isInvented = false;  // The functionCall had no id.
  };

  void reserveIds();
  void addUser();
  void addModel();
  void finishTurn();
  void readPart(const gemini::PartView& part, const std::string& path, std::vector<Item>& items);
  void readThought(const gemini::PartView& part, Item& item, std::vector<Item>& items);
  void reportFields(const gemini::PartView& part, const std::string& path);
  Item callOf(const gemini::PartView& part, const std::string& path);
  std::string resultOf(const gemini::PartView& part, const std::string& path);
  std::list<Step> layOut(const std::vector<Item>& items);
  void sign(std::list<Step>& steps, const Item& item, bool isFirst);
  void open(std::list<Step>& steps);
  void reportRepeats(const std::list<Step>& steps);
  std::string text(const std::list<Step>& steps) const;
  std::string partPath(size_t part) const;
  std::string turnPath() const;

  const ConvertOptions& options_;
  Losses losses_;
  std::string resolution_;
  gemini::ContentView view_;
  std::string steps_;
  std::vector<Item> items_;  // of the model's turn so far
  size_t index_ = 0;         // of the next Content
  size_t turn_ = 0;          // of the first Content of the turn
  bool wasModel_ = false;
  std::vector<Call> open_;  // the calls without a result
  size_t calls_ = 0;        // the number in the last invented id
};

/// Converts all Contents of a list, or a single one.
Converted stepsOf(json::Value contents, const ConvertOptions& options = {},
                  std::string resolution = {});

}  // namespace strata::interactions
