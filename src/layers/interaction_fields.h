// Holds the options of a request in the form of the Interactions API, so that options that stay the
// same are converted once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "catalogue/finding.h"
#include "interactions/body_fields.h"

namespace strata::layers {

class InteractionFields {
 public:
  struct Field {
    std::string_view name;
    std::string json;
    Digest digest{};
  };

  /// Converts `options`, an object with the fields of a generateContent request as the caller wrote
  /// them.
  void update(std::string options, const catalogue::Target& target);

  const std::vector<Field>& all() const { return fields_; }
  /// Returns the JSON of a field, or "".
  std::string_view jsonOf(std::string_view name) const;
  /// Of the media in the history, or "".
  const std::string& resolution() const { return resolution_; }
  const catalogue::Findings& findings() const { return findings_; }

 private:
  std::string options_;
  const catalogue::ModelRow* model_ = nullptr;  // whose schemas the options have
  std::vector<Field> fields_;
  std::string resolution_;
  catalogue::Findings findings_;
};

}  // namespace strata::layers
