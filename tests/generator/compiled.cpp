#include "compiled.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "alnsmith/alnsmith.hpp"
#include "base/cache.h"
#include "base/files.h"
#include "base/process.h"
#include "compile/compiler.h"
#include "foreign.h"
#include "processors.h"

namespace compiled {

namespace targets = alnsmith::targets;

namespace {
bool on_path(const std::string &program) { return std::system(("command -v " + program + " >/dev/null").c_str()) == 0; }
}  // namespace

std::string compiler(std::string_view machine) {
  if (machine != targets::host_machine()) return std::string(targets::find_machine(machine)->tools) + "g++";
  if (const char *set = std::getenv("ALNSMITH_CXX")) return set;
  std::istringstream names(ALNSMITH_KERNEL_COMPILERS);
  for (std::string name; names >> name;)
    if (on_path(name)) return name;
  throw std::runtime_error("no C++ compiler on PATH");
}

bool is_foreign(const alnsmith::backend::Target &target) {
  return !target.cpu->machine.empty() && target.cpu->machine != alnsmith::targets::host_machine();
}

std::string obstacle(const alnsmith::backend::Target &target) {
  const std::string_view machine = target.cpu->machine;
  if (machine.empty() || machine == targets::host_machine()) {
    const bool here = *alnsmith::parse_isa(target.name) <= *alnsmith::best_isa();
    return here ? "" : "this CPU has no " + target.name;
  }
  for (const std::string &program : {compiler(machine), emulator(*targets::find_machine(machine))})
    if (!on_path(program)) return "no " + program + " for " + target.name + "; tools/setup cross installs it";
  return {};
}

bool compile(const std::string &compiler_name, const std::string &flags, const std::string &text,
             const std::string &output) {
  const alnsmith::rt::Cache cache(scratch::kernel_cache());
  const std::string identity = alnsmith::rt::compile::file_identity(alnsmith::rt::find_program(compiler_name));
  const std::string kept = "object-" + alnsmith::rt::sha256_hex(identity + "\n" + flags + "\n" + text);
  if (const auto object = cache.load(kept)) {
    std::ofstream(output, std::ios::binary) << *object;
    return true;
  }
  std::ofstream(output + ".cpp") << text;
  const std::string command = compiler_name + " " + output + ".cpp -o " + output + " " + flags;
  if (std::system((command + " 2>" + output + ".log").c_str()) != 0) return false;
  const auto object = alnsmith::rt::read_file(output);
  if (object) (void)cache.store(kept, *object);  // else it is made again
  return true;
}

Object::Object(const std::vector<std::string> &texts, const alnsmith::backend::Target &target) {
  if (texts.empty()) return;
  const std::string flags = ALNSMITH_OBJECT_FLAGS " " + target.flags() + " -c";
  const bool foreign = is_foreign(target);
  const std::string compiler_name = compiler(foreign ? target.cpu->machine : targets::host_machine());
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  auto work = [&] {
    for (std::size_t i = next++; i < texts.size(); i = next++) {
      // Several manifests cannot share one object.
      std::string text = texts[i];
      for (std::size_t at; (at = text.find("aln_manifest_v1")) != std::string::npos;)
        text.replace(at, 15, "manifest" + std::to_string(i));
      if (!compile(compiler_name, flags, text, folder_.path(std::to_string(i) + ".o"))) failed = true;
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 1; t < processors(); ++t) threads.emplace_back(work);
  work();
  for (std::thread &t : threads) t.join();
  const std::string all = folder_.path("all.so");
  if (failed ||
      std::system((compiler_name + " -shared -o " + all + " " + folder_.path("*.o") + " 2>>" + folder_.path("link.log"))
                      .c_str()) != 0)
    throw std::runtime_error("compilation failed:\n" + said());
  if (foreign) {
    foreign_ = std::make_unique<Foreign>(*targets::find_machine(target.cpu->machine), folder_.path());
    return;
  }
  handle_ = dlopen(all.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) throw std::runtime_error(dlerror());
}

Object::~Object() {
  if (handle_) dlclose(handle_);
}

std::string Object::said() const {
  std::ostringstream words;
  for (const std::string &name : folder_.entries())
    if (name.ends_with(".log")) words << std::ifstream(folder_.path(name)).rdbuf();
  return words.str();
}

Kernel Object::find(const std::string &entry) const {
  if (foreign_) {
    if (!foreign_->has(entry)) return {};
    return Kernel(
        [this, entry](Region block, std::span<const Region> memory) { return foreign_->call(entry, block, memory); });
  }
  const auto function = handle_ ? reinterpret_cast<int (*)(const void *)>(dlsym(handle_, entry.c_str())) : nullptr;
  if (!function) return {};
  return Kernel([function](Region block, std::span<const Region>) { return function(block.begin); });
}

std::vector<std::string> cpu_targets() {
  std::vector<std::string> names;
  for (const auto &target : alnsmith::backend::targets()) names.emplace_back(target.name);
  return names;
}

std::size_t place(const std::vector<std::string> &targets, const std::string &own) {
  return static_cast<std::size_t>(std::ranges::find(targets, own) - targets.begin());
}

std::string test_name(std::string words) {
  std::ranges::replace(words, '-', '_');
  return words;
}

}  // namespace compiled
