// Runs templates: contexts, blocks, include, import and extends.
#include <algorithm>

#include "jinja/interpreter.h"
#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {

Value Interpreter::exported(const Activation& root, std::string_view name, bool publicOnly) {
  const auto exports = root.unit->exports;
  const auto found = std::lower_bound(
      exports.begin(), exports.end(), name,
      [](const Unit::Export& item, std::string_view wanted) { return item.name < wanted; });
  if (found == exports.end() || found->name != name) return Value::absent();
  if (publicOnly && !found->isPublic) return Value::absent();
  return root.frame->slots[found->slot];
}

// Returns the value of a name outside of all scopes, or an absent value.
Value Interpreter::resolve(const Context* context, std::string_view name) {
  for (; context != nullptr; context = context->outer) {
    for (const RootLink* root = context->roots; root != nullptr; root = root->older) {
      const Value value = exported(*root->activation, name, false);
      if (!value.isAbsent()) return value;
    }
    if (context->locals != nullptr) {
      if (const Value* value = context->locals->find(name)) return *value;
    }
    if (context->isolated) break;
  }
  if (context == nullptr) {
    if (const Value* value = renderContext_->find(name)) return *value;
  }
  for (size_t i = 0; i < options.functions.size(); ++i) {
    if (options.functions[i] == name) return Value(*heap.make<HostFunction>(i));
  }
  const Builtin* global = findGlobal(name);
  return global == nullptr ? Value::absent()
                           : Value(*heap.make<Function>(*global, Value::absent()));
}

Activation* Interpreter::activate(const Compiled& compiled, const Unit& unit, Context& context) {
  auto* activation = heap.make<Activation>(&compiled, &unit, &context);
  activation->fromContext = heap.array<Value>(unit.contextNames.size());
  std::fill(activation->fromContext, activation->fromContext + unit.contextNames.size(),
            Value::absent());
  FunctionInfo function = unit.function;
  function.captured = true;
  activation->frame = newFrame(function, nullptr);
  return activation;
}

// Returns the name of the template that the context was created for, the most derived one.
std::string_view Interpreter::nameOfContext(const Context& context) const {
  const RootLink* root = context.roots;
  if (root == nullptr) return {};
  while (root->older != nullptr) root = root->older;
  return root->activation->compiled->source().name();
}

bool Interpreter::runUnit(Activation& activation, size_t depth) {
  const Unit& unit = *activation.unit;
  activation_ = &activation;
  frame_ = activation.frame;
  if ((unit.uses & kUsesSelf) != 0) {
    frame_->slots[unit.selfSlot] =
        Value(*heap.make<SelfReference>(activation.context, nameOfContext(*activation.context)));
  }
  if ((unit.uses & kUsesSuper) != 0 && !unit.name.empty()) {
    Value super = blockReference(*activation.context, unit.name, depth + 1);
    if (super.isAbsent()) {
      Text hint(*this);
      hint.append("there is no parent block called '").append(unit.name).append("'.");
      super = undefinedFor(hint.take().text());
    }
    frame_->slots[unit.superSlot] = super;
  }
  enterScope(unit.scope);
  return run(unit.body) != Flow::kFailed;
}

// Runs a template and then the templates that it extends, in one context.
bool Interpreter::runRoot(const Compiled& compiled, Context& context) {
  const CallState caller = saveState();
  const Compiled* current = &compiled;
  bool ok = true;
  for (uint32_t depth = 0; ok && current != nullptr; ++depth) {
    if (current->error()) {
      error_ = current->error();
      return false;
    }
    if (includeDepth_ + depth > budget.limits().includeDepth) {
      limitFailure(Limit::kIncludeDepth);
      return false;
    }
    Activation* root = activate(*current, current->root(), context);
    context.roots = heap.make<RootLink>(root, context.roots);
    autoescape = options.autoescape;
    ok = runUnit(*root, 0);
    current = root->parent;
  }
  if (ok) restoreState(caller);
  return ok;
}

void Interpreter::addBlocks(const Compiled& compiled, Context& context) {
  for (const BlockStmt* block : compiled.blocks()) {
    BlockLink* link = heap.make<BlockLink>(block, &compiled);
    BlockChain* chain = context.blocks;
    while (chain != nullptr && chain->name != block->name) chain = chain->next;
    if (chain == nullptr) {
      context.blocks = heap.make<BlockChain>(block->name, link, context.blocks);
      continue;
    }
    BlockLink* last = chain->first;
    while (last->next != nullptr) last = last->next;
    last->next = link;
  }
}

const BlockLink* Interpreter::blockAt(const Context& context, std::string_view name,
                                      size_t depth) const {
  for (const BlockChain* chain = context.blocks; chain != nullptr; chain = chain->next) {
    if (chain->name != name) continue;
    const BlockLink* link = chain->first;
    for (; link != nullptr && depth > 0; --depth) link = link->next;
    return link;
  }
  return nullptr;
}

Value Interpreter::blockReference(Context& context, std::string_view name, size_t depth) {
  const BlockLink* link = blockAt(context, name, depth);
  if (link == nullptr) return Value::absent();
  return Value(*heap.make<BlockReference>(&context, link->block->name, depth));
}

bool Interpreter::runBlock(const BlockLink& link, Context& context, size_t depth) {
  if (!enterCall()) return false;
  const CallState caller = saveState();
  Activation* activation = activate(*link.compiled, *link.block->unit, context);
  const bool ok = runUnit(*activation, depth);
  if (ok) restoreState(caller);
  --callDepth_;
  return ok;
}

Value Interpreter::callBlock(const BlockReference& reference, bool direct) {
  const size_t mark = out_.size();
  const BlockLink* link = blockAt(*reference.context, reference.name, reference.depth);
  if (link == nullptr || !runBlock(*link, *reference.context, reference.depth)) {
    return Value::failure();
  }
  return capture(mark, direct);
}

Flow Interpreter::runBlockStatement(const BlockStmt& statement) {
  Context* context = activation_->context;
  const BlockLink* link = blockAt(*context, statement.name, 0);
  if (statement.required && link->next == nullptr) {
    fail("Required block '{}' not found", statement.name);
    return Flow::kFailed;
  }
  if (statement.scoped) {
    Context* derived = heap.make<Context>(context, visibleLocals(statement.stores));
    derived->blocks = context->blocks;
    context = derived;
  }
  return runBlock(*link, *context, 0) ? Flow::kNext : Flow::kFailed;
}

// Returns the names that the enclosing scopes have assigned, or null if there are none.
Dict* Interpreter::visibleLocals(const Stores* stores) {
  Dict* locals = nullptr;
  const Frame* frame = frame_;
  for (; stores != nullptr && frame != nullptr; stores = stores->outer) {
    for (const Stores::Item& item : stores->items) {
      const Value value = frame->slots[item.slot];
      if (value.isAbsent()) continue;
      if (locals == nullptr) locals = makeDict();
      if (locals->find(item.name) == nullptr) locals->set(string(item.name), value);
    }
    if (stores->crossesFunction) frame = frame->outer;
  }
  return locals;
}

// Copies everything visible in a context except the render's own variables.
void Interpreter::flatten(const Context* context, Dict& into) {
  for (; context != nullptr; context = context->outer) {
    for (const RootLink* root = context->roots; root != nullptr; root = root->older) {
      for (const Unit::Export& item : root->activation->unit->exports) {
        const Value value = root->activation->frame->slots[item.slot];
        if (value.isAbsent() || into.find(item.name) != nullptr) continue;
        into.set(string(item.name), value);
      }
    }
    if (context->locals == nullptr) continue;
    for (const Dict::Entry& entry : context->locals->entries()) {
      if (into.find(entry.key) == nullptr) into.set(entry.key, entry.value);
    }
  }
}

const Compiled* Interpreter::load(Value name, bool mustExist) {
  if (name.isUndefined()) {
    undefinedFailure(name);
    return nullptr;
  }
  if (!name.isString()) return select(name, mustExist);
  const Compiled* compiled = loader_.find(name.text());
  if (compiled == nullptr && mustExist) fail(ErrorKind::kNotFound, "{}", name.text());
  if (compiled != nullptr && compiled->error()) {
    error_ = compiled->error();
    return nullptr;
  }
  return compiled;
}

// extends and import take one name. Any other value is a name that does not exist, or a failure.
bool Interpreter::isTemplateName(Value name) {
  if (name.isString() || name.isUndefined()) return true;
  if (!checkKey(*this, name)) return false;
  const Value text = toText(*this, name);
  if (!text.failed()) fail(ErrorKind::kNotFound, "{}", text.text());
  return false;
}

// Returns the first of acceptsList templates that exists.
const Compiled* Interpreter::select(Value names, bool mustExist) {
  const Tristate notEmpty = truth(*this, names);
  if (notEmpty == Tristate::kNo && mustExist) {
    fail(ErrorKind::kNotFound, "Tried to select from an empty list of templates.");
  }
  if (notEmpty != Tristate::kYes) return nullptr;
  Iteration each(*this, names);
  for (Value name; each.next(name);) {
    const Compiled* compiled = name.isString() ? load(name, false) : nullptr;
    if (compiled != nullptr || error_) return compiled;
  }
  if (each.failed() || !mustExist) return nullptr;
  fail(ErrorKind::kNotFound, "none of the templates given were found");
  return nullptr;
}

Flow Interpreter::runTemplateStatement(const TemplateStmt& statement) {
  if (statement.kind == StmtKind::kExtends && activation_->parent != nullptr) {
    anchor_ = step_ = statement.repeatOffset;
    fail("extended multiple times");
    return Flow::kFailed;
  }
  const Value name = evaluate(statement.source);
  if (name.failed()) return Flow::kFailed;
  const bool acceptsList = statement.kind == StmtKind::kInclude;
  const Compiled* compiled =
      acceptsList || isTemplateName(name) ? load(name, !statement.ignoreMissing) : nullptr;
  if (error_) return Flow::kFailed;
  if (compiled == nullptr) return Flow::kNext;
  bool ok = false;
  if (statement.kind == StmtKind::kExtends) {
    ok = extend(*compiled);
  } else if (statement.kind == StmtKind::kInclude) {
    ok = include(statement, *compiled);
  } else {
    ok = import(statement, *compiled);
  }
  return ok ? Flow::kNext : Flow::kFailed;
}

bool Interpreter::extend(const Compiled& parent) {
  activation_->parent = &parent;
  addBlocks(parent, *activation_->context);
  return true;
}

bool Interpreter::include(const TemplateStmt& statement, const Compiled& compiled) {
  if (!statement.withContext) {
    const Module* module = moduleOf(compiled, nullptr, nullptr);
    if (module == nullptr || !write(module->text)) return false;
    return module->joinable || writeResult(Value::none());
  }
  if (++includeDepth_ > budget.limits().includeDepth) {
    limitFailure(Limit::kIncludeDepth);
    return false;
  }
  if (!enterCall()) return false;
  auto* context = heap.make<Context>(activation_->context, visibleLocals(statement.stores));
  addBlocks(compiled, *context);
  const bool ok = runRoot(compiled, *context);
  --callDepth_;
  --includeDepth_;
  return ok;
}

bool Interpreter::import(const TemplateStmt& statement, const Compiled& compiled) {
  Context* surrounding = nullptr;
  Dict* locals = nullptr;
  if (statement.withContext) {
    locals = visibleLocals(statement.stores);
    if (locals == nullptr) locals = makeDict();
    flatten(activation_->context, *locals);
    surrounding = heap.make<Context>();
  }
  Module* module = moduleOf(compiled, surrounding, locals);
  if (module == nullptr) return false;
  if (statement.alias != nullptr) slot(statement.ref) = Value(*module);
  for (const ImportedName& name : statement.names) {
    Value value = exported(*module->root, name.name, true);
    if (value.isAbsent()) {
      Text hint(*this);
      hint.append("the template '").append(module->name);
      hint.append("' does not export the requested name '").append(name.name).append("'");
      value = undefinedFor(hint.take().text());
    }
    slot(name.ref) = value;
  }
  return true;
}

// Runs a template for its exports. A module without a surrounding context runs once per render.
Module* Interpreter::moduleOf(const Compiled& compiled, Context* surrounding, Dict* locals) {
  for (const auto& [known, module] : modules_) {
    if (surrounding == nullptr && known == &compiled) return module;
  }
  if (++includeDepth_ > budget.limits().includeDepth) {
    limitFailure(Limit::kIncludeDepth);
    return nullptr;
  }
  if (!enterCall()) return nullptr;
  auto* context = heap.make<Context>(surrounding, locals);
  context->isolated = surrounding == nullptr;
  addBlocks(compiled, *context);
  const size_t mark = out_.size();
  const size_t unjoinable = unjoinable_;
  if (!runRoot(compiled, *context)) return nullptr;
  --callDepth_;
  --includeDepth_;
  const bool joinable = unjoinable_ <= mark;
  unjoinable_ = unjoinable;
  const Value text = capture(mark, false);
  if (text.failed()) return nullptr;
  const RootLink* first = context->roots;
  while (first->older != nullptr) first = first->older;
  auto* module = heap.make<Module>(compiled.source().name(), first->activation, text.text());
  module->joinable = joinable;
  if (surrounding == nullptr) modules_.push_back({&compiled, module});
  return module;
}

}  // namespace strata::jinja
