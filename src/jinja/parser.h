// Parses tokens into a syntax tree. The grammar and the error messages are those of
// jinja2/parser.py (Jinja2 3.1).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "jinja/heap_vector.h"
#include "jinja/lexer.h"
#include "jinja/names.h"
#include "jinja/units.h"

namespace strata::jinja {

/// The syntax tree of one template.
struct Parsed {
  Names* names = nullptr;  ///< Owned by the parser; valid while the parser lives.
  Unit root;
  std::span<BlockStmt*> blocks;  ///< In source order.
  bool extends = false;          ///< True if the template contains an extends tag.
};

/// Parses one template. Nesting is limited by Limits::parseDepth. After a failure (see
/// SyntaxFailure) the tree is unusable. `source`, `options`, `heap` and `failure` must outlive the
/// parser; the tree lives in `heap` and refers to `source`.
class Parser {
 public:
  Parser(std::string_view source, const Options& options, Heap& heap, SyntaxFailure& failure);

  /// Parses the whole template. Call it once.
  Parsed parse();

 private:
  /// The tag names that end a body: "endif", "else".
  using Ends = std::initializer_list<std::string_view>;

  // Tokens.
  void advance();
  const Token& peek();
  bool skip(TokenType type);
  bool skipName(std::string_view name);
  bool atName(std::string_view name) const { return token_.isName(name); }
  bool at(TokenType type) const { return token_.type == type; }
  Token expect(TokenType type);
  void expectName(std::string_view name);
  bool failed() const { return failure_.happened; }
  void fail(const char* pattern, uint32_t offset, std::string_view first = {},
            std::string_view second = {});
  /// Records an error that Jinja2 reports only after it has parsed the whole template.
  void failAfterParsing(const char* pattern, uint32_t offset, std::string_view part = {}) {
    deferred_.report(offset, pattern, part);
  }
  void unexpected();
  bool enter(uint32_t& depth);

  // Expressions (parser_expressions.cpp, parser_postfix.cpp).
  Expr* parseExpression(bool conditional = true);
  Expr* parseBinary(int minimum);
  Expr* parseNot();
  Expr* parseUnary(bool withFilters);
  Expr* parsePrimary();
  Expr* parseName();
  Expr* parseText();
  Expr* parseList();
  Expr* parseDict();
  struct TupleRules {
    bool simple = false;  ///< Only names and literals: assignment targets.
    bool conditional = true;
    bool parenthesized = false;
    std::string_view endName = {};
  };
  Expr* parseTuple(const TupleRules& rules);
  bool atTupleEnd(const TupleRules& rules) const;
  Expr* parsePostfix(Expr* expr);
  Expr* parseFilters(Expr* expr);
  Expr* parseFilter(Expr* expr);
  Expr* parseTest(Expr* expr);
  Expr* parseSubscript(Expr* expr);
  Expr* parseBrackets(Expr* expr, uint32_t offset);
  Step* parseSubscribed(uint32_t offset);
  Expr* parseCall(Expr* expr);
  CallArguments parseArguments();
  bool parseArgument(CallArguments& out, HeapVector<Expr*>& positional, HeapVector<Keyword>& named);
  std::string_view parseDottedName();
  void parseComparison(Expr* left);
  Expr* append(Expr* expr, Step* step, uint32_t anchor);

  // Statements (parser_statements.cpp).
  Body parseBody(Ends ends);
  Body parseBlockBody(Ends ends, bool dropEnd);
  Stmt* parseStatement();
  Stmt* parseTag(const Token& tag);
  Stmt* parseOptionalTag(const Token& tag);
  Stmt* parseIf();
  Stmt* parseFor();
  Stmt* parseSet();
  Stmt* parseMacro();
  Stmt* parseCallBlock();
  Stmt* parseFilterBlock();
  Stmt* parseWith();
  Stmt* parseScope(StmtKind kind, std::string_view end);
  Stmt* parseBlock();
  Stmt* parseExtends();
  Stmt* parseInclude();
  Stmt* parseImport();
  Stmt* parseFromImport();
  Stmt* parsePrintTag();
  Stmt* parseLoopControl(StmtKind kind);
  bool parseContextChoice(bool& withContext);
  void parseSignature(MacroNode& macro);
  Target parseTarget(std::string_view endName, bool withNamespace);
  Target toTarget(const Expr* expr);
  void assign(const Name* name, uint32_t offset);
  Name* parseTargetName();
  void unknownTag(std::string_view name, uint32_t offset);
  void endOfTemplate();
  std::string lookingFor(std::string_view found) const;

  /// The special names that a body reads before it assigns them.
  struct Uses {
    uint8_t read = 0;
    uint8_t assigned = 0;
  };
  Body parseOwnBody(Ends ends, uint8_t& uses, bool propagate);

  Heap& heap_;
  SyntaxFailure& failure_;
  SyntaxFailure deferred_;
  const Options& options_;
  Lexer lexer_;
  Names names_;
  Token token_;
  Token ahead_;
  bool hasAhead_ = false;
  uint32_t expressionDepth_ = 0;
  uint32_t blockDepth_ = 0;
  uint32_t forDepth_ = 0;      // loops that a break can leave
  uint32_t loopDepth_ = 0;     // all enclosing loops
  uint32_t scopedBlocks_ = 0;  // scoped blocks so far
  uint32_t variables_ = 0;     // parts so far that Jinja2 does not evaluate while compiling
  bool volatile_ = false;      // inside `autoescape` of a value that is not constant
  Uses uses_;
  HeapVector<Ends> ends_;              // of the open bodies
  HeapVector<std::string_view> tags_;  // of the open statements
  HeapVector<BlockStmt*> blocks_;
  Dict blockNames_;
  Parsed parsed_;
};

}  // namespace strata::jinja
