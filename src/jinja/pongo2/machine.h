// Renders a pongo2 template.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/frame.h"
#include "jinja/heap_vector.h"
#include "jinja/ops.h"
#include "jinja/output.h"
#include "jinja/pongo2/library.h"
#include "jinja/pongo2/values.h"
#include "jinja/runtime.h"

namespace strata::jinja::pongo2 {

/// The names that tags see, an ExecutionContext of pongo2. A loop, `with` and a macro run in a
/// copy.
struct Scope {
  const Document* document;  ///< The outermost template that is extended.
  Dict* context;
  Dict* names;  ///< What tags have set; it hides the context.
  bool autoescape = true;
};

class Machine : public Runtime {
 public:
  /// `library` and `host` must outlive the machine. Use one machine per render.
  Machine(Library& library, Host* host);

  /// Renders the main template. The result is the text, or the first error.
  Expected<std::string> render(Dict& context);

 private:
  // In WebAssembly, evaluate() and run() use well under 150 bytes of native stack per level. Tags
  // with many variables are not inlined, so run() does not have room for those of all tags.
  static constexpr uint32_t kMaxNesting = 1000;

  /// The state of cycle and ifchanged during a render.
  struct State {
    size_t index = 0;
    Value last;
  };

  void locateError() override;
  bool enter();
  bool write(std::string_view text);
  bool print(Value value);
  State& stateOf(const Node& tag);
  Scope* childOf(const Scope& scope);
  bool runDocument(const Document& document, Dict& context);
  bool allowed(const Document& document, Dict& context);
  /// Runs a body and returns what it printed. Fails after an error.
  Value capture(const Node* body);

  // Expressions (machine_expressions.cpp).
  Value evaluate(const Node* expression);
  Value evaluateNode(const Node& node);
  Value variable(const Node& node);
  Value toData(Value value);
  Value part(Value value, const Node& node);
  Value filtered(Value value, const Node* filters);
  Value sign(const Node& node);
  Value arithmetic(const Node& node);
  Value operate(char op, Value left, Value right);
  Value relation(const Node& node);
  Value logic(const Node* node);
  Value call(Value function, const Node* arguments);
  Value callMacro(const MacroValue& macro, std::span<const Value> arguments);
  Value callSuper(const BlockInfo& block);

  // Tags (machine.cpp, loop.cpp).
  bool run(const Node* body);
  bool runNode(const Node& node);
  bool runTag(const Node& node);
  bool runPrint(const Node& node);
  bool runIf(const Node& node);
  bool runFor(const Node& node);
  List* itemsOf(Value value);
  bool runItems(const Node& node, Value value, LoopInfo& info);
  bool runWith(const Node& node);
  bool set(const Node& node, Value value);
  bool runBlock(const Node& node);
  bool runLevel(std::string_view name, size_t level);
  bool runInclude(const Node& node);
  bool runFilterTag(const Node& node);
  bool runSpaceless(const Node& node);
  bool runCycle(const Node& node);
  bool runFirstof(const Node& node);
  bool runIfchanged(const Node& node);
  bool runIfequal(const Node& node);
  bool runNow(const Node& node);
  bool runWidthratio(const Node& node);

  Library& library_;
  Host* host_;
  std::vector<std::unique_ptr<HostReply>> hostReplies_;
  Output out_;
  Scope* scope_ = nullptr;
  const Document* document_ = nullptr;  // whose nodes run, for the positions of errors
  uint32_t offset_ = 0;
  uint32_t nesting_ = 0;
  uint32_t callDepth_ = 0;
  uint32_t includeDepth_ = 0;
  uint32_t slots_;
  HeapVector<State> states_;
};

}  // namespace strata::jinja::pongo2
