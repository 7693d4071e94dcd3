// Why this file exists: the body of a request is written once, front to back, and each piece of it
// is told to the manifest as it is written.
//
//     {"systemInstruction":{…},"tools":…,"toolConfig":…,"generationConfig":…,"safetySettings":…,
//      "cachedContent":…,"contents":[ … ]}
#pragma once

#include <string_view>
#include <vector>

#include "base/segments.h"
#include "layers/manifest.h"
#include "thread/thread.h"

namespace strata::layers {

/// Writes one body into segments. What is handed over is borrowed, except cachedContent's name.
class BodyWriter {
 public:
  BodyWriter(Segments& body, std::vector<Piece>& pieces) : body_(body), pieces_(pieces) {}

  void systemInstruction(std::string_view quotedText, const Digest& digest);
  void field(std::string_view name, std::string_view json, const Digest& digest);
  void cachedContent(std::string_view name);

  // From here on the Contents, in their order.
  void text(std::string_view name, std::string_view quotedText, const Digest& digest);
  void history(const thread::Thread& thread, size_t from, size_t to);
  /// `copy` where the Content does not outlive the call.
  void trigger(std::string_view content, bool copy, const Digest& digest);
  void close();

 private:
  size_t openField(std::string_view name);
  size_t openContent();
  Piece& add(std::string_view name, size_t bytes, const Digest& digest);

  Segments& body_;
  std::vector<Piece>& pieces_;
  bool inContents_ = false;
};

}  // namespace strata::layers
