// Parses texts, and what all tags have in common, as pongo2's parser_document.go and tags.go do.
#include <algorithm>

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

}  // namespace strata::jinja::pongo2
