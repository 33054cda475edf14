package dev.jdyno.measure.verdict;

import java.util.Optional;

/// What a recommendation changes, as a value: a tuner applies it, a report words it.
public sealed interface Change {
    /// An argument of the JVM.
    ///
    /// @param name up to its value: `-Xmx`, `-XX:ConcGCThreads`, `-XX:+UseG1GC`
    record JvmFlag(String name, Optional<String> value) implements Change {
        public JvmFlag(String name) {
            this(name, Optional.empty());
        }

        public JvmFlag(String name, String value) {
            this(name, Optional.of(value));
        }

        /// As it stands on a command line: `-Xmx512m`, `-XX:ConcGCThreads=2`.
        public String argument() {
            return name + (name.startsWith("-XX:") ? value.map(v -> "=" + v) : value).orElse("");
        }
    }

    /// An argument of the JVM to be left out.
    record WithoutJvmFlag(String name) implements Change {}

    /// `-Dname=value`.
    record SystemProperty(String name, String value) implements Change {}

    /// A setting of the operating system or of the control group.
    record SystemSetting(String name, Amount to) implements Change {}

    /// An edit of a logging configuration.
    ///
    /// @param file empty where none was found
    /// @param edit what is written there instead
    record LoggingEdit(Optional<String> file, String edit) implements Change {}

    /// The size of a pool of threads or connections, of an accept queue, of a limiter.
    record PoolSize(String pool, Amount to) implements Change {}

    /// Requests in flight that the load offers.
    record Concurrency(int inFlight) implements Change {}

    /// CPU cores that the service may use.
    record Cores(double from, double to) implements Change {}

    /// The service's own code.
    record Code() implements Change {}

    /// Something outside the service: another service, a proxy, the machine, the load generator.
    record Outside() implements Change {}

    /// A number, as far as it is known.
    sealed interface Amount {
        record Exactly(String value) implements Amount {}

        record Times(double factor) implements Amount {}

        /// More than now; how much, a trial tells.
        record Larger() implements Amount {}
    }
}
