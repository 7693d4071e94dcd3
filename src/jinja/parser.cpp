#include "jinja/parser.h"

namespace strata::jinja {

Parser::Parser(std::string_view source, const Options& options, Heap& heap, SyntaxFailure& failure)
    : heap_(heap),
      failure_(failure),
      options_(options),
      lexer_(source, options, heap, failure),
      names_(heap),
      ends_(heap),
      tags_(heap),
      blocks_(heap),
      blockNames_(heap) {
  advance();
}

Parsed Parser::parse() {
  parsed_.names = &names_;
  parsed_.root.body = parseOwnBody({}, parsed_.root.uses, false);
  parsed_.blocks = blocks_.span();
  if (deferred_.happened) failure_.report(deferred_.offset, "{}", deferred_.message);
  return parsed_;
}

void Parser::advance() {
  if (failed()) {
    token_.type = TokenType::kEnd;
  } else if (hasAhead_) {
    hasAhead_ = false;
    token_ = ahead_;
  } else {
    token_ = lexer_.next();
  }
}

const Token& Parser::peek() {
  if (!hasAhead_) {
    ahead_ = lexer_.next();
    hasAhead_ = true;
  }
  return ahead_;
}

bool Parser::skip(TokenType type) {
  if (!at(type)) return false;
  advance();
  return true;
}

bool Parser::skipName(std::string_view name) {
  if (!atName(name)) return false;
  advance();
  return true;
}

Token Parser::expect(TokenType type) {
  const Token token = token_;
  if (at(type)) {
    advance();
  } else if (at(TokenType::kEnd)) {
    fail("unexpected end of template, expected '{}'.", token_.offset, describe(type));
  } else {
    fail("expected token '{}', got '{}'", token_.offset, describe(type), describe(token_));
  }
  return token;
}

void Parser::expectName(std::string_view name) {
  if (skipName(name)) return;
  fail("expected token '{}', got '{}'", token_.offset, name, describe(token_));
}

void Parser::fail(const char* pattern, uint32_t offset, std::string_view first,
                  std::string_view second) {
  failure_.report(offset, pattern, first, second);
  token_.type = TokenType::kEnd;
}

void Parser::unexpected() { fail("unexpected '{}'", token_.offset, describe(token_)); }

// Enters a nested construct. Returns false if it exceeds the limit.
bool Parser::enter(uint32_t& depth) {
  if (++depth <= options_.limits.parseDepth && !failed()) return true;
  if (!failed()) {
    failure_.kind = ErrorKind::kLimit;
    fail("the template exceeds the limit parse_depth", token_.offset);
  }
  --depth;
  return false;
}

// Returns the part of Jinja2's message that names the expected tags. `found` is the unknown tag, or
// empty at the end of the template.
std::string Parser::lookingFor(std::string_view found) const {
  std::string message;
  const Ends ends = ends_.empty() ? Ends{} : ends_.back();
  std::string wanted;
  for (std::string_view end : ends) {
    if (!wanted.empty()) wanted += " or ";
    wanted += "'" + std::string(end) + "'";
  }
  bool expected = false;
  for (const Ends& open : ends_) {
    for (std::string_view end : open) expected = expected || (!found.empty() && end == found);
  }
  if (!wanted.empty() && expected) {
    message +=
        " You probably made a nesting mistake. Jinja is expecting this tag, but currently "
        "looking for " +
        wanted + ".";
  } else if (!wanted.empty()) {
    message += " Jinja was looking for the following tags: " + wanted + ".";
  }
  if (!tags_.empty()) {
    message +=
        " The innermost block that needs to be closed is '" + std::string(tags_.back()) + "'.";
  }
  return message;
}

void Parser::unknownTag(std::string_view name, uint32_t offset) {
  fail("Encountered unknown tag '{}'.{}", offset, name, lookingFor(name));
}

void Parser::endOfTemplate() {
  fail("Unexpected end of template.{}", token_.offset, lookingFor({}));
}

// Parses statements up to a tag in `ends`, whose name is then the current token. With no `ends`,
// parses to the end of the template.
Body Parser::parseBody(Ends ends) {
  Body body;
  Stmt** tail = &body.first;
  while (!at(TokenType::kEnd)) {
    if (at(TokenType::kBlockBegin)) {
      advance();
      for (std::string_view end : ends) {
        if (atName(end)) return body;
      }
    }
    *tail = parseStatement();
    while (*tail != nullptr) tail = &(*tail)->next;
  }
  return body;
}

Stmt* Parser::parseStatement() {
  const Token token = token_;
  if (token.is(TokenType::kData)) {
    advance();
    return token.text.empty() ? nullptr : heap_.make<TextStmt>(token.offset, token.text);
  }
  if (token.is(TokenType::kVariableBegin)) {
    advance();
    const uint32_t variables = variables_;
    Expr* value = parseTuple({});
    expect(TokenType::kVariableEnd);
    auto* print = heap_.make<PrintStmt>(StmtKind::kPrint, value->anchor, value);
    print->folded = variables_ == variables;
    return print;
  }
  if (!token.is(TokenType::kName)) {
    fail("tag name expected", token.offset);
    return nullptr;
  }
  tags_.add(token.text);
  Stmt* statement = parseTag(token);
  tags_.shrink(tags_.size() - 1);
  expect(TokenType::kBlockEnd);
  return statement;
}

// Parses the end of a tag, the body, and the start of the tag that ends the body.
Body Parser::parseBlockBody(Ends ends, bool dropEnd) {
  skip(TokenType::kColon);
  expect(TokenType::kBlockEnd);
  Body body;
  if (!enter(blockDepth_)) return body;
  ends_.add(ends);
  body = parseBody(ends);
  if (at(TokenType::kEnd)) endOfTemplate();
  ends_.shrink(ends_.size() - 1);
  --blockDepth_;
  if (dropEnd) advance();
  return body;
}

// Parses a body with its own special names. `propagate`: the enclosing body sees them as well.
Body Parser::parseOwnBody(Ends ends, uint8_t& uses, bool propagate) {
  const Uses outer = uses_;
  uses_ = {};
  const Body body = ends.size() == 0 ? parseBody(ends) : parseBlockBody(ends, false);
  uses = uses_.read;
  const Uses inner = uses_;
  uses_ = outer;
  if (propagate) {
    uses_.read = static_cast<uint8_t>(outer.read | (inner.read & ~outer.assigned));
    uses_.assigned = static_cast<uint8_t>(outer.assigned | inner.assigned);
  }
  return body;
}

}  // namespace strata::jinja
