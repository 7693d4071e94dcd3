// Parses expressions.
#include "jinja/parser.h"

namespace strata::jinja {
namespace {

// Operator precedence levels, loosest first.
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

// Returns the comparison operator of a token, or kAdd if it is none. parseComparison() handles `not
// in`.
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
  while (skipName("if") && !failed()) {
    Expr* test = parseBinary(kOrLevel);
    Expr* otherwise = skipName("else") ? parseExpression() : nullptr;
    if (otherwise == nullptr) ++variables_;
    const uint32_t begin = expr->offset;
    expr = heap_.make<ConditionalExpr>(begin, test, expr, otherwise);
    expr->anchor = anchor;
    anchor = token_.offset;
  }
  --expressionDepth_;
  return expr;
}

// Parses operators of level `minimum` and tighter. Jinja2 reports the line of the second plus for
// `a + b + c`.
Expr* Parser::parseBinary(int minimum) {
  const uint32_t begin = token_.offset;
  const uint32_t variables = variables_;
  Expr* left = atName("not") && minimum <= kNotLevel ? parseNot() : parseUnary(true);
  int lastLevel = kNoLevel;
  OperatorStep* concatenation = nullptr;
  for (uint32_t powers = 0; !failed();) {
    if (minimum <= kCompareLevel) parseComparison(left);
    const Infix infix = infixOf(token_);
    if (infix.level < minimum || infix.level == kNoLevel) break;
    const bool same = infix.level == lastLevel && infix.step != StepKind::kConcat;
    const Token op = token_;
    advance();
    if (infix.level == kPowerLevel && ++powers > options_.limits.parseDepth) {
      enter(powers);
      break;
    }
    Expr* right = parseBinary(infix.level + 1);
    auto* step = heap_.make<OperatorStep>(infix.step, op.offset, infix.op, right);
    append(left, step, same ? op.offset : begin);
    if (infix.step == StepKind::kConcat) {
      if (lastLevel != kConcatLevel) concatenation = step;
      step->plain = volatile_ || variables_ == variables;
      // Jinja2 joins all operands of `a ~ b ~ c` at once.
      if (concatenation->plain != step->plain) {
        for (Step* each = concatenation; each != nullptr; each = each->next) {
          static_cast<OperatorStep*>(each)->plain = false;
        }
      }
    }
    lastLevel = infix.level;
  }
  return left;
}

// A chain such as a < b < c is one step, so each operand is evaluated once.
void Parser::parseComparison(Expr* left) {
  HeapVector<Comparison> all(heap_);
  const uint32_t offset = token_.offset;
  while (!failed()) {
    Operator op = comparisonOf(token_);
    if (op == Operator::kAdd) {
      if (!atName("not") || !peek().isName("in")) break;
      advance();
      op = Operator::kNotIn;
    }
    advance();
    all.add({op, parseBinary(kAddLevel)});
  }
  if (!all.empty()) append(left, heap_.make<CompareStep>(offset, all.span()), token_.offset);
}

Expr* Parser::parseNot() {
  const uint32_t offset = token_.offset;
  advance();
  if (!enter(expressionDepth_)) return parsePrimary();
  Expr* operand = parseBinary(kNotLevel);
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
      Expr* expr = parseTuple({.parenthesized = true});
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
  if (text == "true" || text == "True" || text == "false" || text == "False") {
    return heap_.make<ConstantExpr>(token.offset, Value::boolean((text[0] | 0x20) == 't'));
  }
  if (text == "none" || text == "None") {
    return heap_.make<ConstantExpr>(token.offset, Value::none());
  }
  ++variables_;
  Name* name = names_.intern(text);
  uses_.read = static_cast<uint8_t>(uses_.read | (name->special & ~uses_.assigned));
  return heap_.make<NameExpr>(token.offset, name);
}

// Adjacent strings are concatenated.
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
  HeapVector<Expr*> items(heap_);
  while (!at(TokenType::kRightBracket) && !failed()) {
    if (!items.empty()) expect(TokenType::kComma);
    if (at(TokenType::kRightBracket)) break;
    items.add(parseExpression());
  }
  expect(TokenType::kRightBracket);
  return heap_.make<ItemsExpr>(ExprKind::kList, open.offset, items.span());
}

Expr* Parser::parseDict() {
  const Token open = expect(TokenType::kLeftBrace);
  HeapVector<Expr*> items(heap_);
  while (!at(TokenType::kRightBrace) && !failed()) {
    if (!items.empty()) expect(TokenType::kComma);
    if (at(TokenType::kRightBrace)) break;
    items.add(parseExpression());
    expect(TokenType::kColon);
    items.add(parseExpression());
  }
  expect(TokenType::kRightBrace);
  return heap_.make<ItemsExpr>(ExprKind::kDict, open.offset, items.span());
}

bool Parser::atTupleEnd(const TupleRules& rules) const {
  return at(TokenType::kVariableEnd) || at(TokenType::kBlockEnd) || at(TokenType::kRightParen) ||
         (!rules.endName.empty() && atName(rules.endName));
}

Expr* Parser::parseTuple(const TupleRules& rules) {
  uint32_t anchor = token_.offset;
  const uint32_t begin = anchor;
  HeapVector<Expr*> items(heap_);
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
  if (!isTuple && !rules.parenthesized) {
    fail("Expected an expression, got '{}'", token_.offset, describe(token_));
  }
  Expr* tuple = heap_.make<ItemsExpr>(ExprKind::kTuple, begin, items.span());
  tuple->anchor = anchor;
  return tuple;
}

}  // namespace strata::jinja
