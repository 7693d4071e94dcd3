// Checks the steps of an Interactions body one by one: types, fields, texts, media, calls, results.
#pragma once

#include "catalogue/finding.h"
#include "json/value.h"

namespace strata::lint {

/// Appends findings about each step of `input`, which is an array, with paths below `/input`.
/// Unknown types of steps are left alone, apart from those of other APIs.
void checkSteps(json::Value input, const catalogue::Target& target, catalogue::Findings& findings);

/// Does the same for a list of Content, or a single one, at `path`.
void checkStepContent(json::Value content, const std::string& path, const catalogue::Target& target,
                      catalogue::Findings& findings);

}  // namespace strata::lint
