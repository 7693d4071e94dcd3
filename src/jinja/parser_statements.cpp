// Parses tags.
#include <array>
#include <utility>

#include "jinja/lexeme.h"
#include "jinja/parser.h"

namespace strata::jinja {

Stmt* Parser::parseTag(const Token& tag) {
  struct Row {
    std::string_view name;
    Stmt* (Parser::*parse)();
  };
  constexpr std::array<Row, 13> kTags = {{{"if", &Parser::parseIf},
                                          {"for", &Parser::parseFor},
                                          {"set", &Parser::parseSet},
                                          {"macro", &Parser::parseMacro},
                                          {"call", &Parser::parseCallBlock},
                                          {"filter", &Parser::parseFilterBlock},
                                          {"block", &Parser::parseBlock},
                                          {"extends", &Parser::parseExtends},
                                          {"include", &Parser::parseInclude},
                                          {"import", &Parser::parseImport},
                                          {"from", &Parser::parseFromImport},
                                          {"with", &Parser::parseWith},
                                          {"print", &Parser::parsePrintTag}}};
  for (const Row& row : kTags) {
    if (row.name == tag.text) return (this->*row.parse)();
  }
  return parseOptionalTag(tag);
}

Stmt* Parser::parseOptionalTag(const Token& tag) {
  if (tag.text == "autoescape") return parseScope(StmtKind::kAutoescape, "endautoescape");
  if (options_.generationBlock && tag.text == "generation") {
    return parseScope(StmtKind::kScope, "endgeneration");
  }
  if (options_.loopControls && tag.text == "break") return parseLoopControl(StmtKind::kBreak);
  if (options_.loopControls && tag.text == "continue") return parseLoopControl(StmtKind::kContinue);
  if (options_.doStatement && tag.text == "do") {
    advance();
    return heap_.make<PrintStmt>(StmtKind::kDo, tag.offset, parseTuple({}));
  }
  tags_.shrink(tags_.size() - 1);
  unknownTag(tag.text, tag.offset);
  tags_.add(tag.text);
  return nullptr;
}

Stmt* Parser::parseIf() {
  auto* statement = heap_.make<IfStmt>(token_.offset);
  HeapVector<Branch> branches(heap_);
  uint32_t offset = token_.offset;
  advance();
  while (!failed()) {
    Expr* test = parseTuple({.conditional = false});
    const Body body = parseBlockBody({"elif", "else", "endif"}, false);
    branches.add({offset, test, body});
    const Token end = token_;
    advance();
    offset = token_.offset;
    if (end.isName("else")) statement->otherwise = parseBlockBody({"endif"}, true);
    if (!end.isName("elif")) break;
  }
  statement->branches = branches.span();
  return statement;
}

Stmt* Parser::parseFor() {
  auto* loop = heap_.make<ForNode>(token_.offset);
  advance();
  ++forDepth_;
  ++loopDepth_;
  loop->target = parseTarget("in", false);
  loop->testTarget = loop->target;
  expectName("in");
  loop->iterable = parseTuple({.conditional = false, .endName = "recursive"});
  if (skipName("if")) loop->test = parseExpression();
  loop->recursive = skipName("recursive");
  uint8_t uses = 0;
  const uint32_t scopedBlocks = scopedBlocks_;
  loop->body = parseOwnBody({"endfor", "else"}, uses, true);
  const bool otherwise = atName("else");
  advance();
  // A break in the else branch leaves the loop around this one. A recursive loop, a function of its
  // own, has none.
  const uint32_t outerLoops = forDepth_ - 1;
  forDepth_ = loop->recursive ? 0 : outerLoops;
  if (otherwise) loop->otherwise = parseBlockBody({"endfor"}, true);
  forDepth_ = outerLoops;
  // A scoped block may be overridden in another template, which can use any name.
  loop->usesLoop = loop->recursive || (uses & kUsesLoop) != 0 || scopedBlocks_ != scopedBlocks;
  --loopDepth_;
  return loop;
}

Stmt* Parser::parseLoopControl(StmtKind kind) {
  const Token tag = token_;
  if (forDepth_ == 0) failAfterParsing("'{}' outside loop", tag.offset, tag.text);
  advance();
  return heap_.make<Stmt>(kind, tag.offset);
}

Stmt* Parser::parseSet() {
  const uint32_t offset = token_.offset;
  advance();
  const Target target = parseTarget({}, true);
  if (skip(TokenType::kAssign)) {
    Expr* value = parseTuple({});
    return heap_.make<SetStmt>(offset, target, value);
  }
  auto* capture = heap_.make<CaptureStmt>(StmtKind::kSetBlock, offset);
  capture->target = target;
  if (at(TokenType::kPipe)) {
    capture->filter = heap_.make<ConstantExpr>(token_.offset, Value::none());
    while (skip(TokenType::kPipe)) parseFilter(capture->filter);
  }
  capture->body = parseBlockBody({"endset"}, true);
  return capture;
}

Stmt* Parser::parseFilterBlock() {
  auto* capture = heap_.make<CaptureStmt>(StmtKind::kFilterBlock, token_.offset);
  advance();
  capture->filter = heap_.make<ConstantExpr>(token_.offset, Value::none());
  parseFilter(capture->filter);
  while (skip(TokenType::kPipe)) parseFilter(capture->filter);
  capture->body = parseBlockBody({"endfilter"}, true);
  return capture;
}

Stmt* Parser::parseMacro() {
  auto* macro = heap_.make<MacroNode>(StmtKind::kMacro, token_.offset);
  advance();
  macro->name = parseTargetName();
  parseSignature(*macro);
  // A break cannot leave a macro.
  const uint32_t outerLoops = std::exchange(forDepth_, 0);
  macro->body = parseOwnBody({"endmacro"}, macro->uses, true);
  forDepth_ = outerLoops;
  advance();
  return macro;
}

Stmt* Parser::parseCallBlock() {
  auto* macro = heap_.make<MacroNode>(StmtKind::kCallBlock, token_.offset);
  advance();
  if (at(TokenType::kLeftParen)) parseSignature(*macro);
  macro->call = parseExpression();
  if (macro->call->last == nullptr || macro->call->last->kind != StepKind::kCall) {
    fail("expected call", macro->offset);
  } else {
    const auto& call = static_cast<const CallStep&>(*macro->call->last);
    for (const Keyword& keyword : call.arguments.named) {
      if (keyword.name == "caller")
        failAfterParsing("keyword argument repeated: caller", call.offset);
    }
  }
  const uint32_t outerLoops = std::exchange(forDepth_, 0);
  macro->body = parseOwnBody({"endcall"}, macro->uses, true);
  forDepth_ = outerLoops;
  advance();
  return macro;
}

void Parser::parseSignature(MacroNode& macro) {
  expect(TokenType::kLeftParen);
  HeapVector<Parameter> parameters(heap_);
  while (!at(TokenType::kRightParen) && !failed()) {
    if (!parameters.empty()) expect(TokenType::kComma);
    const uint32_t offset = token_.offset;
    Name* name = parseTargetName();
    Expr* value = nullptr;
    if (skip(TokenType::kAssign)) {
      value = parseExpression();
    } else if (!parameters.empty() && parameters.back().defaultValue != nullptr) {
      fail("non-default argument follows default argument", token_.offset);
    }
    for (const Parameter& other : parameters) {
      if (other.name != name) continue;
      failAfterParsing("duplicate argument '{}'", offset, name->text);
    }
    if (parameters.size() > 255) fail("more than 255 parameters", offset);
    parameters.add({name, value});
  }
  expect(TokenType::kRightParen);
  macro.parameters = parameters.span();
}

Stmt* Parser::parseWith() {
  auto* with = heap_.make<WithStmt>(token_.offset);
  advance();
  HeapVector<SetStmt*> sets(heap_);
  while (!at(TokenType::kBlockEnd) && !failed()) {
    if (!sets.empty()) expect(TokenType::kComma);
    const uint32_t offset = token_.offset;
    const Target target = parseTarget({}, false);
    expect(TokenType::kAssign);
    Expr* value = parseExpression();
    sets.add(heap_.make<SetStmt>(offset, target, value));
  }
  with->sets = sets.span();
  with->body = parseBlockBody({"endwith"}, true);
  return with;
}

Stmt* Parser::parseScope(StmtKind kind, std::string_view end) {
  auto* scope = heap_.make<ScopeStmt>(kind, token_.offset);
  advance();
  const uint32_t variables = variables_;
  const bool outer = volatile_;
  if (kind == StmtKind::kAutoescape) scope->value = parseExpression();
  volatile_ = outer || variables_ != variables;
  scope->body = parseBlockBody({end}, true);
  volatile_ = outer;
  return scope;
}

Stmt* Parser::parseBlock() {
  auto* block = heap_.make<BlockStmt>(token_.offset);
  advance();
  block->name = expect(TokenType::kName).text;
  block->scoped = skipName("scoped");
  if (block->scoped) ++scopedBlocks_;
  block->required = skipName("required");
  if (at(TokenType::kSubtract)) {
    fail(
        "Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use "
        "an underscore instead.",
        token_.offset);
  }
  if (blockNames_.find(block->name) != nullptr) {
    failAfterParsing("block '{}' defined twice", block->offset, block->name);
  }
  blockNames_.set(Value::string(heap_, block->name), Value::none());
  blocks_.add(block);
  const uint32_t outerLoops = std::exchange(forDepth_, 0);
  const bool isVolatile = std::exchange(volatile_, false);
  block->body = parseOwnBody({"endblock"}, block->uses, false);
  volatile_ = isVolatile;
  forDepth_ = outerLoops;
  for (const Stmt* s = block->body.first; block->required && s != nullptr; s = s->next) {
    const std::string_view text =
        s->kind == StmtKind::kText ? static_cast<const TextStmt*>(s)->text : "x";
    if (leadingSpace(text) == text.size()) continue;
    fail("Required blocks can only contain comments or whitespace", token_.offset);
  }
  advance();
  skipName(block->name);
  return block;
}

Stmt* Parser::parseExtends() {
  auto* statement = heap_.make<TemplateStmt>(StmtKind::kExtends, token_.offset);
  advance();
  statement->source = parseExpression();
  parsed_.extends = true;
  return statement;
}

// Parses "with context" or "without context". Returns false if neither follows.
bool Parser::parseContextChoice(bool& withContext) {
  if (!atName("with") && !atName("without")) return false;
  if (!peek().isName("context")) return false;
  withContext = atName("with");
  advance();
  advance();
  return true;
}

Stmt* Parser::parseInclude() {
  auto* statement = heap_.make<TemplateStmt>(StmtKind::kInclude, token_.offset);
  advance();
  statement->source = parseExpression();
  if (atName("ignore") && peek().isName("missing")) {
    statement->ignoreMissing = true;
    advance();
    advance();
  }
  statement->withContext = true;
  parseContextChoice(statement->withContext);
  return statement;
}

Stmt* Parser::parseImport() {
  auto* statement = heap_.make<TemplateStmt>(StmtKind::kImport, token_.offset);
  advance();
  statement->source = parseExpression();
  expectName("as");
  statement->alias = parseTargetName();
  parseContextChoice(statement->withContext);
  return statement;
}

Stmt* Parser::parseFromImport() {
  auto* statement = heap_.make<TemplateStmt>(StmtKind::kFromImport, token_.offset);
  advance();
  statement->source = parseExpression();
  expectName("import");
  HeapVector<ImportedName> names(heap_);
  while (!failed()) {
    if (!names.empty()) expect(TokenType::kComma);
    if (!at(TokenType::kName)) expect(TokenType::kName);
    if (parseContextChoice(statement->withContext)) break;
    const uint32_t offset = token_.offset;
    Name* name = parseTargetName();
    if (name->text.substr(0, 1) == "_") {
      fail("names starting with an underline can not be imported", offset);
    }
    names.add({name->text, skipName("as") ? parseTargetName() : name, {}});
    if (parseContextChoice(statement->withContext) || !at(TokenType::kComma)) break;
  }
  statement->names = names.span();
  return statement;
}

Stmt* Parser::parsePrintTag() {
  advance();
  Stmt* first = nullptr;
  Stmt* last = nullptr;
  while (!at(TokenType::kBlockEnd) && !failed()) {
    if (last != nullptr) expect(TokenType::kComma);
    const uint32_t variables = variables_;
    Expr* value = parseExpression();
    auto* print = heap_.make<PrintStmt>(StmtKind::kPrint, value->anchor, value);
    print->folded = variables_ == variables;
    (last == nullptr ? first : last->next) = print;
    last = print;
  }
  return first;
}

void Parser::assign(const Name* name, uint32_t offset) {
  uses_.assigned |= name->special;
  if (loopDepth_ > 0 && name->special == kUsesLoop) {
    failAfterParsing("Can't assign to special loop variable in for-loop target", offset);
  }
}

Name* Parser::parseTargetName() {
  const Token token = expect(TokenType::kName);
  Name* name = names_.intern(token.text);
  for (std::string_view word : {"true", "false", "none", "True", "False", "None"}) {
    if (token.text == word) fail("can't assign to 'name'", token.offset);
  }
  uses_.assigned |= name->special;
  return name;
}

Target Parser::parseTarget(std::string_view endName, bool withNamespace) {
  if (withNamespace && peek().is(TokenType::kDot)) {
    const Token name = expect(TokenType::kName);
    advance();
    Target target;
    target.kind = Target::Kind::kAttribute;
    target.name = names_.intern(name.text);
    target.attribute = expect(TokenType::kName).text;
    return target;
  }
  const Uses before = uses_;
  const Expr* expr = parseTuple({.simple = true, .endName = endName});
  uses_ = before;
  return toTarget(expr);
}

Target Parser::toTarget(const Expr* expr) {
  Target target;
  if (expr->kind == ExprKind::kName && expr->first == nullptr) {
    target.name = static_cast<const NameExpr*>(expr)->name;
    assign(target.name, expr->offset);
    return target;
  }
  if (expr->kind != ExprKind::kTuple || expr->first != nullptr) {
    constexpr std::array<std::string_view, 9> kNames = {"const", "name", "list", "tuple",   "dict",
                                                        "not",   "neg",  "pos",  "condexpr"};
    fail("can't assign to '{}'", expr->offset, kNames[static_cast<size_t>(expr->kind)]);
    return target;
  }
  target.kind = Target::Kind::kTuple;
  HeapVector<Target> items(heap_);
  for (const Expr* item : static_cast<const ItemsExpr*>(expr)->items) {
    items.add(toTarget(item));
  }
  target.items = items.span();
  return target;
}

}  // namespace strata::jinja
