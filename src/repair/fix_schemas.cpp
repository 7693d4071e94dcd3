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

void rewriteSchemas(json::Value request, const lint::LintContext& context, Edits& edits,
                    catalogue::Findings& repaired) {
  for (const SchemaField& field : schemas::schemaFields(request)) {
    std::optional<schemas::Rewriting> rewriting =
        schemas::repairSchema(field.subject, context.target, isAlone(field));
    if (!rewriting) continue;
    Changes changes = {replacement(field.subject.schema, {newText(std::move(rewriting->schema))})};
    if (rewriting->form != field.subject.form) {
      const std::string name = "\"" + schemas::jsonSchemaField(field.key) + "\"";
      changes.push_back(replacement(field.key, {newText(name)}));
    }
    if (!edits.add(changes)) continue;
    std::move(rewriting->repaired.begin(), rewriting->repaired.end(), std::back_inserter(repaired));
  }
}

Changes dropSameDeclaration(const Snapshot& snapshot, const Finding& finding) {
  const json::Place place = json::locate(snapshot.request, finding.path);
  std::vector<schemas::Element> declarations;
  schemas::schemaFields(snapshot.request, &declarations);
  for (const schemas::Element& each : declarations) {
    if (each.value.index() >= place.item.index()) break;
    const bool same = each.value.bytes() == place.item.bytes();
    if (same && place.container.isArray()) return {removal(place.container, place.item)};
  }
  return {};
}

Changes dropIdleCallingConfig(const Snapshot& snapshot, const Finding& finding) {
  const json::Place place = json::locate(snapshot.request, finding.path);
  if (!place.item) return {};
  const std::string mode = gemini::field(place.item.next(), "mode").text();
  const bool idle = mode.empty() || mode == "AUTO" || mode == "NONE";
  if (!idle) return {};
  return {removal(place.container, place.item)};
}

}  // namespace strata::repair
