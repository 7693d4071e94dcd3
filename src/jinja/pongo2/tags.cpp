// Parses texts and tags, as pongo2's parser_document.go, tags.go and its files tags_*.go do.
#include <algorithm>
#include <array>
#include <utility>

#include "jinja/pongo2/parser.h"

namespace strata::jinja::pongo2 {
namespace {

constexpr std::string_view kSpaces = " \n\r\t";

}  // namespace

const Parser::Tag Parser::kTags[] = {
    {"if", &Parser::parseIf, NodeKind::kIf},
    {"for", &Parser::parseFor, NodeKind::kFor},
    {"set", &Parser::parseSet, NodeKind::kSet},
    {"with", &Parser::parseWith, NodeKind::kWith},
    {"macro", &Parser::parseMacro, NodeKind::kMacro},
    {"block", &Parser::parseBlock, NodeKind::kBlock},
    {"extends", &Parser::parseExtends, NodeKind::kText},
    {"include", &Parser::parseInclude, NodeKind::kInclude},
    {"import", &Parser::parseImport, NodeKind::kImport},
    {"filter", &Parser::parseFilterTag, NodeKind::kFilterTag},
    {"autoescape", &Parser::parseAutoescape, NodeKind::kAutoescape},
    {"spaceless", &Parser::parseSpaceless, NodeKind::kSpaceless},
    {"comment", &Parser::parseComment, NodeKind::kText},
    {"cycle", &Parser::parseCycle, NodeKind::kCycle},
    {"firstof", &Parser::parseFirstof, NodeKind::kFirstof},
    {"ifchanged", &Parser::parseIfchanged, NodeKind::kIfchanged},
    {"ifequal", &Parser::parseIfequal, NodeKind::kIfequal},
    {"ifnotequal", &Parser::parseIfequal, NodeKind::kIfequal},
    {"now", &Parser::parseNow, NodeKind::kNow},
    {"widthratio", &Parser::parseWidthratio, NodeKind::kWidthratio},
    {"lorem", &Parser::parseLorem, NodeKind::kLorem},
    {"templatetag", &Parser::parseTemplateTag, NodeKind::kText},
    {"ssi", &Parser::parseSsi, NodeKind::kText},
};

void Parser::parse() { document_.body = parseBody({}); }

// Parses up to a tag in `ends`, whose name becomes endTag_ and whose arguments can be read then.
// Without `ends`, parses to the end of the template.
Node* Parser::parseBody(Names ends) {
  NodeList nodes;
  while (more()) {
    if (at(TokenKind::kSymbol, "{%") && at_ + 1 < end_ &&
        tokens_[at_ + 1].kind == TokenKind::kName) {
      for (const std::string_view end : ends) {
        if (tokens_[at_ + 1].text != end) continue;
        endTag_ = end;
        at_ += 2;
        openArguments();
        return nodes.first;
      }
    }
    if (Node* node = parseElement()) nodes.add(node);
  }
  if (ends.size() != 0 && !failed()) fail("Unexpected EOF, expected tag {}.", *ends.begin());
  return nodes.first;
}

Node* Parser::parseElement() {
  if (at(TokenKind::kText)) return parseText();
  if (symbol("{{")) {
    Node* print = make(NodeKind::kPrint);
    print->first = parseExpression();
    expectSymbol("}}");
    return print;
  }
  if (symbol("{%")) return parseTag();
  fail("Unexpected token (only HTML/tags/filters in templates allowed)");
  return nullptr;
}

// Removes the white space next to a symbol with a minus, and what trim_blocks and lstrip_blocks
// remove.
Node* Parser::parseText() {
  const Options& options = reading_.library.options();
  std::string_view bytes = tokens_[at_].text;
  const Token* left = at_ > 0 ? &tokens_[at_ - 1] : nullptr;
  const Token* right = at_ + 1 < tokens_.size() ? &tokens_[at_ + 1] : nullptr;
  if (options.trimBlocks && left != nullptr && left->is(TokenKind::kSymbol, "%}") &&
      bytes.substr(0, 1) == "\n") {
    bytes.remove_prefix(1);
  }
  if (options.lstripBlocks && right != nullptr && right->is(TokenKind::kSymbol, "{%")) {
    bytes = bytes.substr(0, bytes.find_last_not_of("\t ") + 1);
  }
  if (left != nullptr && left->trims) {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(kSpaces), bytes.size()));
  }
  if (right != nullptr && right->trims) {
    bytes = bytes.substr(0, bytes.find_last_not_of(kSpaces) + 1);
  }
  Node* node = make(NodeKind::kText);
  node->value = text(bytes);
  ++at_;
  return node;
}

Node* Parser::parseTag() {
  const std::string_view name = at(TokenKind::kName) ? tokens_[at_].text : std::string_view();
  for (const Tag& tag : kTags) {
    if (tag.name != name) continue;
    if (!enter()) return nullptr;
    Node* node = make(tag.kind);
    node->slot = reading_.slots;
    ++at_;
    openArguments();
    node = failed() ? nullptr : (this->*tag.parse)(node);
    leave();
    return failed() ? nullptr : node;
  }
  fail("Tag '{}' not found (or beginning tag not provided)", name);
  return nullptr;
}

// Limits what is read to the arguments of a tag.
void Parser::openArguments() {
  size_t end = at_;
  while (end < tokens_.size() && !tokens_[end].is(TokenKind::kSymbol, "%}")) ++end;
  if (end == tokens_.size()) return fail("Unexpectedly reached EOF, no tag end found.");
  end_ = end;
}

// Leaves the arguments of a tag, all of which must have been read.
void Parser::closeArguments() {
  if (more()) return fail("Malformed arguments of a tag.");
  if (failed()) return;
  at_ = end_ + 1;
  end_ = tokens_.size();
}

void Parser::skipArguments() {
  at_ = std::max(at_, end_);
  closeArguments();
}

// Parses a body. What is set in it is not bound after it.
Node* Parser::parseWrapped(Names ends) {
  const size_t bound = reading_.bound.size();
  Node* body = parseBody(ends);
  reading_.bound.shrink(std::min(bound, reading_.bound.size()));
  return body;
}

// Parses the body of a tag with an optional `middle` tag, such as else, into `second` and `third`.
void Parser::parseBodies(Node* tag, std::string_view middle, std::string_view end) {
  closeArguments();
  tag->second = parseWrapped({middle, end});
  closeArguments();
  if (endTag_ != middle || failed()) return;
  tag->flags |= kElse;
  tag->third = parseWrapped({end});
  closeArguments();
}

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

Node* Parser::parseMacro(Node* tag) {
  tag->value = text(expect(TokenKind::kName));
  const std::string_view name = tag->value.text();
  reading_.bound.add(name);
  const size_t bound = reading_.bound.size();
  NodeList parameters;
  expectSymbol("(");
  while (!symbol(")") && !failed()) {
    Node* parameter = makeNamed(NodeKind::kSet, expect(TokenKind::kName));
    if (symbol("=")) parameter->first = parseExpression();
    parameters.add(parameter);
    reading_.bound.add(parameter->value.text());
    if (symbol(")")) break;
    expectSymbol(",");
  }
  tag->first = parameters.first;
  tag->document = &document_;
  const bool exported = keyword("export");
  closeArguments();
  tag->second = parseWrapped({"endmacro"});
  closeArguments();
  reading_.bound.shrink(std::min(bound, reading_.bound.size()));
  if (!exported) return tag;
  if (findNamed(document_.macros, name) != nullptr) {
    fail("another macro with name '{}' already exported", name);
  }
  tag->link = document_.macros;
  document_.macros = tag;
  return tag;
}

Node* Parser::parseBlock(Node* tag) {
  tag->value = text(expect(TokenKind::kName));
  const std::string_view name = tag->value.text();
  closeArguments();
  reading_.bound.add("block");
  tag->second = parseBody({"endblock"});
  if (more()) word(name);
  closeArguments();
  if (findNamed(document_.blocks, name) != nullptr) fail("Block named '{}' already defined", name);
  tag->link = document_.blocks;
  document_.blocks = tag;
  return tag;
}

// Returns the source of the template `name`. If there is none, returns null, after an error unless
// `optional`.
const Source* Parser::findTemplate(std::string_view name, bool optional) {
  const Source* source = reading_.library.find(name);
  if (source == nullptr && !optional && !failed()) {
    failure_.kind = ErrorKind::kNotFound;
    fail("{}", name);
  }
  return source;
}

Node* Parser::parseExtends(Node*) {
  if (depth_ > 1) fail("The 'extends' tag can only defined on root level.");
  if (document_.parent != nullptr) fail("This template has already one parent.");
  const Source* source = findTemplate(expect(TokenKind::kString), false);
  closeArguments();
  if (failed()) return nullptr;
  Document* parent = Library::parse(*source, reading_);
  if (parent == nullptr) return nullptr;
  parent->child = &document_;
  document_.parent = parent;
  return nullptr;
}

Node* Parser::parseInclude(Node* tag) {
  const bool fixed = at(TokenKind::kString);
  tag->first =
      fixed ? makeNamed(NodeKind::kConstant, expect(TokenKind::kString)) : parseExpression();
  if (word("if_exists")) tag->flags |= kIfExists;
  const bool optional = (tag->flags & kIfExists) != 0;
  const Source* source =
      fixed && !failed() ? findTemplate(tag->first->value.text(), optional) : nullptr;
  if (fixed && source == nullptr) {
    skipArguments();
    return nullptr;
  }
  const size_t bound = reading_.bound.size();
  NodeList pairs;
  if (word("with")) {
    while (more()) {
      addPair(pairs, parsePair());
      if (!word("only")) continue;
      tag->flags |= kOnly;
      break;
    }
  }
  tag->third = pairs.first;
  closeArguments();
  if (source != nullptr && !failed()) {
    const bool isolated = reading_.isolated;
    reading_.isolated = isolated || (tag->flags & kOnly) != 0;
    tag->document = Library::parse(*source, reading_);
    reading_.isolated = isolated;
  }
  reading_.bound.shrink(bound);
  return tag;
}

Node* Parser::parseImport(Node* tag) {
  const Source* source = findTemplate(expect(TokenKind::kString), false);
  const Document* document = failed() ? nullptr : Library::parse(*source, reading_);
  if (document == nullptr) return nullptr;
  NodeList macros;
  do {
    const std::string_view name = expect(TokenKind::kName);
    Node* macro = makeNamed(NodeKind::kSet, keyword("as") ? expect(TokenKind::kName) : name);
    macro->link = findNamed(document->macros, name);
    if (macro->link == nullptr) fail("Macro '{}' not found (or not exported).", name);
    macros.add(macro);
    reading_.bound.add(macro->value.text());
  } while (symbol(",") && more());
  closeArguments();
  tag->first = macros.first;
  return tag;
}

Node* Parser::parseFilterTag(Node* tag) {
  NodeList filters;
  while (more()) {
    filters.add(parseFilter(false));
    if (!symbol("|")) break;
  }
  tag->first = filters.first;
  closeArguments();
  tag->second = parseBody({"endfilter"});
  skipArguments();
  return tag;
}

Node* Parser::parseAutoescape(Node* tag) {
  if (word("on")) {
    tag->flags = kOn;
  } else if (!word("off")) {
    fail("Only 'on' or 'off' is valid as an autoescape-mode.");
  }
  closeArguments();
  tag->second = parseBody({"endautoescape"});
  skipArguments();
  return tag;
}

Node* Parser::parseSpaceless(Node* tag) {
  closeArguments();
  tag->second = parseBody({"endspaceless"});
  skipArguments();
  return tag;
}

Node* Parser::parseComment(Node*) {
  closeArguments();
  while (more() && !(tokens_[at_].is(TokenKind::kSymbol, "{%") && at_ + 1 < end_ &&
                     tokens_[at_ + 1].is(TokenKind::kName, "endcomment"))) {
    ++at_;
  }
  if (!more()) {
    fail("Unexpected EOF, expected tag {}.", "endcomment");
    return nullptr;
  }
  at_ += 2;
  openArguments();
  closeArguments();
  return nullptr;
}

// Parses the arguments of a tag as expressions, one after the other.
Node* Parser::parseItems() {
  NodeList all;
  while (more()) all.add(parseExpression());
  return all.first;
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

Node* Parser::parseIfchanged(Node* tag) {
  ++reading_.slots;
  tag->first = parseItems();
  parseBodies(tag, "else", "endifchanged");
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

Node* Parser::parseNow(Node* tag) {
  tag->value = text(expect(TokenKind::kString));
  if (word("fake")) tag->flags = kFake;
  closeArguments();
  return tag;
}

Node* Parser::parseWidthratio(Node* tag) {
  NodeList all;
  for (int i = 0; i < 3; ++i) all.add(parseExpression());
  tag->first = all.first;
  if (keyword("as")) {
    tag->value = text(expect(TokenKind::kName));
    reading_.bound.add(tag->value.text());
  }
  closeArguments();
  return tag;
}

Node* Parser::parseLorem(Node* tag) {
  int64_t count = 1;
  if (at(TokenKind::kNumber)) {
    count = 0;
    integer(tokens_[at_++].text, count);
  }
  tag->value = Value::integer(reading_.heap, count);
  tag->op = 'b';
  if (at(TokenKind::kName)) {
    const std::string_view method = tokens_[at_++].text;
    tag->op = method[0];
    if (method != "w" && method != "p" && method != "b") {
      fail("lorem-method must be either 'w', 'p' or 'b'.");
    }
  }
  word("random");
  closeArguments();
  return tag;
}

Node* Parser::parseTemplateTag(Node* tag) {
  static constexpr std::array<std::array<std::string_view, 2>, 8> kTexts = {
      {{"openblock", "{%"},
       {"closeblock", "%}"},
       {"openvariable", "{{"},
       {"closevariable", "}}"},
       {"openbrace", "{"},
       {"closebrace", "}"},
       {"opencomment", "{#"},
       {"closecomment", "#}"}}};
  const std::string_view name = expect(TokenKind::kName);
  for (const auto& row : kTexts) {
    if (row[0] == name) tag->value = text(row[1]);
  }
  if (tag->value.isAbsent()) fail("Argument not found");
  closeArguments();
  return tag;
}

// There are no files.
Node* Parser::parseSsi(Node*) {
  fail("The tag 'ssi' reads files, which templates cannot.");
  return nullptr;
}

}  // namespace strata::jinja::pongo2
