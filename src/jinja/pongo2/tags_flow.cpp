// Parses the tags that choose, repeat and set: if, ifequal, ifchanged, firstof, cycle, for, set,
// with.
#include <algorithm>
#include <utility>

#include "jinja/pongo2/parser.h"

namespace strata::jinja::pongo2 {

// The conditions belong to the bodies in their order, even to bodies of `else`.
Node* Parser::parseIf(Node* tag) {
  NodeList branches;
  NodeList conditions;
  endTag_ = "elif";
  do {
    if (endTag_ == "elif") conditions.add(parseExpression());
    closeArguments();
    Node* branch = make(NodeKind::kBranch);
    branch->second = parseWrapped({"elif", "else", "endif"});
    branches.add(branch);
  } while (endTag_ != "endif" && !failed());
  closeArguments();
  Node* condition = conditions.first;
  for (Node* branch = branches.first; condition != nullptr && branch != nullptr;) {
    branch->first = condition;
    condition = condition->next;
    branch = branch->next;
  }
  tag->first = branches.first;
  return tag;
}

Node* Parser::parseIfequal(Node* tag) {
  const bool negated = tokens_[at_ - 1].text == "ifnotequal";
  if (negated) tag->flags = kNot;
  tag->first = parseExpression();
  tag->first->next = parseExpression();
  parseBodies(tag, "else", negated ? "endifnotequal" : "endifequal");
  return tag;
}

// Parses the arguments of a tag as expressions, one after the other.
Node* Parser::parseItems() {
  NodeList all;
  while (more()) all.add(parseExpression());
  return all.first;
}

Node* Parser::parseIfchanged(Node* tag) {
  ++reading_.slots;
  tag->first = parseItems();
  parseBodies(tag, "else", "endifchanged");
  return tag;
}

Node* Parser::parseFirstof(Node* tag) {
  tag->first = parseItems();
  closeArguments();
  return tag;
}

Node* Parser::parseCycle(Node* tag) {
  ++reading_.slots;
  NodeList all;
  while (more()) {
    all.add(parseExpression());
    if (!keyword("as")) continue;
    tag->value = text(expect(TokenKind::kName));
    reading_.bound.add(tag->value.text());
    if (word("silent")) tag->flags = kSilent;
    break;
  }
  tag->first = all.first;
  closeArguments();
  return tag;
}

Node* Parser::parseFor(Node* tag) {
  const size_t bound = reading_.bound.size();
  tag->value = text(expect(TokenKind::kName));
  if (symbol(",")) tag->other = text(expect(TokenKind::kName));
  if (!keyword("in")) fail("Expected keyword 'in'.");
  reading_.bound.add("forloop");
  tag->first = parseExpression();
  if (word("reversed")) tag->flags |= kReversed;
  if (word("sorted")) tag->flags |= kSorted;
  reading_.bound.add(tag->value.text());
  if (!tag->other.isAbsent()) reading_.bound.add(tag->other.text());
  parseBodies(tag, "empty", "endfor");
  reading_.bound.shrink(bound);
  return tag;
}

// Parses `name = expression`.
Node* Parser::parsePair() {
  Node* pair = makeNamed(NodeKind::kSet, expect(TokenKind::kName));
  expectSymbol("=");
  pair->first = parseExpression();
  return pair;
}

// Adds a pair. Of two with one name, only the last is evaluated.
void Parser::addPair(NodeList& pairs, Node* pair) {
  for (Node* other = pairs.first; other != nullptr; other = other->next) {
    if (other->value.text() != pair->value.text()) continue;
    other->first = pair->first;
    return;
  }
  pairs.add(pair);
  reading_.bound.add(pair->value.text());
}

Node* Parser::parseSet(Node* tag) {
  const Node* pair = parsePair();
  tag->value = pair->value;
  tag->first = pair->first;
  closeArguments();
  reading_.bound.add(tag->value.text());
  return tag;
}

// Parses `name = expression` or, if `as` occurs, `expression as name`.
Node* Parser::parseWith(Node* tag) {
  const size_t bound = reading_.bound.size();
  if (!more()) fail("Tag 'with' requires at least one argument.");
  bool old = false;
  for (size_t i = at_; i < end_; ++i) old = old || tokens_[i].is(TokenKind::kKeyword, "as");
  NodeList pairs;
  NodeList names;
  while (more()) {
    Node* pair = nullptr;
    if (old) {
      pair = make(NodeKind::kSet);
      pair->first = parseExpression();
      if (!keyword("as")) fail("Expected 'as' keyword.");
      pair->value = text(expect(TokenKind::kName));
    } else {
      pair = parsePair();
    }
    pairs.add(pair);
  }
  // The names are visible in the body, not in the values.
  for (Node* pair = pairs.first; pair != nullptr;) {
    Node* next = std::exchange(pair->next, nullptr);
    addPair(names, pair);
    pair = next;
  }
  tag->first = names.first;
  closeArguments();
  tag->second = parseWrapped({"endwith"});
  closeArguments();
  reading_.bound.shrink(bound);
  return tag;
}

}  // namespace strata::jinja::pongo2
