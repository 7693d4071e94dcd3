// Converts a generateContent body to one of the Interactions API.
#include "gemini/content_view.h"
#include "interactions/body_fields.h"
#include "interactions/convert_body.h"
#include "interactions/to_steps.h"
#include "json/writer.h"

namespace strata::interactions {

Converted interactionOf(json::Value body, std::string_view model, const catalogue::Target& target,
                        const ConvertOptions& options) {
  InteractionFields converted = interactionFieldsOf(body, target);
  const Converted steps =
      stepsOf(gemini::field(body, "contents"), options, std::move(converted.resolution));
  json::Writer out;
  out.open('{');
  out.key("model").string(model);
  out.key("store").boolean(gemini::field(body, "store").isTrue());
  for (const BodyField& each : converted.fields) out.key(each.name).raw(each.json);
  out.key("input").raw(steps.json);
  out.close('}');
  converted.findings.append(steps.findings);
  return {out.take(), std::move(converted.findings)};
}

}  // namespace strata::interactions
