// Parses the tags that change or make output: filter, autoescape, spaceless, comment, now,
// widthratio, lorem, templatetag, ssi.
#include <array>

#include "jinja/pongo2/parser.h"

namespace strata::jinja::pongo2 {

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
