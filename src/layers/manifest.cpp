#include "layers/manifest.h"

#include "base/version.h"
#include "prompt/manifest_version.h"

namespace strata::layers {
namespace {

bool matchesDigest(json::Value value, const Digest& digest) { return value.equals(toHex(digest)); }

// Returns the bytes of `sent`, a piece of the previous request, if it was the trigger and is now
// turn `turn` of the thread; otherwise 0.
size_t sharedTrigger(json::Value sent, size_t turn, const thread::Thread& thread) {
  if (!sent.find("name").equals("trigger") || turn >= thread.size()) return 0;
  if (!matchesDigest(sent.find("fingerprint"), thread.checkpointAfter(turn + 1).digest)) return 0;
  return static_cast<size_t>(sent.find("bytes").integer(0));
}

// Returns the bytes that `piece`, which is history, shares with the previous request: with
// `before`, the piece at the same position, and `next`, the piece after that.
size_t sharedHistory(const Piece& piece, json::Value before, json::Value next,
                     const thread::Thread& thread) {
  // Without history, as in the first request of a thread, the trigger is at this position.
  const auto from = static_cast<size_t>(piece.from);
  if (before.find("name").equals("trigger")) return sharedTrigger(before, from, thread);
  if (!before.find("name").equals(piece.name)) return 0;
  if (before.find("from").integer(-2) != piece.from) return 0;
  const int64_t to = before.find("to").integer(-1);
  if (to < 0 || to > piece.to) return 0;
  const auto sent = static_cast<size_t>(to);
  if (!matchesDigest(before.find("fingerprint"), thread.checkpointAfter(sent).digest)) return 0;
  const auto bytes = static_cast<size_t>(before.find("bytes").integer(0));
  return to == piece.to ? bytes : bytes + sharedTrigger(next, sent, thread);
}

void writePieces(json::Writer& out, const std::vector<Piece>& pieces) {
  const json::Writer::Scope list = out.array("pieces");
  for (const Piece& piece : pieces) {
    const json::Writer::Scope object = out.object();
    out.key("name").string(piece.name);
    out.key("bytes").integer(static_cast<int64_t>(piece.bytes));
    out.key("fingerprint").string(toHex(piece.digest));
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
    out.key("fingerprint").string(toHex(entry.digest));
    out.key("cached").boolean(entry.cached);
  }
}

// Writes, for each half, the sections of the compiled prompt and then the layer's own section.
void writeSections(json::Writer& out, const Manifest& manifest) {
  const json::Writer::Scope list = out.array("sections");
  for (const prompt::SectionEntry& own : manifest.ownSections) {
    for (const json::Value section : json::elements(manifest.compiled.find("sections"))) {
      const bool dynamic = section.find("stability").equals("dynamic");
      if (dynamic == own.dynamic) out.raw(section.bytes());
    }
    if (own.bytes > 0) prompt::writeSectionEntry(out, own);
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
  out.key("stable").string(toHex(manifest.layers[0].digest));
  out.key("dynamic").string(toHex(manifest.layers[1].digest));
  out.key("full").string(toHex(digestOfPieces(manifest.pieces)));
}

void writeCache(json::Writer& out, const Manifest& manifest) {
  const json::Writer::Scope object = out.object("cache");
  out.key("decision").string(manifest.cacheDecision);
  out.key("key").string(manifest.cacheKey).key("reason").string(manifest.cacheReason);
}

}  // namespace

size_t sharedPrefix(const std::vector<Piece>& pieces, json::Value previous,
                    const thread::Thread& thread) {
  const json::Value sent = previous.find("pieces");
  size_t shared = 0;
  size_t i = 0;
  for (const json::Value before : json::elements(sent)) {
    if (i == pieces.size()) break;
    const Piece& piece = pieces[i++];
    const json::Value next = i < sent.size() ? before.next() : json::Value();
    const auto bytes = static_cast<size_t>(before.find("bytes").integer(0));
    const bool history = piece.from >= 0;
    const bool same = before.find("name").equals(piece.name) && bytes == piece.bytes &&
                      matchesDigest(before.find("fingerprint"), piece.digest);
    if (history) shared += sharedHistory(piece, before, next, thread);
    if (!history && same) shared += bytes;
    if (!same) break;
  }
  return shared;
}

void writeManifest(json::Writer& out, const Manifest& manifest, std::string_view diagnostics) {
  const json::Writer::Scope object = out.object();
  out.key("version").string(prompt::kManifestVersion);
  out.key("compiler").string(kVersion);
  out.key("model").string(manifest.model);
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
