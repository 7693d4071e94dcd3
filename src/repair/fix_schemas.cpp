#include "repair/fix_schemas.h"

#include <algorithm>
#include <iterator>

#include "json/pointer.h"
#include "schemas/fields.h"
#include "schemas/rewrite.h"

namespace strata::repair {
namespace {

using catalogue::Finding;
using catalogue::Rule;
using schemas::SchemaField;

constexpr Rule kRules[] = {
    Rule::kSchemaUnknownKeyword, Rule::kSchemaNotRepeating,      Rule::kSchemaInvalidValue,
    Rule::kSchemaEmptyObject,    Rule::kSchemaWrongType,         Rule::kSchemaItemsMissing,
    Rule::kSchemaTypeMissing,    Rule::kSchemaFormatUnsupported, Rule::kSchemaRootNotObject,
    Rule::kSchemaAnyOfSiblings,  Rule::kSchemaRefSiblings,
};

// Returns whether the same schema has no field of the other form.
bool isAlone(const SchemaField& field) {
  const json::Value other =
      gemini::field(field.owner, gemini::toCamelCase(schemas::jsonSchemaField(field.key)));
  return !other || other.isNull();
}

}  // namespace

bool isSchemaRule(Rule rule) {
  return std::find(std::begin(kRules), std::end(kRules), rule) != std::end(kRules);
}

namespace {

class SchemaRewriter : public schemas::RequestVisitor {
 public:
  SchemaRewriter(const catalogue::Target& target, std::vector<SchemaFix>& fixes)
      : target_(target), fixes_(fixes) {}

 private:
  void declaration(json::Value, const std::string&) override {}

  void field(const SchemaField& field) override {
    const schemas::Subject& subject = field.subject;
    std::optional<schemas::Rewriting> rewriting =
        schemas::repairSchema(subject, target_, isAlone(field));
    if (!rewriting) return;
    Changes changes;
    if (rewriting->form != subject.form) {
      const std::string name = "\"" + schemas::jsonSchemaField(field.key) + "\"";
      changes.push_back(replacement(field.key, newText(name)));
    }
    changes.push_back(replacement(subject.schema, newText(std::move(rewriting->schema))));
    fixes_.push_back({std::move(changes), std::move(rewriting->repaired)});
  }

  const catalogue::Target& target_;
  std::vector<SchemaFix>& fixes_;
};

// Whether a request has far more declarations than any service accepts. They stay as they are,
// because each one would be compared with all others.
bool hasTooManyDeclarations(json::Value request) {
  constexpr size_t kMost = 1024;
  size_t count = 0;
  for (const json::Value tool : gemini::repeated(gemini::field(request, "tools"))) {
    count += 1 + gemini::repeatedSize(gemini::field(tool, "functionDeclarations"));
    if (count > kMost) return true;
  }
  return false;
}

// Looks for an earlier declaration with the same bytes.
class SameDeclaration : public schemas::RequestVisitor {
 public:
  explicit SameDeclaration(json::Value given) : given_(given) {}
  bool found() const { return found_; }

 private:
  void declaration(json::Value value, const std::string&) override {
    found_ = found_ || (value.offset() < given_.offset() && value.bytes() == given_.bytes());
  }
  void field(const SchemaField&) override {}

  json::Value given_;
  bool found_ = false;
};

}  // namespace

void rewriteSchemas(json::Value request, const lint::LintContext& context,
                    std::vector<SchemaFix>& fixes) {
  SchemaRewriter(context.target, fixes).visit(request);
}

Changes dropEmptyTool(const Snapshot& snapshot, const Finding& finding) {
  if (hasTooManyDeclarations(snapshot.request)) return {};
  return dropField(snapshot, finding);
}

// An object of googleSearchRetrieval has nothing that googleSearch has too.
Changes useGoogleSearch(const Snapshot& snapshot, const Finding& finding) {
  if (hasTooManyDeclarations(snapshot.request)) return {};
  const json::Place place = json::locate(snapshot.request, finding.path);
  if (!place.item) return {};
  if (gemini::field(place.container, "googleSearch")) return dropField(snapshot, finding);
  Changes changes = changesOf(replacement(place.item, newText("\"googleSearch\"")));
  changes.push_back(replacement(place.item.valueOfKey(), newText("{}")));
  return changes;
}

Changes allowServerTools(const Snapshot& snapshot, const Finding&) {
  if (snapshot.context->target.model->generation <= catalogue::Generation::k2_5) return {};
  const std::string flag = "includeServerSideToolInvocations";
  const json::Value config = gemini::field(snapshot.request, "toolConfig");
  if (config.isObject()) return changesOf(setField(config, flag, newText("true")));
  if (config && !config.isNull()) return {};
  return changesOf(setField(snapshot.request, "toolConfig", newText("{\"" + flag + "\":true}")));
}

Changes dropSameDeclaration(const Snapshot& snapshot, const Finding& finding) {
  if (hasTooManyDeclarations(snapshot.request)) return {};
  const json::Place place = json::locate(snapshot.request, finding.path);
  SameDeclaration same(place.item);
  same.visit(snapshot.request);
  if (!same.found() || !place.container.isArray()) return {};
  return changesOf(removal(place.container, place.item));
}

Changes dropIdleCallingConfig(const Snapshot& snapshot, const Finding& finding) {
  const json::Place place = json::locate(snapshot.request, finding.path);
  if (!place.item) return {};
  const std::string mode = gemini::field(place.item.valueOfKey(), "mode").text();
  const bool idle = mode.empty() || mode == "AUTO" || mode == "NONE";
  if (!idle) return {};
  return changesOf(removal(place.container, place.item));
}

}  // namespace strata::repair
