// Why this file exists: every name becomes a slot before anything runs. Which variable a name means
// follows the rules of Jinja2's code generator, its quirks included: a scope knows all names that
// are assigned anywhere inside of it, and what an `if` assigns in some branches only starts as what
// the name meant outside.
#pragma once

#include <span>
#include <string_view>

#include "jinja/parser.h"

namespace strata::jinja {

/// What runs with a frame of its own: a unit, a macro, a recursive loop.
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
  Load load = Load::kClear;  ///< What it starts as.
  bool defined = false;
  bool stored = false;
  bool imported = false;
  uint8_t branches = 0;  ///< In how many branches of an `if` it is stored; used while counting.
};

class Resolver {
 public:
  Resolver(Parsed& parsed, const Options& options, Heap& heap, SyntaxFailure& failure);

  void run();
  /// What the template reads from its context and no global is; unsorted.
  std::span<std::string_view> variables() const { return variables_.all(); }
  /// The statements that name other templates which see this one's context.
  std::span<const TemplateStmt*> references() const { return references_.all(); }

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

  // First pass over a scope: which names it has.
  void collect(const Body& body);
  void collectStatement(Stmt* statement);
  void collectIf(IfStmt& statement);
  void collectTarget(const Target& target, bool parameter);
  Branch endBranch(size_t mark);
  void joinBranches(const Branch& body, const Branch& elifs, const Branch& otherwise);

  // Second pass: slots for all names, rows for all filters and tests.
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
  /// Runs on as in a frame of its own: what is unknown inside fails at once, and so on.
  struct ResolveFlags {
    bool soft;
    bool checked;
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
  bool soft_ = false;     // inside of if: unknown filters fail when they are reached
  bool checked_ = false;  // output here is dropped once the template extends another
  bool topLevel_ = false;
  bool rootLevel_ = false;
  bool knownExtends_ = false;
};

}  // namespace strata::jinja
