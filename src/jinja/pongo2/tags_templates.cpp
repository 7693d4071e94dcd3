// Parses the tags that lead to other templates or to parts of one: macro, block, extends, include,
// import.
#include <algorithm>

#include "jinja/pongo2/parser.h"

namespace strata::jinja::pongo2 {

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
    const size_t read = reading_.read.size();
    reading_.isolated = isolated || (tag->flags & kOnly) != 0;
    tag->document = Library::parse(*source, reading_);
    reading_.isolated = isolated;
    // A template that this one needs may be the one that does not exist.
    if (optional && tag->document == nullptr && reading_.error->kind == ErrorKind::kNotFound) {
      reading_.error.reset();
      reading_.read.shrink(read);
      tag = nullptr;
    }
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

}  // namespace strata::jinja::pongo2
