// See tables.h.
#include "plan/tables.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "spec/canonical.h"
#include "spec/yaml_tree.h"

namespace alnsmith::plan {

std::span<const std::pair<std::string_view, std::string_view>> embedded_tables();  // of the build

Result<Tuning> make_tuning(const TuningRequest &request, const spec::Spec &spec, const std::string &target) {
  if (!request.choice.empty()) {
    auto choice = parse_choice(request.choice);
    if (!choice) return Error{"--" + choice.error().message, 2};
    return Tuning(*std::move(choice));
  }
  Tuning tuning;
  std::string name = target + ".json";
  std::ranges::replace(name, ':', '-');
  const auto add = [&](std::string_view text, const std::string &path) {
    return tuning.add_table(text, path, spec::hash(spec), target, request.cpu);
  };
  if (request.folder.empty()) {
    for (const auto &[file, text] : embedded_tables())
      if (file == name)
        if (auto added = add(text, "tuned/" + name); !added) return added.error();
    return tuning;
  }
  std::error_code ignored;
  if (!std::filesystem::is_directory(request.folder, ignored))
    return Error{"--tuned " + request.folder + ": no such folder; name one of tables <target>.json"};
  const std::string path = request.folder + "/" + name;
  if (!std::filesystem::exists(path, ignored)) return tuning;
  auto text = spec::read_text_file(path);
  if (!text) return text.error();
  if (auto added = add(*text, path); !added) return added.error();
  return tuning;
}

}  // namespace alnsmith::plan
