#include "jinja/pongo2/library.h"

#include <utility>

#include "jinja/pongo2/parser.h"

namespace strata::jinja::pongo2 {
namespace {

TemplateError limitError(Limit limit) {
  TemplateError error;
  error.kind = ErrorKind::kLimit;
  error.message = compose("the template exceeds the limit {}", nameOf(limit));
  return error;
}

}  // namespace

Library::Library(std::string source, Options options, std::string name)
    : options_(std::move(options)), budget_(options_.limits), heap_(budget_) {
  sources_.push_back(std::make_unique<Source>(std::move(name), std::move(source)));
  Reading reading(*this, heap_, budget_);
  reading.bound.add("pongo2");
  for (const std::string& function : options_.functions) reading.bound.add(function);
  main_ = parse(*sources_[0], reading);
  error_ = std::move(reading.error);
  slots_ = reading.slots;
  sortByName(reading.read.span());
  for (const std::string_view variable : reading.read) {
    if (variables_.empty() || variables_.back() != variable) variables_.emplace_back(variable);
  }
}

const Source* Library::find(std::string_view name) {
  for (const auto& source : sources_) {
    if (source->name() == name && !name.empty()) return source.get();
  }
  for (const NamedSource& named : options_.templates) {
    if (named.name != name) continue;
    sources_.push_back(std::make_unique<Source>(named.name, named.source));
    return sources_.back().get();
  }
  return nullptr;
}

Document* Library::parse(const Source& source, Reading& reading) {
  const Limits& limits = reading.library.options_.limits;
  const bool tooLong = source.text().size() > limits.source;
  if (tooLong || reading.depth > limits.includeDepth) {
    reading.error = limitError(tooLong ? Limit::kSource : Limit::kIncludeDepth);
    return nullptr;
  }
  ++reading.depth;
  SyntaxFailure failure;
  auto* document = reading.heap.make<Document>();
  document->source = &source;
  const std::span<Token> tokens = tokenize(source.text(), reading.heap, failure);
  if (!failure.happened) Parser(*document, tokens, reading, failure).parse();
  --reading.depth;
  if (failure.happened && !reading.error) {
    reading.error = TemplateError{failure.kind, std::move(failure.message), {}, 0, 0, 0, {}};
    source.locate(*reading.error, failure.offset);
  }
  return reading.error ? nullptr : document;
}

}  // namespace strata::jinja::pongo2
