// Evaluates the syntax tree. Expressions return values; statements append to one output string.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jinja/frame.h"
#include "jinja/loop.h"
#include "jinja/output.h"
#include "jinja/runtime.h"
#include "jinja/units.h"

namespace strata::jinja {

/// How a statement ended.
enum class Flow : uint8_t { kNext, kBreak, kContinue, kFailed };

class Interpreter : public Runtime {
 public:
  /// `loader` and `host` must outlive the interpreter. Use one interpreter per render.
  Interpreter(Loader& loader, Host* host);

  /// Renders the main template. The result is the text, or the first error.
  Expected<std::string> render(Dict& context);

  /// Calls any callable value. `direct`: a macro may leave its text in the output instead of
  /// returning it.
  Value callValue(Value callee, const Arguments& arguments, bool direct);
  /// Applies the host filter `hostIndex` if it is not negative, else `builtin`. Fails if `builtin`
  /// is null.
  Value callFilter(const Builtin* builtin, int32_t hostIndex, std::string_view name, Value value,
                   const Arguments& arguments);
  /// Renders a block for `self.name()` or `super()`.
  Value callBlock(const BlockReference& reference, bool direct);
  /// Sets the source position of `error`.
  void locate(TemplateError& error) const;
  /// Returns `self.name` or `super.super`, or an absent value if there is no such block.
  Value blockReference(Context& context, std::string_view name, size_t depth);
  /// Returns a name that a module exports, or an absent value.
  static Value exported(const Activation& root, std::string_view name, bool publicOnly);

 private:
  friend struct Loop;

  // In WebAssembly, evaluate() and its callees use well under 200 bytes of native stack per level.
  static constexpr uint32_t kMaxNesting = 2000;

  // The state that a call replaces and restores.
  struct CallState {
    Frame* frame;
    Activation* activation;
    uint32_t anchor;
    uint32_t step;
    bool autoescape;
  };
  CallState saveState() const { return {frame_, activation_, anchor_, step_, autoescape}; }
  void restoreState(const CallState& state);
  bool enterCall();

  void locateError() override;

  // Statements (interpreter_statements.cpp).
  Flow run(const Body& body);
  Flow runStatement(const Stmt& statement);
  Flow runPrint(const PrintStmt& statement);
  Flow runConstantPrint(const PrintStmt& statement);
  Flow runIf(const IfStmt& statement);
  Flow runSet(const SetStmt& statement);
  Flow runCapture(const CaptureStmt& statement);
  Flow runWith(const WithStmt& statement);
  Flow runScope(const ScopeStmt& statement);
  Flow runCallBlock(const MacroNode& node);
  Flow runFor(const ForNode& node);
  Flow runLoop(Loop& loop);
  Flow runIteration(const ForNode& node, Loop& loop, Value item);
  Value runRecursive(const ForNode& node, Frame* outer, Value items, int64_t depth, bool direct);
  void defineMacro(const MacroNode& node);
  void enterScope(const ScopeInfo& scope);
  bool assign(const Target& target, Value value);
  bool checkTarget(const Target& target);
  bool unpack(const Target& target, Value value);

  // Output.
  bool write(std::string_view text);
  bool print(Value value);
  bool writeResult(Value value);
  bool checkJoined(size_t mark);
  Value capture(size_t mark, bool direct);

  // Expressions (interpreter_expressions.cpp).
  Value evaluate(const Expr* expr);
  Value evaluateHead(const Expr* expr);
  Value evaluateItems(const ItemsExpr& expr);
  Value evaluateDict(const ItemsExpr& expr);
  Value evaluateUnary(const UnaryExpr& expr);
  Value evaluateConditional(const ConditionalExpr& expr);
  Value applySteps(Value value, const Step* step, const Step* end, bool direct);
  Value applyStep(Value value, const Step& step, bool direct);
  Value evaluateComparison(Value value, const CompareStep& step);
  Value evaluateLogic(Value value, const OperatorStep& step);
  Value evaluateSlice(Value value, const SliceStep& step);
  Value evaluateBuiltin(Value value, const BuiltinStep& step);
  Value callStep(Value callee, const CallStep& step, Value caller, bool direct);
  bool collect(const CallArguments& from, Value caller, Arguments& to);
  bool collectRest(const CallArguments& from, List& positional, Dict& named);
  Value read(const Ref& ref, std::string_view name);
  Value readContext(uint32_t index);
  Value& slot(const Ref& ref);

  // Calls (interpreter_calls.cpp).
  Frame* newFrame(const FunctionInfo& function, Frame* outer);
  Value callObject(Object& object, const Arguments& arguments, bool direct);
  bool expectNoArguments(const Object& object, const Arguments& arguments);
  Value callMacro(const Macro& macro, const Arguments& arguments, bool direct);
  bool bindMacro(const MacroNode& node, const Arguments& arguments, Frame& frame);
  bool bindNamed(const MacroNode& node, const Arguments& arguments, Frame& frame);
  bool setDefaults(const MacroNode& node);
  Value callHost(HostKind kind, size_t index, const Value* value, const Arguments& arguments);

  // Templates (interpreter_templates.cpp).
  Value resolve(const Context* context, std::string_view name);
  bool runRoot(const Compiled& compiled, Context& context);
  Activation* activate(const Compiled& compiled, const Unit& unit, Context& context);
  std::string_view nameOfContext(const Context& context) const;
  bool runUnit(Activation& activation, size_t depth);
  bool runBlock(const BlockLink& link, Context& context, size_t depth);
  Flow runBlockStatement(const BlockStmt& statement);
  Flow runTemplateStatement(const TemplateStmt& statement);
  bool extend(const Compiled& parent);
  bool include(const TemplateStmt& statement, const Compiled& compiled);
  bool import(const TemplateStmt& statement, const Compiled& compiled);
  Module* moduleOf(const Compiled& compiled, Context* surrounding, Dict* locals);
  const Compiled* load(Value name, bool mustExist);
  bool isTemplateName(Value name);
  const Compiled* select(Value names, bool mustExist);
  Dict* visibleLocals(const Stores* stores);
  void flatten(const Context* context, Dict& into);
  void addBlocks(const Compiled& compiled, Context& context);
  const BlockLink* blockAt(const Context& context, std::string_view name, size_t depth) const;

  Loader& loader_;
  Host* host_;
  std::vector<std::unique_ptr<HostReply>> hostReplies_;
  Output out_;
  ValueStack stack_;
  Dict* renderContext_ = nullptr;
  Frame* frame_ = nullptr;
  Activation* activation_ = nullptr;
  uint32_t anchor_ = 0;   // offset of the statement that errors refer to
  uint32_t step_ = 0;     // offset of the current step, for the column
  uint32_t nesting_ = 0;  // depth of evaluate() and run(), which use the native stack
  uint32_t callDepth_ = 0;
  uint32_t includeDepth_ = 0;
  size_t unjoinable_ = 0;  // size of the output after the last filter block that returned no string
  CallState unjoinableAt_ = {};  // the position of that filter block
  bool folding_ = false;         // a constant is evaluated as Jinja2 does while compiling
  std::vector<std::pair<const Compiled*, Module*>> modules_;  // imported without context
};

}  // namespace strata::jinja
