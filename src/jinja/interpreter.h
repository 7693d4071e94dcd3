// Why this file exists: runs the tree. Expressions return values, statements append to one string.
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
  Interpreter(Loader& loader, Host* host);

  /// Runs the main template in the given context.
  Expected<std::string> render(Dict& context);

  Value callValue(Value callee, const Arguments& arguments, bool direct);
  Value callFilter(const Builtin* builtin, int32_t hosted, std::string_view name, Value value,
                   const Arguments& arguments);
  /// Renders `self.name()`, `super()`.
  Value callBlock(const BlockReference& reference, bool direct);
  void place(TemplateError& error) const;
  /// `self.name` or `super.super`; absent if there is none.
  Value blockReference(Context& context, std::string_view name, size_t depth);
  /// A name that a module exports; absent if it does not.
  static Value exported(const Activation& root, std::string_view name, bool publicOnly);

 private:
  friend struct Loop;

  // What a call changes and gives back.
  struct Place {
    Frame* frame;
    Activation* activation;
    uint32_t anchor;
    uint32_t step;
    bool autoescape;
  };
  Place leave() const { return {frame_, activation_, anchor_, step_, autoescape}; }
  void comeBack(const Place& place);
  bool enterCall();

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
  bool printPongo(Value value);
  Value capture(size_t mark, bool direct);

  // Expressions (interpreter_expressions.cpp).
  Value evaluate(const Expr* expr);
  Value head(const Expr* expr);
  Value items(const ItemsExpr& expr);
  Value dictOf(const ItemsExpr& expr);
  Value unary(const UnaryExpr& expr);
  Value conditional(const ConditionalExpr& expr);
  Value steps(Value value, const Step* step, const Step* end, bool direct);
  Value apply(Value value, const Step& step, bool direct);
  Value compare(Value value, const CompareStep& step);
  Value logic(Value value, const OperatorStep& step);
  Value sliceOf(Value value, const SliceStep& step);
  Value filterOrTest(Value value, const BuiltinStep& step);
  Value callStep(Value callee, const CallStep& step, Value caller, bool direct);
  bool collect(const CallArguments& from, Value caller, Arguments& to);
  bool collectRest(const CallArguments& from, List& positional, Dict& named);
  Value read(const Ref& ref, std::string_view name);
  Value readContext(uint32_t index);
  Value& slot(const Ref& ref);

  // Calls (interpreter_calls.cpp).
  Frame* newFrame(const FunctionInfo& function, Frame* outer);
  Value callObject(Object& object, const Arguments& arguments, bool direct);
  bool takesNothing(const Object& object, const Arguments& arguments);
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
  Module* moduleOf(const Compiled& compiled, Context* around, Dict* locals);
  const Compiled* load(Value name, bool mustExist);
  bool isTemplateName(Value name);
  const Compiled* select(Value names, bool mustExist);
  Dict* visibleLocals(const Stores* stores);
  void flatten(const Context* context, Dict& into);
  void addBlocks(const Compiled& compiled, Context& context);
  const BlockLink* blockAt(const Context& context, std::string_view name, size_t depth) const;

  Loader& loader_;
  Host* host_;
  std::vector<std::unique_ptr<Answered>> answers_;
  Output out_;
  ValueStack stack_;
  Dict* base_ = nullptr;  // the render's context
  Frame* frame_ = nullptr;
  Activation* activation_ = nullptr;
  uint32_t anchor_ = 0;   // the statement that errors are told of
  uint32_t step_ = 0;     // the part of an expression, for the column
  uint32_t nesting_ = 0;  // of evaluate() and run(), which use the machine's stack
  uint32_t callDepth_ = 0;
  uint32_t includeDepth_ = 0;
  bool folding_ = false;  // a constant is worked out as while compiling
  std::vector<std::pair<const Compiled*, Module*>> modules_;  // imported without context
};

}  // namespace strata::jinja
