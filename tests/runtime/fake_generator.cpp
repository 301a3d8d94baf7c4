// A stand-in for alnsmith-generate: `plan` prints the manifest of fake_kernels.cpp, `text` writes that file with
// its macros.  The spec file's words steer it: `fail`, `bad-text`, `local`, `slow`, `disagree`.
// Every start appends its subcommand, and the folder of tuned tables where one is given, to the file named by FAKE_LOG.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#define FAKE_LOCAL 0
#include "fake_kernels.cpp"  // NOLINT(bugprone-suspicious-include): its manifest

namespace {

std::string slurp(const std::string &path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

bool has(const std::string &text, const std::string &word) { return text.find(word) != std::string::npos; }

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string target = "scalar", output, tuned;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--target") target = words[i + 1];
    if (words[i] == "-o") output = words[i + 1];
    if (words[i] == "--tuned") tuned = " --tuned " + words[i + 1];
  }
  if (words.size() < 2) return 2;
  if (const char *log = std::getenv("FAKE_LOG")) std::ofstream(log, std::ios::app) << words[0] + tuned << "\n";
  const std::string spec = slurp(words[1]);
  if (has(spec, "fail")) {
    std::cerr << words[1] << ":1:1: unknown key 'fail'; did you mean 'tile'?\nand a trace\n";
    return 1;
  }
  if (has(spec, "only-scalar") && target != "scalar") {
    std::cerr << "target " << target << " is not for this spec\n";
    return 1;
  }
  const std::string manifest = replaced(aln_manifest_v1, "\"scalar\"", "\"" + target + "\"");
  if (words[0] == "plan") {
    std::cout << manifest << "\n";
    return 0;
  }
  if (has(spec, "slow")) std::this_thread::sleep_for(std::chrono::seconds(20));
  std::ofstream out(output);
  if (has(spec, "bad-text")) out << "int broken( {\n";
  out << "#define FAKE_LOCAL " << (has(spec, "local") ? 1 : 0) << "\n#define FAKE_TARGET \"" << target << "\"\n";
  out << "#include \"" << FAKE_ABI << "\"\n#include \"" << FAKE_TEXT << "\"\n// " << spec;
  return out ? 0 : 1;
}
