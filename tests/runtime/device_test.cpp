// Devices by name, the CPU among them, and the words of errors.  Nothing here needs a GPU.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "alnsmith/alnsmith.hpp"
#include "base/library.h"
#include "device/driver/driver_error.h"
#include "scratch.h"

namespace {

using namespace alnsmith;

bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }

TEST(Device, IdsOfAnotherFormAreUsageErrors) {
  for (const char *id :
       {"", "gpu", "gpu:0", "cuda", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "hip:99999999999", ":0"}) {
    const auto opened = rt::driver::open_device(id);
    ASSERT_FALSE(opened) << id;
    EXPECT_EQ(opened.error().exit_code, 2) << id;
    EXPECT_TRUE(has(opened.error().message, "use cpu, cuda:N, hip:N or opencl:N")) << opened.error().message;
  }
}

TEST(Device, ANumberTooHighSaysWhatThereIs) {
  for (const alnsmith::PlatformReport &platform : alnsmith::list_devices()) {
    const std::string name(device_kind_name(platform.kind));
    const auto opened = rt::driver::open_device(name + ":1000");
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().exit_code, 1);
    EXPECT_TRUE(opened.error().message.starts_with(name + ":1000: ")) << opened.error().message;
    const std::string expected =
        platform.devices.empty() ? platform.problem : "there is no such device: this machine has " + name + ":0";
    EXPECT_TRUE(has(opened.error().message, expected)) << opened.error().message;
  }
}

TEST(Device, PlatformsComeInOrderWithDevicesOrAReason) {
  const auto platforms = alnsmith::list_devices();
  ASSERT_EQ(platforms.size(), 3U);
  EXPECT_EQ(platforms[0].kind, alnsmith::DeviceKind::cuda);
  EXPECT_EQ(platforms[1].kind, alnsmith::DeviceKind::hip);
  EXPECT_EQ(platforms[2].kind, alnsmith::DeviceKind::opencl);
  for (const auto &platform : platforms) {
    EXPECT_EQ(platform.problem.find('\n'), std::string::npos);
    EXPECT_TRUE(!platform.devices.empty() || !platform.problem.empty());
    for (std::size_t i = 0; i < platform.devices.size(); ++i)
      EXPECT_EQ(platform.devices[i].id,
                std::string(device_kind_name(platform.kind)) + ":" + std::to_string(platform.devices[i].index));
  }
}

TEST(Device, TheCpuDescribesItselfAndTakesNoDeviceKernels) {
  const auto opened = rt::driver::open_device("cpu");
  ASSERT_TRUE(opened);
  rt::driver::Executor &cpu = **opened;
  EXPECT_EQ(cpu.failure(), rt::driver::Failure::none);
  EXPECT_EQ(cpu.info().id, "cpu");
  EXPECT_EQ(cpu.info().target, isa_name(*best_isa()));
  EXPECT_GT(cpu.info().processors, 0);
  EXPECT_FALSE(cpu.info().name.empty());
  EXPECT_GT(cpu.free_memory(), 0U);
  EXPECT_LE(cpu.free_memory(), cpu.info().memory);
  const auto refused = [](const auto &result) {
    return !result && has(result.error().message, "cpu: device kernels do not run on the CPU itself");
  };
  EXPECT_TRUE(refused(cpu.load("text", "entry")));
  EXPECT_TRUE(refused(cpu.allocate(1)));
  EXPECT_TRUE(refused(cpu.allocate_pinned(1)));
  EXPECT_TRUE(refused(cpu.queue()));
  EXPECT_EQ(cpu.failure(), rt::driver::Failure::other);
  ::setenv("ALNSMITH_ISA", "nonsense", 1);
  EXPECT_FALSE(rt::driver::open_device("cpu"));
  EXPECT_FALSE(cpu_device());
  ::unsetenv("ALNSMITH_ISA");
}

TEST(Library, TheFirstThatOpensIsTakenAndAMissingOneIsNamed) {
  const auto found = rt::Library::open({"libalnsmith-none.so.9", "libm.so.6"}, "do it");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name(), "libm.so.6");
  EXPECT_NE(found->symbol("cos"), nullptr);
  EXPECT_EQ(found->symbol("no_such_function"), nullptr);
  rt::Library library = *found;
  double (*cosine)(double) = nullptr;
  EXPECT_TRUE(library.find(cosine, "cos"));
  EXPECT_EQ(library.missing(), "");
  EXPECT_FALSE(library.find(cosine, "first"));
  EXPECT_FALSE(library.find(cosine, "second"));
  EXPECT_EQ(library.missing(), "first");
  const auto none = rt::Library::open({"libalnsmith-none.so.9", "libalnsmith-none.so"}, "install it");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "libalnsmith-none.so is not installed: install it");
}

TEST(Trouble, LogsFitOnOneLine) {
  EXPECT_EQ(rt::driver::on_one_line("  a\n\n\tb  c\n"), "a b c");
  EXPECT_EQ(rt::driver::on_one_line(std::string(3, '\0')), "");
  EXPECT_EQ(rt::driver::on_one_line("abcdef", 3), "abc...");
}

TEST(Trouble, ADeviceNodeIsMissingOrForbidden) {
  EXPECT_EQ(rt::driver::node_problem("/dev/null", "gone", "closed"), "");
  EXPECT_EQ(rt::driver::node_problem("/dev/alnsmith-none", "gone", "closed"), "/dev/alnsmith-none is missing: gone");
  const scratch::Folder folder;
  const std::string node = folder.write("node", "x");
  ::chmod(folder.path().c_str(), 0755);
  ::chmod(node.c_str(), 0);
  const bool root = ::geteuid() == 0;
  ASSERT_TRUE(!root || ::seteuid(65534) == 0);  // root may use any file
  EXPECT_EQ(rt::driver::node_problem(node, "gone", "join the group"),
            node + " may not be used by this user: join the group");
  ASSERT_TRUE(!root || ::seteuid(0) == 0);
}

}  // namespace
