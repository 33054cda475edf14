package dev.jdyno.measure.thread;

import java.util.Locale;

/// One limit on the number of threads of a process, in its own unit.
///
/// @param most the limit, in bytes of an address space, in threads or in mappings
/// @param used the part of it in use
/// @param threadsLeft threads that could still be created if nothing else limited them
public record ThreadLimit(Kind kind, long most, long used, long threadsLeft) {
    /// The setting or resource that is limited.
    public enum Kind {
        /// RLIMIT_AS: the stack of each thread reserves part of the address space (number of
        /// threads, F13).
        ADDRESS_SPACE,
        /// `pids.max` of the control group or of one above it.
        CGROUP,
        /// RLIMIT_NPROC: all threads of one user; root has no such limit.
        USER,
        /// `vm.max_map_count`: a Java thread's stack and its guard zone are two mappings.
        MAPPINGS,
        /// `kernel.threads-max` and `kernel.pid_max`: all threads of the machine.
        MACHINE;

        /// The key in `threads --json`.
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
