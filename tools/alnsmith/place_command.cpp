// `alnsmith place` and `alnsmith place merge`: their options.
#include "place_command.h"

#include <memory>
#include <utility>

#include "commands.h"
#include "common/status.h"
#include "place_kernels.h"
#include "place_merge.h"

namespace alnsmith::tool {
namespace {

void add_place_merge(CLI::App &place, int &status) {
  CLI::App *command =
      place.add_subcommand("merge", "Bring the shards of a placement together (`alnsmith place --shard`)");
  auto arguments = std::make_shared<PlaceMergeArguments>();
  PlaceMergeArguments &a = *arguments;
  command->add_option("DIR", a.folders, "Folders that `alnsmith place --shard` wrote, in any order")->required();
  add_place_outputs(*command, a.outputs);
  command->add_flag("--quiet", a.quiet, "No closing line");
  command->footer(
      "The results are those of one run over all reads, to the byte.\n"
      "Example:\n"
      "  alnsmith place merge shard1 shard2 --out placed");
  command->callback([arguments, &status] {
    const Status done = merge_placements(*arguments);
    status = done ? 0 : report_error(done.error());
  });
}

}  // namespace

void add_place_with(CLI::App &app, int &status, OpenKernels open) {
  CLI::App *command =
      app.add_subcommand("place", "Place reads on the branches of a tree and align them with its references");
  auto arguments = std::make_shared<PlaceArguments>();
  PlaceArguments &a = *arguments;
  a.run.spec = "papara-v25";
  command->add_option("--tree", a.tree, "Tree of the references, Newick, plain or gzip");
  command->add_option("--reference", a.reference,
                      "Alignment of the references, relaxed PHYLIP or FASTA, plain or gzip: a row for each tip, of the "
                      "same name");
  command->add_option("--query", a.query, "Reads, FASTA or FASTQ, plain or gzip; - for stdin");
  command->add_option("--spec", a.run.spec, "Spec file or name; its alphabet is of state sets (`alnsmith spec list`)")
      ->capture_default_str();
  command
      ->add_option("--flags", a.flags,
                   "Which columns of a branch count as gaps: probability (a model of gaps that needs branch lengths), "
                   "cgap (a rule without them) or none")
      ->check(CLI::IsMember({"cgap", "probability", "none"}))
      ->capture_default_str();
  add_place_outputs(*command, a.outputs);
  command
      ->add_option("--shard", a.shard,
                   "Place the I-th of N parts of the reads; `alnsmith place merge` brings them together")
      ->type_name("I/N");
  add_kernel_options(*command, a.run);
  add_talk_options(*command, a.run);
  command->footer(
      "Each read is scored with every branch and aligned with the best one. A run that was stopped goes on where it "
      "was\n"
      "when it is started again with the same --out. docs/place.md is a tutorial and says what the files hold.\n"
      "Example:\n"
      "  alnsmith place --tree tree.nwk --reference ref.phy --query reads.fa.gz --out placed --plot placed.html");
  add_place_merge(*command, status);
  command->callback([arguments, command, open = std::move(open), &status] {
    if (!command->get_subcommands().empty()) return;  // merge has run
    const Status done = PlaceJob(*arguments, open).run();
    status = done ? 0 : report_error(done.error());
  });
}

void add_place(CLI::App &app, int &status) { add_place_with(app, status, open_place_kernels); }

}  // namespace alnsmith::tool
