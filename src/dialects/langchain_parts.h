// Collects the Parts of one LangChain message, and finds the Part of each signature.
//
// LangChain stores a call twice: as a block of `content` where the model made it, and in
// `tool_calls` with the id that results refer to. It stores signatures in a block, in an entry of
// `tool_calls`, or in maps and lists of the whole message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_index.h"
#include "dialects/turn_writer.h"

namespace strata::dialects {

/// A call of a message. `name` is a JSON string and `args` a JSON object; "" is unknown for others.
struct LangChainCall {
  std::string id;
  json::Value name;
  std::string args;
  std::string signature;
  bool isPlaced = false;  ///< Whether it is among the Parts.
};

/// The Parts of one message. The values of its calls must outlive it.
class LangChainParts {
 public:
  /// Removes all Parts and calls.
  void clear();

  /// Adds a text Part. `quoted` is a JSON string with its quotes. An empty text without a signature
  /// is not written.
  void addText(std::string_view quoted, bool thought, std::string signature);
  /// Adds another Part, as a JSON object without a signature.
  void addPart(std::string json, std::string signature);

  /// Registers a call of `tool_calls`, which is moved. A call without an id is ignored if it
  /// repeats one with an id.
  void addCall(LangChainCall& call);
  /// Puts the call that a block of the content repeats at the end of the Parts, with the block's
  /// signature. Registers the block if no call matches it by id, or by name if it has no id.
  void placeCall(LangChainCall& block);
  /// Puts the calls that no block repeats at the end of the Parts.
  void placeOtherCalls();
  bool hasCalls() const { return !calls_.empty(); }

  // Each of these keeps the signature that a Part already has, and returns false if no Part can
  // take the given one. "" is none.

  /// Signs the call with this id.
  bool signCall(std::string_view id, const std::string& signature);
  /// Signs the call at `index` of `tool_calls`.
  bool signCall(size_t index, const std::string& signature);
  /// Signs the last text, or adds an empty one if the message has none.
  void signText(const std::string& signature);
  /// Signs the Parts in order with a list of strings, of which "" stands for an unsigned Part. If
  /// the numbers differ, only the Parts of calls and of a single text are known.
  bool signAll(json::Value signatures);

  /// Writes all Parts. A Content must be open.
  void write(TurnWriter& turns) const;

 private:
  struct Part {
    std::string json;       // "" for a call
    std::string signature;  // a call has its own
    int32_t call = -1;
    bool isText = false;  // and no thought
    bool isEmpty = false;
  };

  void addNew(LangChainCall call);
  // Returns the index of the call that a block repeats, or -1.
  int32_t findCall(const LangChainCall& block) const;
  void place(size_t call);
  std::string& signatureOf(Part& part);
  bool hasSignature(const std::string& signature);

  std::vector<Part> parts_;
  std::vector<LangChainCall> calls_;
  TextIndex ids_;           // The indexes of all calls, by id;
  TextIndex identified_;    // of those with an id, by name and arguments;
  TextIndex waitingNames_;  // of those that are not placed, by name;
  TextIndex waiting_;       // and by name and arguments.
};

}  // namespace strata::dialects
