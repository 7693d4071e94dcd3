#include "jinja/loader.h"

#include <algorithm>
#include <utility>

#include "jinja/resolver.h"

namespace strata::jinja {
namespace {

bool isGlobal(std::string_view name, const Options& options) {
  if (findGlobal(name) != nullptr) return true;
  return std::find(options.functions.begin(), options.functions.end(), name) !=
         options.functions.end();
}

// Calls visit(name) for each constant name in `source`, which is a string or a list of strings.
template <typename Visit>
void eachConstantName(const Expr* source, const Visit& visit) {
  if (source->first != nullptr) return;
  if (source->kind == ExprKind::kList || source->kind == ExprKind::kTuple) {
    for (const Expr* item : static_cast<const ItemsExpr*>(source)->items) {
      eachConstantName(item, visit);
    }
  } else if (source->kind == ExprKind::kConstant) {
    const Value name = static_cast<const ConstantExpr*>(source)->value;
    if (name.isString()) visit(name.text());
  }
}

bool exports(const Compiled& compiled, std::string_view name) {
  for (const Unit::Export& exported : compiled.root().exports) {
    if (exported.name == name) return true;
  }
  return false;
}

}  // namespace

Compiled::Compiled(std::string name, std::string text, const Options& options)
    : source_(std::move(name), {}, true), budget_(options.limits), heap_(budget_) {
  if (text.size() > options.limits.source) {
    error_ = TemplateError{ErrorKind::kLimit,
                           "the template exceeds the limit source_size",
                           source_.name(),
                           0,
                           0,
                           0,
                           {}};
    return;
  }
  source_ = Source(source_.name(), std::move(text), options.keepTrailingNewline);
  read(options);
}

void Compiled::read(const Options& options) {
  SyntaxFailure failure;
  Parser parser(source_.text(), options, heap_, failure);
  parsed_ = parser.parse();
  if (!failure.happened) {
    Resolver resolver(parsed_, options, heap_, failure);
    resolver.run();
    sortByName(resolver.variables());
    for (std::string_view name : resolver.variables()) {
      const bool known = !variables_.empty() && variables_.back() == name;
      if (!known && !isGlobal(name, options)) variables_.emplace_back(name);
    }
    references_ = resolver.references();
  }
  parsed_.names = nullptr;
  if (budget_.exceeded() != Limit::kNone && !failure.happened) {
    failure.report(0, "the template exceeds the limit {}", nameOf(budget_.exceeded()));
    failure.kind = ErrorKind::kLimit;
  }
  if (!failure.happened) return;
  error_ = TemplateError{failure.kind, std::move(failure.message), {}, 0, 0, 0, {}};
  source_.locate(*error_, failure.offset);
}

Loader::Loader(std::string source, Options options, std::string name)
    : options_(std::move(options)) {
  compiled_.push_back(std::make_unique<Compiled>(std::move(name), std::move(source), options_));
}

std::vector<std::string> Loader::variables() {
  std::vector<const Compiled*> reached = {&main()};
  std::vector<std::string> names = main().variables();
  for (size_t at = 0; at < reached.size(); ++at) {
    for (const TemplateStmt* statement : reached[at]->references()) {
      eachConstantName(statement->source, [&](std::string_view name) {
        const Compiled* other = find(name);
        if (other == nullptr || other->error()) return;
        if (std::find(reached.begin(), reached.end(), other) != reached.end()) return;
        reached.push_back(other);
      });
    }
    for (const std::string& name : reached[at]->variables()) {
      const auto sets = [&](const Compiled* other) { return exports(*other, name); };
      if (at == 0 || std::any_of(reached.begin(), reached.end(), sets)) continue;
      const auto position = std::lower_bound(names.begin(), names.end(), name);
      if (position == names.end() || *position != name) names.insert(position, name);
    }
  }
  return names;
}

const Compiled* Loader::find(std::string_view name) {
  for (const auto& compiled : compiled_) {
    if (compiled->source().name() == name && !name.empty()) return compiled.get();
  }
  for (const NamedSource& named : options_.templates) {
    if (named.name != name) continue;
    compiled_.push_back(std::make_unique<Compiled>(named.name, named.source, options_));
    return compiled_.back().get();
  }
  return nullptr;
}

}  // namespace strata::jinja
