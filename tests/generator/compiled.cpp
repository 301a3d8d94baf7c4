#include "compiled.h"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "processors.h"

namespace compiled {

std::string compiler() {
  if (const char *set = std::getenv("ALNSMITH_CXX")) return set;
  for (const char *name : {"clang++-22", "clang++-21", "clang++-20", "clang++-19", "clang++", "g++"})
    if (std::system(("command -v " + std::string(name) + " >/dev/null").c_str()) == 0) return name;
  throw std::runtime_error("no C++ compiler on PATH");
}

Object::Object(const std::vector<std::string> &texts, const alnsmith::backend::Target &target) {
  const std::string flags = " " ALNSMITH_OBJECT_FLAGS " " + std::string(target.flags) + " ";
  const std::string compiler_name = compiler();
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  auto work = [&] {
    for (std::size_t i = next++; i < texts.size(); i = next++) {
      const std::string base = folder_.path(std::to_string(i));
      // Several manifests cannot share one object.
      std::string text = texts[i];
      for (std::size_t at; (at = text.find("aln_manifest_v1")) != std::string::npos;)
        text.replace(at, 15, "manifest" + std::to_string(i));
      std::ofstream(base + ".cpp") << text;
      if (std::system((compiler_name + flags + "-c " + base + ".cpp -o " + base + ".o 2>" + base + ".log").c_str()) !=
          0)
        failed = true;
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

Kernel Object::find(const std::string &entry) const { return reinterpret_cast<Kernel>(dlsym(handle_, entry.c_str())); }

}  // namespace compiled
