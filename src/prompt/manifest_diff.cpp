#include "prompt/manifest_diff.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "json/given.h"
#include "sections/manifest_version.h"

namespace strata::prompt {
namespace {

using json::Document;
using json::Given;
using Sections = std::vector<Given>;

// Layers are compared by their sections; turns are not compared.
constexpr std::array<std::string_view, 5> kLayerPieces = {"systemInstruction", "static", "dynamic",
                                                          "buffered", "trigger"};

Given idOf(Given section) { return section.find("id"); }

// Returns whether both are the same text, or both are no text.
bool equalTexts(Given a, Given b) {
  return a.is(json::Kind::kString) == b.is(json::Kind::kString) && a.text() == b.text();
}

bool isSame(Given a, Given b) {
  return equalTexts(idOf(a), idOf(b)) && equalTexts(a.find("fingerprint"), b.find("fingerprint")) &&
         equalTexts(a.find("stability"), b.find("stability"));
}

const Given* findById(const Sections& sections, Given id) {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](Given section) { return equalTexts(idOf(section), id); });
  return found == sections.end() ? nullptr : &*found;
}

Sections stableOf(const Sections& sections) {
  Sections stable;
  std::copy_if(sections.begin(), sections.end(), std::back_inserter(stable),
               [](Given section) { return section.find("stability").equals("stable"); });
  return stable;
}

// Returns the position of `id` among the sections whose ids are in `others`, too: added or removed
// sections do not move others.
size_t orderOf(const Sections& sections, const Sections& others, Given id) {
  size_t position = 0;
  for (const Given section : sections) {
    if (equalTexts(idOf(section), id)) break;
    if (findById(others, idOf(section)) != nullptr) ++position;
  }
  return position;
}

Document sizeOf(const Sections& sections, size_t from, size_t to) {
  Document size = Document::object();
  for (const char* name : {"bytes", "tokens"}) {
    int64_t sum = 0;
    for (size_t i = from; i < to; ++i) {
      sum += static_cast<int64_t>(sections[i].find(name).number().value_or(0));
    }
    size[name] = sum;
  }
  return size;
}

Document changeOf(std::string_view change, Given before, Given after) {
  Document document = Document::object();
  document["id"] = idOf(before ? before : after).text();
  document["change"] = std::string(change);
  if (before) document["before"] = json::toDocument(before.value());
  if (after) document["after"] = json::toDocument(after.value());
  return document;
}

// Returns the changes in the order of `before`, then the added sections.
Document changesOf(const Sections& before, const Sections& after) {
  Document changes = Document::array();
  for (const Given old : before) {
    const Given* const now = findById(after, idOf(old));
    if (now == nullptr) {
      changes.push_back(changeOf("removed", old, {}));
    } else if (!isSame(old, *now)) {
      changes.push_back(changeOf("changed", old, *now));
    } else if (orderOf(before, after, idOf(old)) != orderOf(after, before, idOf(old))) {
      changes.push_back(changeOf("moved", old, *now));
    }
  }
  for (const Given section : after) {
    if (findById(before, idOf(section)) == nullptr) {
      changes.push_back(changeOf("added", {}, section));
    }
  }
  return changes;
}

// The pieces of a request that are fields of its body, such as `tools`.
std::vector<Given> fieldsOf(Given manifest) {
  std::vector<Given> fields;
  for (const Given piece : manifest.find("pieces").elements()) {
    const std::string name = piece.find("name").text();
    if (std::find(kLayerPieces.begin(), kLayerPieces.end(), name) == kLayerPieces.end()) {
      fields.push_back(piece);
    }
  }
  return fields;
}

Given fingerprintOf(const std::vector<Given>& fields, const std::string& name) {
  for (const Given field : fields) {
    if (field.find("name").equals(name)) return field.find("fingerprint");
  }
  return {};
}

// Returns the names of the fields that were changed, added or removed.
Document changedFields(Given before, Given after) {
  const std::vector<Given> old = fieldsOf(before);
  const std::vector<Given> now = fieldsOf(after);
  Document names = Document::array();
  for (const Given field : old) {
    const std::string name = field.find("name").text();
    if (!equalTexts(field.find("fingerprint"), fingerprintOf(now, name))) names.push_back(name);
  }
  for (const Given field : now) {
    const std::string name = field.find("name").text();
    if (!fingerprintOf(old, name)) names.push_back(name);
  }
  return names;
}

Status checkVersion(Given manifest) {
  const Given version = manifest.find("version");
  if (version.equals(sections::kManifestVersion)) return {};
  const std::string given = version.is(json::Kind::kString) ? version.text() : version.described();
  return Error{"manifest.version", 0, "",
               "Only manifests of version 1 can be compared, not version " +
                   (version ? given : "undefined")};
}

bool sameFingerprint(Given before, Given after, std::string_view half) {
  return equalTexts(before.find("fingerprints").find(half), after.find("fingerprints").find(half));
}

}  // namespace

Result<Document> diffManifests(json::Value before, json::Value after) {
  const Given a(before);
  const Given b(after);
  for (const Given manifest : {a, b}) {
    if (Status status = checkVersion(manifest); !status) return std::move(status.error());
  }
  const Sections all[] = {a.find("sections").elements(), b.find("sections").elements()};
  const Sections stable[] = {stableOf(all[0]), stableOf(all[1])};
  const size_t most = std::min(stable[0].size(), stable[1].size());
  size_t shared = 0;
  while (shared < most && isSame(stable[0][shared], stable[1][shared])) ++shared;
  Document diff = Document::object();
  diff["sameStable"] = sameFingerprint(a, b, "stable");
  diff["sameDynamic"] = sameFingerprint(a, b, "dynamic");
  diff["sections"] = changesOf(all[0], all[1]);
  if (shared < stable[0].size()) {
    diff["firstChange"] = idOf(stable[0][shared]).text();
  } else if (shared < stable[1].size()) {
    diff["firstChange"] = idOf(stable[1][shared]).text();
  }
  diff["shared"] = sizeOf(stable[0], 0, shared);
  diff["lost"] = sizeOf(stable[0], shared, stable[0].size());
  diff["fresh"] = sizeOf(stable[1], shared, stable[1].size());
  if (a.find("pieces") && b.find("pieces")) {
    diff["fields"] = changedFields(a, b);
    diff["cacheStale"] = !equalTexts(a.find("cache").find("key"), b.find("cache").find("key"));
  }
  return diff;
}

}  // namespace strata::prompt
