#include "core.h"

#include "out_of_memory.h"

namespace strata::bindings {

Options::Options(std::string_view json) {
  if (json.empty()) return;
  Result<json::Tape> tape = json::Tape::read(json);
  if (!tape) {
    status_ = std::move(tape.error());
  } else {
    tape_ = std::move(tape.value());
  }
}

json::OptionsReader Options::reader(std::string path) const {
  if (!status_) return json::OptionsReader(status_.error());
  return json::OptionsReader(root(), std::move(path));
}

uint32_t Core::outOfMemory() const {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&ranOutOfMemory));
}

catalogue::Target Core::targetOf(std::string_view model, catalogue::Service service) const {
  catalogue::Target target;
  target.catalogue = &catalogue_;
  target.model = &catalogue_.model(model, service);
  target.backend = service.backend;
  target.day = service.day;
  return target;
}

void Core::configure() {
  const Options given(exchange_.part(0));
  json::OptionsReader options = given.reader();
  options.accept("wasm");
  catalogue_.addModels(options);
  catalogue_.addRules(options);
  const Status status = options.finish();
  if (status) return exchange_.reply("{}");
  replyOptionError(status.error());
}

}  // namespace strata::bindings
