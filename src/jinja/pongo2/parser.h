// Parses the tokens of one pongo2 template. It accepts what pongo2's parser.go,
// parser_expression.go and the parsers of its tags accept.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "jinja/heap_vector.h"
#include "jinja/pongo2/library.h"
#include "jinja/pongo2/node.h"
#include "jinja/pongo2/token.h"

namespace strata::jinja::pongo2 {

class Parser {
 public:
  /// `failure` receives the first error in this template; errors in templates that it names are in
  /// the Reading.
  Parser(Document& document, std::span<Token> tokens, Reading& reading, SyntaxFailure& failure);

  void parse();

 private:
  // In WebAssembly, parsing uses well under 300 bytes of native stack per level.
  static constexpr uint32_t kMaxNesting = 300;

  using Names = std::initializer_list<std::string_view>;
  struct Tag {
    std::string_view name;
    Node* (Parser::*parse)(Node* tag);
    NodeKind kind;
  };
  static const Tag kTags[];

  // Tokens.
  bool more() const { return at_ < end_; }
  bool at(TokenKind kind) const { return more() && tokens_[at_].kind == kind; }
  bool at(TokenKind kind, std::string_view text) const {
    return more() && tokens_[at_].is(kind, text);
  }
  bool skip(TokenKind kind, std::string_view text) {
    const bool found = at(kind, text);
    at_ += found ? 1 : 0;
    return found;
  }
  bool symbol(std::string_view text) { return skip(TokenKind::kSymbol, text); }
  bool keyword(std::string_view text) { return skip(TokenKind::kKeyword, text); }
  bool word(std::string_view text) { return skip(TokenKind::kName, text); }
  /// Reads a token of this kind, or fails.
  std::string_view expect(TokenKind kind);
  void expectSymbol(std::string_view text);
  bool failed() const { return failure_.happened || reading_.error; }
  void fail(const char* pattern, std::string_view part = {});
  uint32_t offset() const;
  bool enter();
  void leave();
  /// Where the budget ends, no token follows, so a token is read before the node that is made of
  /// it.
  Node* make(NodeKind kind);
  /// Makes a node for the name that has just been read.
  Node* makeNamed(NodeKind kind, std::string_view name);
  Value text(std::string_view bytes) { return Value::string(reading_.heap, bytes); }

  // Expressions (parser.cpp).
  Node* parseExpression();
  Node* parseRelation();
  Node* parseSimple();
  Node* parseTerm();
  Node* parsePower();
  Node* parseFactor();
  Node* parseOperands(Node* left, std::string_view operators, Node* (Parser::*next)());
  Node* parseVariableOrLiteral();
  Node* parseNumber();
  Node* parseVariable();
  Node* parsePart(Node* last);
  void parseArguments(Node* call);
  Node* parseFilters(Node* operand);
  Node* parseFilter(bool mustExist);
  bool integer(std::string_view digits, int64_t& out);

  // Texts, and what all tags have in common (parser_document.cpp).
  Node* parseBody(Names ends);
  Node* parseElement();
  Node* parseText();
  Node* parseTag();
  void openArguments();
  void closeArguments();
  void skipArguments();
  Node* parseWrapped(Names ends);
  void parseBodies(Node* tag, std::string_view middle, std::string_view end);

  // Tags that choose, repeat and set (tags_flow.cpp).
  Node* parseIf(Node* tag);
  Node* parseIfequal(Node* tag);
  Node* parseItems();
  Node* parseIfchanged(Node* tag);
  Node* parseFirstof(Node* tag);
  Node* parseCycle(Node* tag);
  Node* parseFor(Node* tag);
  Node* parsePair();
  void addPair(NodeList& pairs, Node* pair);
  Node* parseSet(Node* tag);
  Node* parseWith(Node* tag);

  // Tags that lead to other templates or to parts of one (tags_templates.cpp).
  Node* parseMacro(Node* tag);
  Node* parseBlock(Node* tag);
  const Source* findTemplate(std::string_view name, bool optional);
  Node* parseExtends(Node* tag);
  Node* parseInclude(Node* tag);
  Node* parseImport(Node* tag);

  // Tags that change or make output (tags_output.cpp).
  Node* parseFilterTag(Node* tag);
  Node* parseAutoescape(Node* tag);
  Node* parseSpaceless(Node* tag);
  Node* parseComment(Node* tag);
  Node* parseNow(Node* tag);
  Node* parseWidthratio(Node* tag);
  Node* parseLorem(Node* tag);
  Node* parseTemplateTag(Node* tag);
  Node* parseSsi(Node* tag);

  Document& document_;
  std::span<Token> tokens_;
  Reading& reading_;
  SyntaxFailure& failure_;
  size_t at_ = 0;
  size_t end_;  // of the tokens that may be read: those of a tag's arguments, or all
  uint32_t depth_ = 0;
  std::string_view endTag_;  // that ended the last body
};

}  // namespace strata::jinja::pongo2
