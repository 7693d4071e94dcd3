// Parses expressions, by the grammar of pongo2's parser_expression.go and variable.go.
#include "jinja/pongo2/parser.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "jinja/pongo2/filters.h"
#include "json/number.h"

namespace strata::jinja::pongo2 {

Parser::Parser(Document& document, std::span<Token> tokens, Reading& reading,
               SyntaxFailure& failure)
    : document_(document),
      tokens_(tokens),
      reading_(reading),
      failure_(failure),
      end_(tokens.size()) {}

uint32_t Parser::offset() const {
  if (tokens_.empty()) return 0;
  return tokens_[std::min(at_, tokens_.size() - 1)].offset;
}

void Parser::fail(const char* pattern, std::string_view part) {
  failure_.report(offset(), pattern, part);
  at_ = end_ = tokens_.size();
}

std::string_view Parser::expect(TokenKind kind) {
  if (at(kind)) return tokens_[at_++].text;
  fail(kind == TokenKind::kName ? "Expected an identifier." : "Expected a string.");
  return {};
}

void Parser::expectSymbol(std::string_view text) {
  if (!symbol(text)) fail("Expected '{}'.", text);
}

Node* Parser::make(NodeKind kind) {
  if (!reading_.budget.spend()) {
    failure_.kind = ErrorKind::kLimit;
    fail("the template exceeds the limit {}", nameOf(reading_.budget.exceeded()));
  }
  return reading_.heap.make<Node>(kind, offset());
}

Node* Parser::makeNamed(NodeKind kind, std::string_view name) {
  Node* node = make(kind);
  node->offset = tokens_[std::min(at_, tokens_.size()) - 1].offset;
  node->value = text(name);
  return node;
}

// Enters a nested construct. Returns false if it exceeds the limit; else call leave() later.
bool Parser::enter() {
  const uint32_t limit = reading_.library.options().limits.parseDepth;
  if (!failed() && depth_ < limit && reading_.nesting < kMaxNesting) {
    ++depth_;
    ++reading_.nesting;
    return true;
  }
  if (!failed()) {
    failure_.kind = ErrorKind::kLimit;
    fail("the template exceeds the limit {}", nameOf(Limit::kParseDepth));
  }
  return false;
}

void Parser::leave() {
  --depth_;
  --reading_.nesting;
}

// `a and b or c` is `a and (b or c)`.
Node* Parser::parseExpression() {
  if (!enter()) return make(NodeKind::kConstant);
  Node* first = nullptr;
  for (Node** place = &first;;) {
    Node* operand = parseRelation();
    *place = operand;
    const bool isAnd = symbol("&&") || keyword("and");
    if (!isAnd && !symbol("||") && !keyword("or")) break;
    Node* logic = make(NodeKind::kLogic);
    logic->op = isAnd ? '&' : '|';
    logic->first = operand;
    *place = logic;
    place = &logic->second;
  }
  // The filter safe must occur in all operands.
  bool safe = true;
  for (const Node* node = first; node != nullptr; node = node->second) {
    const bool last = node->kind != NodeKind::kLogic;
    safe = safe && ((last ? node : node->first)->flags & kSafe) != 0;
    if (last) break;
  }
  if (first->kind == NodeKind::kLogic && safe) first->flags |= kSafe;
  leave();
  return first;
}

// `a == b == c` is `a == (b == c)`.
Node* Parser::parseRelation() {
  struct Spelling {
    std::string_view text;
    Op op;
  };
  static constexpr Spelling kRelations[] = {{"==", '='}, {"<=", kLessEqual}, {">=", kGreaterEqual},
                                            {"!=", '!'}, {"<>", '!'},        {">", '>'},
                                            {"<", '<'}};
  Node* left = parseSimple();
  Node* relation = nullptr;
  for (const Spelling& spelling : kRelations) {
    if (!symbol(spelling.text)) continue;
    relation = make(NodeKind::kRelation);
    relation->op = spelling.op;
    if (!enter()) return left;
    relation->second = parseRelation();
    leave();
    break;
  }
  if (relation == nullptr && keyword("in")) {
    relation = make(NodeKind::kRelation);
    relation->op = kInOperator;
    relation->second = parseSimple();
  }
  if (relation == nullptr) return left;
  relation->first = left;
  relation->flags = left->flags & relation->second->flags & kSafe;
  return relation;
}

// Parses what follows `left`: operators of one level, from the left.
Node* Parser::parseOperands(Node* left, std::string_view operators, Node* (Parser::*next)()) {
  if (!at(TokenKind::kSymbol)) return left;
  Node* all = nullptr;
  NodeList operands;
  while (at(TokenKind::kSymbol) && tokens_[at_].text.size() == 1 &&
         operators.find(tokens_[at_].text) != std::string_view::npos) {
    const char op = tokens_[at_].text[0];
    Node* operand = make(NodeKind::kOperand);
    ++at_;
    operand->op = op;
    operand->first = (this->*next)();
    operands.add(operand);
    if (all == nullptr) {
      all = make(NodeKind::kArithmetic);
      all->first = left;
      all->flags = left->flags & kSafe;
    }
    all->flags &= operand->first->flags;
  }
  if (all == nullptr) return left;
  all->second = operands.first;
  return all;
}

// A sign and `not` belong to the first term only.
Node* Parser::parseSimple() {
  uint8_t flags = 0;
  if (symbol("-")) {
    flags = kMinus;
  } else {
    symbol("+");
  }
  if (symbol("!") || keyword("not")) flags |= kNot;
  Node* term = parseTerm();
  if (flags != 0) {
    Node* negated = make(NodeKind::kSigned);
    negated->first = term;
    negated->flags = static_cast<uint8_t>(flags | (term->flags & kSafe));
    term = negated;
  }
  return parseOperands(term, "+-", &Parser::parseTerm);
}

Node* Parser::parseTerm() { return parseOperands(parsePower(), "*/%", &Parser::parsePower); }

Node* Parser::parsePower() {
  Node* base = parseFactor();
  if (!symbol("^") || !enter()) return base;
  Node* power = make(NodeKind::kPower);
  power->first = base;
  power->second = parsePower();
  power->flags = base->flags & power->second->flags & kSafe;
  leave();
  return power;
}

Node* Parser::parseFactor() {
  if (!symbol("(")) return parseFilters(parseVariableOrLiteral());
  Node* inner = parseExpression();
  if (!symbol(")")) fail("Closing bracket expected after expression");
  return inner;
}

Node* Parser::parseFilters(Node* operand) {
  NodeList filters;
  while (symbol("|")) filters.add(parseFilter(true));
  if (filters.first == nullptr) return operand;
  Node* filtered = make(NodeKind::kFiltered);
  filtered->first = operand;
  filtered->second = filters.first;
  for (const Node* filter = filters.first; filter != nullptr; filter = filter->next) {
    if (filter->value.text() == "safe") filtered->flags = kSafe;
  }
  return filtered;
}

// The tag `filter` looks for a filter only when it runs.
Node* Parser::parseFilter(bool mustExist) {
  Node* filter = makeNamed(NodeKind::kFilter, expect(TokenKind::kName));
  const std::string_view name = filter->value.text();
  const auto& known = reading_.library.options().filters;
  for (size_t i = 0; i < known.size(); ++i) {
    if (known[i] == name) filter->host = static_cast<int32_t>(i);
  }
  filter->filter = findFilter(name);
  if (mustExist && filter->filter == nullptr && filter->host < 0)
    fail("Filter '{}' does not exist.", name);
  if (symbol(":")) filter->first = parseVariableOrLiteral();
  return filter;
}

bool Parser::integer(std::string_view digits, int64_t& out) {
  for (const char c : digits) {
    if (__builtin_mul_overflow(out, int64_t{10}, &out) ||
        __builtin_add_overflow(out, int64_t{c - '0'}, &out)) {
      fail("'{}' is too large", digits);
      return false;
    }
  }
  return true;
}

Node* Parser::parseNumber() {
  const std::string_view whole = tokens_[at_].text;
  Node* constant = make(NodeKind::kConstant);
  ++at_;
  if (symbol(".")) {
    if (!at(TokenKind::kNumber)) {
      fail("Expected a number after the '.'.");
      return constant;
    }
    const std::string digits = std::string(whole) + "." + std::string(tokens_[at_++].text);
    const double number = json::readDouble(digits).value_or(0);
    if (std::isinf(number)) fail("'{}' is too large", digits);
    constant->value = Value::number(reading_.heap, number);
    return constant;
  }
  int64_t number = 0;
  if (integer(whole, number)) constant->value = Value::integer(reading_.heap, number);
  return constant;
}

Node* Parser::parseVariableOrLiteral() {
  if (at(TokenKind::kNumber)) return parseNumber();
  if (at(TokenKind::kName)) return parseVariable();
  Node* constant = make(NodeKind::kConstant);
  constant->value = Value::none();
  if (at(TokenKind::kString)) {
    constant->value = text(tokens_[at_++].text);
  } else if (keyword("true")) {
    constant->value = Value::boolean(true);
  } else if (keyword("false")) {
    constant->value = Value::boolean(false);
  } else {
    fail("Expected either a number, string, keyword or identifier.");
  }
  return constant;
}

Node* Parser::parseVariable() {
  Node* variable = makeNamed(NodeKind::kVariable, tokens_[at_++].text);
  const std::string_view name = variable->value.text();
  bool known = reading_.isolated;
  for (const std::string_view bound : reading_.bound) known = known || bound == name;
  if (!known) reading_.read.add(name);
  NodeList parts;
  Node* last = nullptr;
  // A subscript ends the variable.
  while (!failed() && (last == nullptr || last->kind != NodeKind::kSubscript)) {
    Node* part = parsePart(last);
    if (part == nullptr) break;
    if (part != last) parts.add(part);
    last = part;
  }
  variable->second = parts.first;
  return variable;
}

// Parses .name, .0, [expression] or the arguments of a call; m(1)(2) is m(1, 2). Returns null if
// none follows.
Node* Parser::parsePart(Node* last) {
  Node* part = nullptr;
  if (symbol("(")) {
    part = last != nullptr && last->kind == NodeKind::kCall ? last : make(NodeKind::kCall);
    parseArguments(part);
  } else if (symbol("[")) {
    part = make(NodeKind::kSubscript);
    part->first = parseExpression();
    expectSymbol("]");
  } else if (symbol(".")) {
    if (at(TokenKind::kNumber)) {
      const std::string_view digits = tokens_[at_].text;
      part = make(NodeKind::kIndex);
      ++at_;
      int64_t index = 0;
      if (integer(digits, index)) part->value = Value::integer(reading_.heap, index);
    } else {
      part = makeNamed(NodeKind::kField, expect(TokenKind::kName));
    }
  }
  return part;
}

void Parser::parseArguments(Node* call) {
  NodeList arguments;
  for (Node* known = call->first; known != nullptr;) {
    Node* next = known->next;
    arguments.add(known);
    known = next;
  }
  while (!symbol(")") && !failed()) {
    arguments.add(parseExpression());
    if (symbol(")")) break;
    if (!symbol(",")) fail("Missing comma or closing bracket after argument.");
  }
  call->first = arguments.first;
}

}  // namespace strata::jinja::pongo2
