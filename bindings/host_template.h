// Renders text layers with templates that JavaScript holds: those of the module templates, which
// run in an instance of their own.
#pragma once

#include <emscripten/val.h>

#include <string>
#include <string_view>

#include "core.h"
#include "host_reply.h"
#include "layers/layer_template.h"

namespace strata::bindings {

/// The callback that renders the templates of one call: it receives (layer, variables as JSON
/// bytes), writes its result through `reply`, and returns true for a text, or false for
/// `{"templateError":{…}}`.
class TemplateHost {
 public:
  explicit TemplateHost(HostReply& reply) : reply_(reply) {}
  void setCallback(emscripten::val callback) { callback_ = std::move(callback); }
  layers::TemplateText render(layers::Layer layer, std::string_view variables,
                              const catalogue::Catalogue& catalogue);

 private:
  HostReply& reply_;
  emscripten::val callback_ = emscripten::val::undefined();
};

/// The template of one layer. The host, the catalogue, the description and the source must outlive
/// it.
class HostTemplate final : public layers::LayerTemplate {
 public:
  /// `given`: {"reads":["cached_history"],"callsHost":…}, the variables that the template reads,
  /// and whether it calls functions of the host.
  HostTemplate(layers::Layer layer, json::Value given, std::string_view source, TemplateHost& host,
               const catalogue::Catalogue& catalogue)
      : layer_(layer), given_(given), source_(source), host_(host), catalogue_(catalogue) {}

  std::string_view source() const override { return source_; }
  bool reads(std::string_view variable) const override;
  bool callsHost() const override { return given_.find("callsHost").isTrue(); }
  layers::TemplateText render(std::string_view variables, std::string_view now) const override;

 private:
  layers::Layer layer_;
  json::Value given_;
  std::string_view source_;
  TemplateHost& host_;
  const catalogue::Catalogue& catalogue_;
};

}  // namespace strata::bindings
