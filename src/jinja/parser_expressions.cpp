// The parser's expressions.
#include "jinja/parser.h"
#include "jinja/pongo2.h"

namespace strata::jinja {
namespace {

// Levels of binding, loosest first.
enum Level : int {
  kOrLevel,
  kAndLevel,
  kNotLevel,
  kCompareLevel,
  kAddLevel,
  kConcatLevel,
  kMultiplyLevel,
  kPowerLevel,
  kNoLevel = -1
};

struct Infix {
  int level = kNoLevel;
  StepKind step = StepKind::kBinary;
  Operator op = Operator::kAdd;
};

Infix infixOf(const Token& token) {
  switch (token.type) {
    case TokenType::kAdd:
      return {kAddLevel, StepKind::kBinary, Operator::kAdd};
    case TokenType::kSubtract:
      return {kAddLevel, StepKind::kBinary, Operator::kSubtract};
    case TokenType::kTilde:
      return {kConcatLevel, StepKind::kConcat, Operator::kAdd};
    case TokenType::kMultiply:
      return {kMultiplyLevel, StepKind::kBinary, Operator::kMultiply};
    case TokenType::kDivide:
      return {kMultiplyLevel, StepKind::kBinary, Operator::kDivide};
    case TokenType::kFloorDivide:
      return {kMultiplyLevel, StepKind::kBinary, Operator::kFloorDivide};
    case TokenType::kModulo:
      return {kMultiplyLevel, StepKind::kBinary, Operator::kModulo};
    case TokenType::kPower:
      return {kPowerLevel, StepKind::kBinary, Operator::kPower};
    case TokenType::kName:
      if (token.text == "and") return {kAndLevel, StepKind::kAnd, Operator::kAdd};
      if (token.text == "or") return {kOrLevel, StepKind::kOr, Operator::kAdd};
      return {};
    default:
      return {};
  }
}

// The comparison that a token stands for; `kAdd` if it is none. `not in` is seen elsewhere.
Operator comparisonOf(const Token& token) {
  switch (token.type) {
    case TokenType::kEqual:
      return Operator::kEqual;
    case TokenType::kNotEqual:
      return Operator::kNotEqual;
    case TokenType::kLess:
      return Operator::kLess;
    case TokenType::kLessEqual:
      return Operator::kLessEqual;
    case TokenType::kGreater:
      return Operator::kGreater;
    case TokenType::kGreaterEqual:
      return Operator::kGreaterEqual;
    default:
      return token.isName("in") ? Operator::kIn : Operator::kAdd;
  }
}

}  // namespace

Expr* Parser::append(Expr* expr, Step* step, uint32_t anchor) {
  (expr->first == nullptr ? expr->first : expr->last->next) = step;
  expr->last = step;
  expr->anchor = anchor;
  return expr;
}

Expr* Parser::parseExpression(bool conditional) {
  if (!conditional) return parseBinary(kOrLevel);
  if (!enter(expressionDepth_)) return parsePrimary();
  uint32_t anchor = token_.offset;
  Expr* expr = parseBinary(kOrLevel);
  while (!isPongo() && skipName("if") && !failed()) {
    Expr* test = parseBinary(kOrLevel);
    Expr* otherwise = skipName("else") ? parseExpression() : nullptr;
    const uint32_t begin = expr->offset;
    expr = heap_.make<ConditionalExpr>(begin, test, expr, otherwise);
    expr->anchor = anchor;
    anchor = token_.offset;
  }
  --expressionDepth_;
  return expr;
}

// Operators of `minimum` and tighter. Jinja2 counts the line of `a + b + c` from the second plus.
Expr* Parser::parseBinary(int minimum) {
  const uint32_t begin = token_.offset;
  Expr* left = atName("not") && minimum <= kNotLevel ? parseNot() : parseUnary(true);
  int lastLevel = kNoLevel;
  for (uint32_t powers = 0; !failed();) {
    if (minimum <= kCompareLevel) parseComparison(left);
    const Infix infix = infixOf(token_);
    if (infix.level < minimum || infix.level == kNoLevel) break;
    if (isPongo() && infix.step == StepKind::kConcat) break;
    const bool same = infix.level == lastLevel && infix.step != StepKind::kConcat;
    const Token op = token_;
    advance();
    if (infix.level == kPowerLevel && ++powers > options_.limits.parseDepth) {
      enter(powers);
      break;
    }
    Expr* right = parseBinary(infix.level + 1);
    append(left, heap_.make<OperatorStep>(infix.step, op.offset, infix.op, right),
           same ? op.offset : begin);
    lastLevel = infix.level;
  }
  return left;
}

// a < b < c is one step; each operand is evaluated once.
void Parser::parseComparison(Expr* left) {
  Gather<Comparison> all(heap_);
  const uint32_t offset = token_.offset;
  while (!failed()) {
    Operator op = comparisonOf(token_);
    if (op == Operator::kAdd) {
      if (!atName("not") || !look().isName("in")) break;
      advance();
      op = Operator::kNotIn;
    }
    advance();
    all.add({op, parseBinary(kAddLevel)});
  }
  if (!all.empty()) append(left, heap_.make<CompareStep>(offset, all.all()), token_.offset);
}

Expr* Parser::parseNot() {
  const uint32_t offset = token_.offset;
  advance();
  if (!enter(expressionDepth_)) return parsePrimary();
  // In pongo2 it belongs to the term behind it: `not a in b` is `(not a) in b`.
  Expr* operand = parseBinary(isPongo() ? kAddLevel : kNotLevel);
  --expressionDepth_;
  return heap_.make<UnaryExpr>(ExprKind::kNot, offset, operand);
}

Expr* Parser::parseUnary(bool withFilters) {
  Expr* expr = nullptr;
  if (at(TokenType::kSubtract) || at(TokenType::kAdd)) {
    const ExprKind kind = at(TokenType::kSubtract) ? ExprKind::kNegate : ExprKind::kPositive;
    const uint32_t offset = token_.offset;
    advance();
    if (!enter(expressionDepth_)) return parsePrimary();
    expr = heap_.make<UnaryExpr>(kind, offset, parseUnary(false));
    --expressionDepth_;
  } else {
    expr = parsePrimary();
  }
  expr = parsePostfix(expr);
  return withFilters ? parseFilters(expr) : expr;
}

Expr* Parser::parsePrimary() {
  const Token token = token_;
  switch (token.type) {
    case TokenType::kName:
      return parseName();
    case TokenType::kString:
      return parseText();
    case TokenType::kInteger:
    case TokenType::kFloat:
      advance();
      return heap_.make<ConstantExpr>(token.offset, token.value);
    case TokenType::kLeftParen: {
      advance();
      Expr* expr = parseTuple({.parenthesised = true});
      expect(TokenType::kRightParen);
      return expr;
    }
    case TokenType::kLeftBracket:
      return parseList();
    case TokenType::kLeftBrace:
      return parseDict();
    default:
      unexpected();
      return heap_.make<ConstantExpr>(token.offset, Value::none());
  }
}

Expr* Parser::parseName() {
  const Token token = token_;
  advance();
  const std::string_view text = token.text;
  if (isPongo() && pongo2::isKeyword(text)) {
    fail("This keyword is not allowed here.", token.offset);
  }
  const bool capital = text == "True" || text == "False" || text == "None";
  if (capital && isPongo()) return heap_.make<NameExpr>(token.offset, names_.intern(text));
  if (text == "true" || text == "True" || text == "false" || text == "False") {
    return heap_.make<ConstantExpr>(token.offset, Value::boolean((text[0] | 0x20) == 't'));
  }
  if (text == "none" || text == "None") {
    return heap_.make<ConstantExpr>(token.offset, Value::none());
  }
  Name* name = names_.intern(text);
  uses_.read = static_cast<uint8_t>(uses_.read | (name->special & ~uses_.assigned));
  return heap_.make<NameExpr>(token.offset, name);
}

// Adjacent strings are one.
Expr* Parser::parseText() {
  const uint32_t offset = token_.offset;
  Value value = token_.value;
  advance();
  while (at(TokenType::kString)) {
    value = Value::string(heap_, heap_.join(value.text(), token_.value.text()));
    advance();
  }
  return heap_.make<ConstantExpr>(offset, value);
}

Expr* Parser::parseList() {
  const Token open = expect(TokenType::kLeftBracket);
  Gather<Expr*> items(heap_);
  while (!at(TokenType::kRightBracket) && !failed()) {
    if (!items.empty()) expect(TokenType::kComma);
    if (at(TokenType::kRightBracket)) break;
    items.add(parseExpression());
  }
  expect(TokenType::kRightBracket);
  return heap_.make<ItemsExpr>(ExprKind::kList, open.offset, items.all());
}

Expr* Parser::parseDict() {
  const Token open = expect(TokenType::kLeftBrace);
  Gather<Expr*> items(heap_);
  while (!at(TokenType::kRightBrace) && !failed()) {
    if (!items.empty()) expect(TokenType::kComma);
    if (at(TokenType::kRightBrace)) break;
    items.add(parseExpression());
    expect(TokenType::kColon);
    items.add(parseExpression());
  }
  expect(TokenType::kRightBrace);
  return heap_.make<ItemsExpr>(ExprKind::kDict, open.offset, items.all());
}

bool Parser::atTupleEnd(const TupleRules& rules) const {
  return at(TokenType::kVariableEnd) || at(TokenType::kBlockEnd) || at(TokenType::kRightParen) ||
         (!rules.endName.empty() && atName(rules.endName));
}

Expr* Parser::parseTuple(const TupleRules& rules) {
  uint32_t anchor = token_.offset;
  const uint32_t begin = anchor;
  Gather<Expr*> items(heap_);
  bool isTuple = false;
  while (!failed()) {
    if (!items.empty()) expect(TokenType::kComma);
    if (atTupleEnd(rules)) break;
    items.add(rules.simple ? parsePrimary() : parseExpression(rules.conditional));
    if (!at(TokenType::kComma)) break;
    isTuple = true;
    anchor = token_.offset;
  }
  if (!isTuple && !items.empty()) return items[0];
  if (!isTuple && !rules.parenthesised) {
    fail("Expected an expression, got '{}'", token_.offset, describe(token_));
  }
  Expr* tuple = heap_.make<ItemsExpr>(ExprKind::kTuple, begin, items.all());
  tuple->anchor = anchor;
  return tuple;
}

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
    } else if (atName("is") && !isPongo()) {
      expr = parseTest(expr);
    } else if (at(TokenType::kLeftParen)) {
      expr = parseCall(expr);
    } else {
      break;
    }
  }
  return expr;
}

// a.b is part of a filter's or test's name.
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
  CallArguments arguments;
  if (isPongo() && skip(TokenType::kColon)) {
    Gather<Expr*> one(heap_);
    one.add(parsePostfix(parsePrimary()));
    arguments.positional = one.all();
  } else if (!isPongo() && at(TokenType::kLeftParen)) {
    arguments = parseArguments();
  }
  return append(expr, heap_.make<BuiltinStep>(StepKind::kFilter, offset, name, arguments), offset);
}

Expr* Parser::parseTest(Expr* expr) {
  const uint32_t offset = token_.offset;
  advance();
  const bool negated = skipName("not");
  auto* step = heap_.make<BuiltinStep>(StepKind::kTest, offset, parseDottedName(), CallArguments{});
  step->negated = negated;
  const bool operand = at(TokenType::kName) || at(TokenType::kString) || at(TokenType::kInteger) ||
                       at(TokenType::kFloat) || at(TokenType::kLeftBracket) ||
                       at(TokenType::kLeftBrace);
  if (at(TokenType::kLeftParen)) {
    step->arguments = parseArguments();
  } else if (operand && !atName("else") && !atName("or") && !atName("and")) {
    if (atName("is")) fail("You cannot chain multiple tests with is", token_.offset);
    Gather<Expr*> one(heap_);
    one.add(parsePostfix(parsePrimary()));
    step->arguments.positional = one.all();
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
  Gather<Step*> steps(heap_);
  while (!at(TokenType::kRightBracket) && !failed()) {
    if (!steps.empty()) expect(TokenType::kComma);
    steps.add(parseSubscribed(offset));
  }
  expect(TokenType::kRightBracket);
  if (steps.size() == 1) return append(expr, steps[0], offset);
  Gather<Expr*> keys(heap_);
  for (Step* step : steps) {
    if (step->kind == StepKind::kSlice) fail("slices cannot be part of a tuple key", offset);
    if (step->kind == StepKind::kItem) keys.add(static_cast<ItemStep*>(step)->key);
  }
  Expr* tuple = heap_.make<ItemsExpr>(ExprKind::kTuple, offset, keys.all());
  return append(expr, heap_.make<ItemStep>(offset, tuple), offset);
}

// One key, or start:stop:step with any of them left out.
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
  const CallArguments arguments = parseArguments();
  return append(expr, heap_.make<CallStep>(offset, arguments), offset);
}

CallArguments Parser::parseArguments() {
  const Token open = expect(TokenType::kLeftParen);
  CallArguments out;
  Gather<Expr*> positional(heap_);
  Gather<Keyword> named(heap_);
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
      failLater("keyword argument repeated: {}", open.offset, named[i].name);
    }
  }
  out.positional = positional.all();
  out.named = named.all();
  return out;
}

bool Parser::parseArgument(CallArguments& out, Gather<Expr*>& positional, Gather<Keyword>& named) {
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
  if (at(TokenType::kName) && look().is(TokenType::kAssign)) {
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
