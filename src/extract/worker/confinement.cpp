#include "confinement.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace bauta {

namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned architecture = 0;
#endif

// Reaching others, starting programs, changing files, and ways around this very list. Not every machine has all.
constexpr int refused[] = {
    __NR_socket,
    __NR_socketpair,
    __NR_connect,
    __NR_bind,
    __NR_listen,
    __NR_accept,
    __NR_accept4,
    __NR_execve,
    __NR_execveat,
    __NR_ptrace,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_tkill,
    __NR_rt_sigqueueinfo,
    __NR_rt_tgsigqueueinfo,
    __NR_unlinkat,
    __NR_renameat2,
    __NR_mkdirat,
    __NR_linkat,
    __NR_symlinkat,
    __NR_mknodat,
    __NR_fchmod,
    __NR_fchmodat,
    __NR_fchown,
    __NR_fchownat,
    __NR_truncate,
    __NR_ftruncate,
    __NR_fallocate,
    __NR_utimensat,
    __NR_setxattr,
    __NR_lsetxattr,
    __NR_fsetxattr,
    __NR_removexattr,
    __NR_lremovexattr,
    __NR_fremovexattr,
    __NR_open_by_handle_at,
    __NR_mount,
    __NR_umount2,
    __NR_pivot_root,
    __NR_chroot,
    __NR_setns,
    __NR_unshare,
    __NR_bpf,
    __NR_userfaultfd,
    __NR_perf_event_open,
    __NR_keyctl,
    __NR_add_key,
    __NR_request_key,
    __NR_init_module,
    __NR_finit_module,
    __NR_delete_module,
    __NR_kexec_load,
    __NR_reboot,
    __NR_swapon,
    __NR_swapoff,
    __NR_clock_settime,
    __NR_settimeofday,
    __NR_sethostname,
    __NR_acct,
    __NR_quotactl,
    __NR_msgget,
    __NR_shmget,
    __NR_semget,
    __NR_mq_open,
    __NR_setpriority,
    __NR_io_uring_setup,
    __NR_io_uring_enter,
    __NR_io_uring_register,
    __NR_pidfd_getfd,
    __NR_pidfd_send_signal,
    __NR_pidfd_open,
#ifdef __NR_open
    __NR_creat,
    __NR_fork,
    __NR_vfork,
    __NR_unlink,
    __NR_rename,
    __NR_renameat,
    __NR_mkdir,
    __NR_rmdir,
    __NR_link,
    __NR_symlink,
    __NR_mknod,
    __NR_chmod,
    __NR_chown,
    __NR_lchown,
    __NR_utime,
    __NR_utimes,
    __NR_futimesat,
    __NR_iopl,
    __NR_ioperm,
#endif
};

constexpr unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    jump(BPF_JEQ, architecture, 1, 0);
    end(SECCOMP_RET_KILL_PROCESS);
    number();
#ifdef __x86_64__
    constexpr unsigned x32 = 0x40000000;  // the same calls under other numbers
    jump(BPF_JGE, x32, 0, 1);
    end(refusal(EPERM));
#endif
    for (const int call : refused) {
      jump(BPF_JEQ, static_cast<unsigned>(call), 0, 1);
      end(refusal(EPERM));
    }
    // Newer forms hide their flags in memory; those who ask get to hear that there are none, and take the older.
    for (const int call : {__NR_clone3, __NR_openat2}) {
      jump(BPF_JEQ, static_cast<unsigned>(call), 0, 1);
      end(refusal(ENOSYS));
    }
    // Types into a terminal, as if its user did.
    refuse_if_equal(__NR_ioctl, 1, TIOCSTI);
    refuse_if_equal(__NR_ioctl, 1, TIOCLINUX);
    refuse_if_set(__NR_openat, 2, writing);
#ifdef __NR_open
    refuse_if_set(__NR_open, 1, writing);
#endif
    allow_if(__NR_clone, 0, BPF_JSET, CLONE_THREAD);
    const auto self = static_cast<unsigned>(::getpid());
    allow_if(__NR_kill, 0, BPF_JEQ, self);
    allow_if(__NR_tgkill, 0, BPF_JEQ, self);
    end(SECCOMP_RET_ALLOW);
  }

  /// In all threads: BLAS has started some before main(). Gives why not; empty: done.
  std::string apply() {
    sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return std::string("prctl: ") + std::strerror(errno);
    const auto status = ::syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (status < 0) return std::string("seccomp: ") + std::strerror(errno);
    return status == 0 ? "" : "seccomp: a thread cannot be confined";
  }

 private:
  static unsigned refusal(int reason) {
    return SECCOMP_RET_ERRNO | static_cast<unsigned>(reason);
  }
  void load(std::size_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)));
  }
  void number() {
    load(offsetof(seccomp_data, nr));
  }
  /// The lower half of an argument.
  void argument(std::size_t index) {
    load(offsetof(seccomp_data, args) + 8 * index);
  }
  void jump(unsigned test, unsigned value, unsigned char if_so, unsigned char if_not) {
    code_.push_back(BPF_JUMP(static_cast<unsigned short>(BPF_JMP | test | BPF_K), value, if_so, if_not));
  }
  void end(unsigned result) {
    code_.push_back(BPF_STMT(BPF_RET | BPF_K, result));
  }

  void refuse_if_set(int call, std::size_t index, unsigned bits) {
    jump(BPF_JEQ, static_cast<unsigned>(call), 0, 4);
    argument(index);
    jump(BPF_JSET, bits, 0, 1);
    end(refusal(EACCES));
    end(SECCOMP_RET_ALLOW);
  }
  /// What is not refused goes on with the number of the call.
  void refuse_if_equal(int call, std::size_t index, unsigned value) {
    jump(BPF_JEQ, static_cast<unsigned>(call), 0, 4);
    argument(index);
    jump(BPF_JEQ, value, 0, 1);
    end(refusal(EPERM));
    number();
  }
  void allow_if(int call, std::size_t index, unsigned test, unsigned value) {
    jump(BPF_JEQ, static_cast<unsigned>(call), 0, 4);
    argument(index);
    jump(test, value, 0, 1);
    end(SECCOMP_RET_ALLOW);
    end(refusal(EPERM));
  }

  std::vector<sock_filter> code_;
};

bool bound(__rlimit_resource what, std::uint64_t value) {
  rlimit now{};
  if (::getrlimit(what, &now) != 0) return false;
  now.rlim_cur = now.rlim_max == RLIM_INFINITY || value < now.rlim_max ? value : now.rlim_max;
  if (what != RLIMIT_CPU) now.rlim_max = now.rlim_cur;
  return ::setrlimit(what, &now) == 0;
}

}  // namespace

std::string confine(std::uint64_t mebibytes) {
  bool bounded = true;
#ifndef BAUTA_SANITIZED  // sanitizers reserve terabytes of addresses
  bounded = bound(RLIMIT_AS, mebibytes << 20);
#else
  static_cast<void>(mebibytes);
#endif
  bounded = bound(RLIMIT_CORE, 0) && bound(RLIMIT_FSIZE, 0) && bound(RLIMIT_NOFILE, 256) && bounded;
  if (!bounded) return std::string("setrlimit: ") + std::strerror(errno);
  if (architecture == 0) return "no filter of system calls is known for this processor";
  return Filter().apply();
}

void allow_seconds(std::uint64_t seconds) {
  rusage used{};
  if (::getrusage(RUSAGE_SELF, &used) != 0) return;
  (void)bound(RLIMIT_CPU, static_cast<std::uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 1);
}

}  // namespace bauta
