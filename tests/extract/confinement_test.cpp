// What the process that runs the files of users may not do, tried in a process that is given up.
#include "worker/confinement.hpp"

#include <array>
#include <cerrno>
#include <cstddef>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bauta/core/error.hpp"
#include "bauta/core/module.hpp"
#include "confined.hpp"

namespace bauta {
namespace {

/// What `body` gives in a process of its own.
template <class Body>
int apart(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/// From now on the kernel knows no seccomp, as in a container that forbids it.
bool forget_seccomp() {
  std::array<sock_filter, 4> code = {{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_seccomp, 0, 1),
                                      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                                      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
  sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

constexpr std::uint64_t enough = 1 << 20;  // MiB

TEST(Confinement, NothingIsWrittenReachedOrTyped) {
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer's own addresses do not fit into any bound";
#endif
#endif
  EXPECT_EQ(apart([] {
              if (!confine(enough).empty()) return 1;
              if (::open("/dev/null", O_RDONLY) < 0) return 2;
              if (::open("/dev/null", O_WRONLY) >= 0 || errno != EACCES) return 3;
              if (::socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM) return 4;
              // Typed into a terminal, a line would be run by the shell there.
              for (const unsigned long request : std::array{0UL + TIOCSTI, 0UL + TIOCLINUX, TIOCSTI + (1UL << 32)}) {
                char letter = 'x';
                if (::ioctl(STDIN_FILENO, request, &letter) == 0 || errno != EPERM) return 5;
              }
              int waiting = 0;
              if (::ioctl(-1, FIONREAD, &waiting) == 0 || errno != EBADF) return 6;
              return 0;
            }),
            0);
}

// Networks of users ran all the same, and nobody was told.
TEST(Confinement, WithoutItNothingOfAUserIsRun) {
  EXPECT_EQ(apart([] {
              if (!forget_seccomp()) return 1;
              const std::string why = confine(enough);
              return why.starts_with("seccomp: ") ? 0 : 2;
            }),
            0);
  EXPECT_EQ(apart([] {
              if (!forget_seccomp()) return 1;
              try {
                (void)confined_extractor("pixels", module_files(model_program));
                return 2;
              } catch (const Error& error) {
                if (error.fault != Fault::environment) return 3;
                return error.finding.find("seccomp: ") == std::string::npos ? 4 : 0;
              }
            }),
            0);
}

}  // namespace
}  // namespace bauta
