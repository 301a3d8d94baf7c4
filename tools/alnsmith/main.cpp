// The program `alnsmith`: reads the command line, runs one subcommand and returns its exit status:
// 0 success, 1 bad input or failure, 2 usage, 130 interrupted.
#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "commands.h"
#include "common/interrupt.h"
#include "common/text.h"

namespace alnsmith::tool {

namespace {

bool has_subcommand(const CLI::App &app, const std::string &name) {
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    if (command->check_name(name)) return true;
  return false;
}

// The command line's words as far as they name subcommands, so that their help can be pointed to.
std::string reached(const CLI::App &app) {
  std::string words = app.get_name();
  for (const CLI::App *at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    words += " " + at->get_name();
  }
  return words;
}

// `alnsmith help SUBCOMMAND...`: the same as `alnsmith SUBCOMMAND... --help`.
int print_help(const CLI::App &app, const std::vector<std::string> &words) {
  const CLI::App *at = &app;
  std::string name = app.get_name();
  for (const std::string &word : words) {
    if (!has_subcommand(*at, word))
      return report_error({fmt::format("{} has no subcommand '{}' (see `{} --help`)", name, printable(word), name), 2});
    at = at->get_subcommand(word);
    name += " " + word;
  }
  return print(at->get_formatter()->make_help(at, name, CLI::AppFormatMode::Normal));
}

int run(int argc, char **argv) {
  CLI::App app{"Sequence-alignment kernels forged from YAML specs, and alignment with them.", "alnsmith"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("alnsmith ") + ALNSMITH_VERSION, "Print the version and exit");
  app.footer(
      "Examples:\n"
      "  alnsmith align --spec dna-global-affine --query reads.fq.gz --target windows.fa --out scores.tsv\n"
      "  alnsmith search --spec protein-local-blosum62 --query q.fa --db proteins.fa.gz --out hits.tsv\n"
      "  alnsmith place --tree tree.nwk --reference ref.phy --query reads.fa --out placed\n"
      "  alnsmith spec check my.yaml\n"
      "  alnsmith generate my.yaml --target x86-64-v4 -o kernels\n"
      "  alnsmith devices\n"
      "`alnsmith SUBCOMMAND --help` says more. Exit status: 0 success, 1 bad input or failure, 2 usage, 130 "
      "interrupted.");
  int status = 0;
  add_align(app, status);
  add_search(app, status);
  add_merge(app, status);
  add_place(app, status);
  add_spec(app, status);
  add_generate(app, status);
  add_circuits(app, status);
  add_devices(app, status);
  add_pack(app, status);
  add_stats(app, status);
  add_makedb(app, status);
  add_tune(app, status);
  add_version(app, status);
  std::vector<std::string> asked;
  CLI::App *help = app.add_subcommand("help", "Print the help of a subcommand");
  help->add_option("SUBCOMMAND", asked, "Its words, such as: tune run");
  help->callback([&] { status = print_help(app, asked); });
  if (argc > 1 && argv[1][0] != '-' && !has_subcommand(app, argv[1]))
    return report_error({fmt::format("'{}' is no subcommand (see `alnsmith --help`)", printable(argv[1])), 2});
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    return print(app.help());
  } catch (const CLI::CallForAllHelp &) {
    return print(app.help("", CLI::AppFormatMode::All));
  } catch (const CLI::CallForVersion &version) {
    return print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError &wrong) {
    return report_error({fmt::format("{} (see `{} --help`)", printable(wrong.what(), 400), reached(app)), 2});
  }
  return status;
}

}  // namespace
}  // namespace alnsmith::tool

int main(int argc, char **argv) {
  using namespace alnsmith;
  tool::catch_interrupts();
  try {
    return tool::run(argc, argv);
  } catch (const std::bad_alloc &) {
    return tool::report_error({"out of memory: lower --memory, or align fewer or shorter sequences at a time"});
  } catch (const std::exception &unexpected) {
    return tool::report_error({std::string("internal error, please report it: ") + unexpected.what()});
  }
}
