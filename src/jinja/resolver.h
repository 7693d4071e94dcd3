// Assigns a slot to every name before the template runs. Which variable a name refers to follows
// jinja2/idtracking.py: a scope knows all names that are assigned anywhere inside it, and a name
// that only some branches of an `if` assign starts with its outer value.
#pragma once

#include <span>
#include <string_view>

#include "jinja/parser.h"

namespace strata::jinja {

/// A body with its own frame: a unit, a macro or a recursive loop.
struct ScopeFunction {
  ScopeFunction* outer = nullptr;
  FunctionInfo* info = nullptr;
  uint8_t depth = 0;
};

struct Binding;

struct Scope {
  explicit Scope(Heap& heap) : bindings(heap) {}
  Scope* outer = nullptr;
  ScopeFunction* function = nullptr;
  HeapVector<Binding*> bindings;
  const Stores* stores = nullptr;
  bool isRoot = false;
};

/// One name in one scope.
struct Binding {
  enum class Load : uint8_t { kContext, kClear, kCopy, kParameter };
  Name* name;
  Scope* scope;
  Binding* outer;
  uint32_t slot = 0;
  Load load = Load::kClear;  ///< The initial value of the slot.
  bool defined = false;
  bool stored = false;
  bool imported = false;
  uint8_t branches =
      0;  ///< The number of `if` branches that store the name; used in joinBranches().
};

/// Resolves one parsed template. Errors, such as unknown filters, are reported to `failure`. Takes
/// time linear in the size of the tree.
class Resolver {
 public:
  Resolver(Parsed& parsed, const Options& options, Heap& heap, SyntaxFailure& failure);

  void run();
  /// The names that the template reads from its context, including globals. Unsorted, with
  /// duplicates.
  std::span<std::string_view> variables() const { return variables_.span(); }
  /// The include, import and extends statements whose templates see this template's context.
  std::span<const TemplateStmt*> references() const { return references_.span(); }

 private:
  struct Change {
    Binding* binding;
    bool defines;  // else: stores
    Binding::Load load;
  };
  using Branch = std::span<Change>;

  // Scopes.
  void open(Scope& scope);
  void close();
  ScopeInfo finish(Scope& scope);
  void openFunction(ScopeFunction& function, FunctionInfo& info);
  void closeFunction();
  const Stores* storesOf(Scope& scope);
  Binding* find(const Name* name) const;
  Binding* define(Name* name, Binding::Load load);
  void store(Name* name);
  void declare(Name* name);
  void declare(std::string_view name, uint32_t& slot);
  void load(Name* name);
  Ref refTo(const Binding* binding, Name* name);
  Ref contextRef(Name* name);
  Ref ref(Name* name) { return refTo(find(name), name); }
  void exportNames(Scope& scope);

  // First pass over a scope: collects its names.
  void collect(const Body& body);
  void collectStatement(Stmt* statement);
  void collectIf(IfStmt& statement);
  void collectTarget(const Target& target, bool parameter);
  Branch endBranch(size_t mark);
  void joinBranches(const Branch& body, const Branch& elifs, const Branch& otherwise);

  // Second pass: assigns slots to names and rows to filters and tests.
  void resolve(const Body& body);
  void resolveStatement(Stmt* statement);
  void resolveIf(IfStmt& statement);
  void resolveFor(ForNode& loop);
  void resolveLoopTest(ForNode& loop);
  void resolveLoopBody(ForNode& loop);
  void resolveInner(const Body& body);
  void resolveMacro(MacroNode& macro);
  void resolveCapture(CaptureStmt& capture);
  void resolveWith(WithStmt& with);
  void resolveScope(ScopeStmt& statement);
  void resolveTemplate(TemplateStmt& statement);
  void resolveBlock(BlockStmt& block);
  void resolveTarget(Target& target);
  Target copyOf(const Target& target);
  void resolveUnit(Unit& unit, bool isRoot);
  /// The state of the code generator at this point, as in jinja2.compiler.Frame and CodeGenerator.
  struct ResolveFlags {
    bool softFrame;
    bool requireOutputCheck;
    bool topLevel;
    bool rootLevel;
  };
  ResolveFlags enterInner();
  void leaveInner(const ResolveFlags& flags);
  void anchor(uint32_t offset) { lastAnchor_ = offset; }

  // Both passes.
  enum class Pass : uint8_t { kCollect, kResolve };
  void walk(Expr* expr, Pass pass);
  void walkStep(Step* step, Pass pass);
  void walkArguments(const CallArguments& arguments, Pass pass);
  void lookUp(BuiltinStep& step);

  Parsed& parsed_;
  const Options& options_;
  Heap& heap_;
  SyntaxFailure& failure_;
  Scope* scope_ = nullptr;
  ScopeFunction* function_ = nullptr;
  HeapVector<Change> log_;
  HeapVector<std::string_view> variables_;
  HeapVector<const TemplateStmt*> references_;
  HeapVector<std::string_view> contextNames_;  // of the current unit
  uint32_t unit_ = 0;
  uint32_t lastAnchor_ = 0;
  bool softFrame_ = false;           // inside `if`: an unknown filter fails only when it runs
  bool requireOutputCheck_ = false;  // output is dropped once the template extends another
  bool topLevel_ = false;
  bool rootLevel_ = false;
  bool hasKnownExtends_ = false;
};

}  // namespace strata::jinja
