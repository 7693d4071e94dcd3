#include "layers/manifest.h"

#include "base/version.h"
#include "sections/manifest_version.h"

namespace strata::layers {
namespace {

void writePieces(json::Writer& out, const std::vector<Piece>& pieces) {
  const json::Writer::Scope list = out.array("pieces");
  for (const Piece& piece : pieces) {
    const json::Writer::Scope object = out.object();
    out.key("name").string(piece.name);
    out.key("bytes").integer(static_cast<int64_t>(piece.bytes));
    out.key("fingerprint").string(hexOf(piece.digest).text());
    if (piece.from >= 0) out.key("from").integer(piece.from).key("to").integer(piece.to);
  }
}

void writeLayers(json::Writer& out, const Manifest& manifest) {
  const json::Writer::Scope list = out.array("layers");
  for (size_t i = 0; i < manifest.layers.size(); ++i) {
    const LayerEntry& entry = manifest.layers[i];
    const json::Writer::Scope object = out.object();
    out.key("layer").string(layerName(static_cast<Layer>(i)));
    out.key("bytes").integer(static_cast<int64_t>(entry.bytes));
    out.key("tokens").integer(entry.tokens);
    out.key("fingerprint").string(hexOf(entry.digest).text());
    out.key("cached").boolean(entry.cached);
  }
}

// Writes, for each half, the sections of the compiled prompt and then the layer's own section.
void writeSections(json::Writer& out, const Manifest& manifest) {
  const json::Writer::Scope list = out.array("sections");
  for (const sections::SectionEntry& own : manifest.ownSections) {
    for (const json::Value section : json::elements(manifest.compiled.find("sections"))) {
      const bool dynamic = section.find("stability").equals("dynamic");
      if (dynamic == own.dynamic) out.raw(section.bytes());
    }
    if (own.bytes > 0) sections::writeSectionEntry(out, own);
  }
}

Digest digestOfPieces(const std::vector<Piece>& pieces) {
  Sha256 hash;
  for (const Piece& piece : pieces) {
    hash.add({reinterpret_cast<const char*>(piece.digest.data()), piece.digest.size()});
  }
  return hash.finish();
}

void writeFingerprints(json::Writer& out, const Manifest& manifest) {
  const json::Writer::Scope object = out.object("fingerprints");
  out.key("stable").string(hexOf(manifest.layers[0].digest).text());
  out.key("dynamic").string(hexOf(manifest.layers[1].digest).text());
  out.key("full").string(hexOf(digestOfPieces(manifest.pieces)).text());
}

void writeCache(json::Writer& out, const Manifest& manifest) {
  const json::Writer::Scope object = out.object("cache");
  out.key("decision").string(manifest.cacheDecision);
  out.key("key").string(manifest.cacheKey).key("reason").string(manifest.cacheReason);
}

}  // namespace

std::string_view wireOption(interactions::Wire wire) {
  return wire == interactions::Wire::kInteractions ? "interactions" : "generateContent";
}

void writeManifest(json::Writer& out, const Manifest& manifest, std::string_view diagnostics) {
  const json::Writer::Scope object = out.object();
  out.key("version").string(sections::kManifestVersion);
  out.key("compiler").string(kVersion);
  out.key("model").string(manifest.model);
  out.key("wire").string(wireOption(manifest.wire));
  const json::Value profile = manifest.compiled.find("profile");
  if (profile) out.key("profile").raw(profile.bytes());
  writeSections(out, manifest);
  writeFingerprints(out, manifest);
  writeLayers(out, manifest);
  writePieces(out, manifest.pieces);
  out.key("stablePrefixBytes").integer(static_cast<int64_t>(manifest.stablePrefixBytes));
  out.key("stablePrefixTokens").integer(manifest.stablePrefixTokens);
  out.key("promptTokens").integer(manifest.promptTokens);
  writeCache(out, manifest);
  out.key("diagnostics").raw(diagnostics);
}

}  // namespace strata::layers
