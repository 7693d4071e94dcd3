// Parses the steps after a term: attributes, items, calls, filters and tests.
#include "jinja/parser.h"

namespace strata::jinja {
namespace {

// Filters that take the context (pass_context). Jinja2 never evaluates them while compiling.
bool readsContext(std::string_view filter) {
  for (const std::string_view name :
       {"map", "select", "reject", "selectattr", "rejectattr", "random"}) {
    if (filter == name) return true;
  }
  return false;
}

}  // namespace

Expr* Parser::parsePostfix(Expr* expr) {
  while (!failed()) {
    if (at(TokenType::kDot) || at(TokenType::kLeftBracket)) {
      expr = parseSubscript(expr);
    } else if (at(TokenType::kLeftParen)) {
      expr = parseCall(expr);
    } else {
      break;
    }
  }
  return expr;
}

Expr* Parser::parseFilters(Expr* expr) {
  while (!failed()) {
    if (at(TokenType::kPipe)) {
      advance();
      expr = parseFilter(expr);
    } else if (atName("is")) {
      expr = parseTest(expr);
    } else if (at(TokenType::kLeftParen)) {
      expr = parseCall(expr);
    } else {
      break;
    }
  }
  return expr;
}

// Parses the name of a filter or test, which may contain dots.
std::string_view Parser::parseDottedName() {
  std::string_view name = expect(TokenType::kName).text;
  while (at(TokenType::kDot) && !failed()) {
    advance();
    name = heap_.join(heap_.join(name, "."), expect(TokenType::kName).text);
  }
  return name;
}

Expr* Parser::parseFilter(Expr* expr) {
  const uint32_t offset = token_.offset;
  const std::string_view name = parseDottedName();
  if (volatile_ || readsContext(name)) ++variables_;
  CallArguments arguments;
  if (at(TokenType::kLeftParen)) arguments = parseArguments();
  return append(expr, heap_.make<BuiltinStep>(StepKind::kFilter, offset, name, arguments), offset);
}

Expr* Parser::parseTest(Expr* expr) {
  const uint32_t offset = token_.offset;
  advance();
  const bool negated = skipName("not");
  if (volatile_) ++variables_;
  auto* step = heap_.make<BuiltinStep>(StepKind::kTest, offset, parseDottedName(), CallArguments{});
  step->negated = negated;
  const bool operand = at(TokenType::kName) || at(TokenType::kString) || at(TokenType::kInteger) ||
                       at(TokenType::kFloat) || at(TokenType::kLeftBracket) ||
                       at(TokenType::kLeftBrace);
  if (at(TokenType::kLeftParen)) {
    step->arguments = parseArguments();
  } else if (operand && !atName("else") && !atName("or") && !atName("and")) {
    if (atName("is")) fail("You cannot chain multiple tests with is", token_.offset);
    HeapVector<Expr*> one(heap_);
    one.add(parsePostfix(parsePrimary()));
    step->arguments.positional = one.span();
  }
  return append(expr, step, offset);
}

Expr* Parser::parseSubscript(Expr* expr) {
  const Token token = token_;
  advance();
  if (token.is(TokenType::kLeftBracket)) return parseBrackets(expr, token.offset);
  const Token name = token_;
  advance();
  if (name.is(TokenType::kName)) {
    return append(expr, heap_.make<AttributeStep>(token.offset, name.text), token.offset);
  }
  if (!name.is(TokenType::kInteger)) fail("expected name or number", name.offset);
  Expr* key = heap_.make<ConstantExpr>(name.offset, name.value);
  return append(expr, heap_.make<ItemStep>(token.offset, key), token.offset);
}

Expr* Parser::parseBrackets(Expr* expr, uint32_t offset) {
  HeapVector<Step*> steps(heap_);
  while (!at(TokenType::kRightBracket) && !failed()) {
    if (!steps.empty()) expect(TokenType::kComma);
    steps.add(parseSubscribed(offset));
  }
  expect(TokenType::kRightBracket);
  if (steps.size() == 1) return append(expr, steps[0], offset);
  HeapVector<Expr*> keys(heap_);
  for (Step* step : steps) {
    if (step->kind == StepKind::kSlice) fail("slices cannot be part of a tuple key", offset);
    if (step->kind == StepKind::kItem) keys.add(static_cast<ItemStep*>(step)->key);
  }
  Expr* tuple = heap_.make<ItemsExpr>(ExprKind::kTuple, offset, keys.span());
  return append(expr, heap_.make<ItemStep>(offset, tuple), offset);
}

// Parses one key, or start:stop:step with optional parts.
Step* Parser::parseSubscribed(uint32_t offset) {
  Expr* parts[3] = {nullptr, nullptr, nullptr};
  if (!at(TokenType::kColon)) {
    parts[0] = parseExpression();
    if (!at(TokenType::kColon)) return heap_.make<ItemStep>(offset, parts[0]);
  }
  for (int i = 1; i < 3 && skip(TokenType::kColon); ++i) {
    if (!at(TokenType::kColon) && !at(TokenType::kRightBracket) && !at(TokenType::kComma)) {
      parts[i] = parseExpression();
    }
  }
  return heap_.make<SliceStep>(offset, parts[0], parts[1], parts[2]);
}

Expr* Parser::parseCall(Expr* expr) {
  const uint32_t offset = token_.offset;
  ++variables_;
  const CallArguments arguments = parseArguments();
  return append(expr, heap_.make<CallStep>(offset, arguments), offset);
}

CallArguments Parser::parseArguments() {
  const Token open = expect(TokenType::kLeftParen);
  CallArguments out;
  HeapVector<Expr*> positional(heap_);
  HeapVector<Keyword> named(heap_);
  for (bool first = true; !at(TokenType::kRightParen) && !failed(); first = false) {
    if (!first) expect(TokenType::kComma);
    if (at(TokenType::kRightParen)) break;
    if (!parseArgument(out, positional, named)) {
      fail("invalid syntax for function call expression", open.offset);
    }
  }
  expect(TokenType::kRightParen);
  for (size_t i = 0; i < named.size(); ++i) {
    for (size_t j = 0; j < i && j < 256; ++j) {
      if (named[i].name != named[j].name) continue;
      failAfterParsing("keyword argument repeated: {}", open.offset, named[i].name);
    }
  }
  out.positional = positional.span();
  out.named = named.span();
  return out;
}

bool Parser::parseArgument(CallArguments& out, HeapVector<Expr*>& positional,
                           HeapVector<Keyword>& named) {
  if (skip(TokenType::kMultiply)) {
    const bool allowed = out.rest == nullptr && out.restNamed == nullptr;
    out.rest = parseExpression();
    return allowed;
  }
  if (skip(TokenType::kPower)) {
    const bool allowed = out.restNamed == nullptr;
    out.restNamed = parseExpression();
    return allowed;
  }
  if (at(TokenType::kName) && peek().is(TokenType::kAssign)) {
    if (out.restNamed != nullptr) return false;
    const std::string_view name = token_.text;
    advance();
    advance();
    named.add({name, parseExpression()});
    return true;
  }
  if (out.rest != nullptr || out.restNamed != nullptr || !named.empty()) return false;
  positional.add(parseExpression());
  return true;
}

}  // namespace strata::jinja
