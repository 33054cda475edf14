package dev.jdyno.measure.verdict;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a recommendation changes, as a value: a tuner applies it, a report words it. In JSON each
/// kind is an object of its components.
public sealed interface Change {
    /// What stands for the value in a template.
    String HOLE = "{}";

    /// `-XX:Name=` and its value, `-Xmx` and its value.
    Pattern SIZED = Pattern.compile("(?:(-XX:\\w+)=|(-X(?:m[xsn]|ss)))(.*)");

    /// What takes effect when the service is launched with it, so that `jdyno tune` can try it.
    sealed interface Launch extends Change {
        /// What it sets and to what, the same in every version: the key of what was measured with
        /// it. No two different changes have the same.
        default String id() {
            return switch (this) {
                case JvmFlag c -> c.argument();
                case WithoutJvmFlag c -> "without " + c.name();
                case SystemProperty c -> "-D" + c.name() + "=" + c.value();
                case EnvironmentVariable c -> "env " + c.name() + "=" + c.value();
                case ProgramArgument c -> "arg " + c.template() + " " + c.value();
                case FileValue c -> "file " + c.template() + " " + c.name() + "=" + c.value();
                case LoggingEdit c -> "logging " + c.file().orElse("") + " without " + c.part();
            };
        }

        /// What it sets, without the value: of two changes that set the same, one counts.
        default String sets() {
            return switch (this) {
                case JvmFlag c -> c.name();
                case WithoutJvmFlag c -> c.name();
                case SystemProperty c -> "-D" + c.name();
                case EnvironmentVariable c -> "env " + c.name();
                case ProgramArgument c -> "arg " + c.template();
                case FileValue c -> "file " + c.template() + " " + c.name();
                case LoggingEdit c -> "logging " + c.file().orElse("") + " " + c.part();
            };
        }

        /// As one would type or write it.
        default String written() {
            return switch (this) {
                case JvmFlag c -> c.argument();
                case WithoutJvmFlag c -> "without " + c.name();
                case SystemProperty c -> "-D" + c.name() + "=" + c.value();
                case EnvironmentVariable c -> c.name() + "=" + c.value();
                case ProgramArgument c -> c.argument();
                case FileValue c -> c.name() + "=" + c.value() + " in " + c.template();
                case LoggingEdit c ->
                        "logging: no "
                                + c.part()
                                + c.file()
                                        .map(f -> " (" + f.substring(f.lastIndexOf('/') + 1) + ")")
                                        .orElse("");
            };
        }

        /// Whether it reaches the service as an argument of its JVM.
        default boolean isOfJvm() {
            return switch (this) {
                case JvmFlag _, WithoutJvmFlag _, SystemProperty _, LoggingEdit _ -> true;
                case EnvironmentVariable _, ProgramArgument _, FileValue _ -> false;
            };
        }
    }

    /// An argument of the JVM.
    ///
    /// @param name up to its value: `-Xmx`, `-XX:ConcGCThreads`, `-XX:+UseG1GC`
    record JvmFlag(String name, Optional<String> value) implements Launch {
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

    /// What an argument of the JVM changes: `-Da=b` a system property, others a flag.
    static Launch jvmArgument(String argument) {
        if (argument.startsWith("-D")) {
            int at = argument.indexOf('=');
            return at < 0
                    ? new SystemProperty(argument.substring(2), "")
                    : new SystemProperty(argument.substring(2, at), argument.substring(at + 1));
        }
        Matcher sized = SIZED.matcher(argument);
        return sized.matches()
                ? new JvmFlag(
                        sized.group(1) == null ? sized.group(2) : sized.group(1), sized.group(3))
                : new JvmFlag(argument);
    }

    /// An argument of the JVM to be left out.
    record WithoutJvmFlag(String name) implements Launch {}

    /// `-Dname=value`.
    record SystemProperty(String name, String value) implements Launch {}

    /// A setting of the operating system or of the control group.
    record SystemSetting(String name, Amount to) implements Change {}

    /// A variable of the environment that the service is started with.
    record EnvironmentVariable(String name, String value) implements Launch {}

    /// An argument of the program.
    ///
    /// @param template such as `--server={}`
    record ProgramArgument(String template, String value) implements Launch {
        /// As it stands on a command line: `--server=undertow`.
        public String argument() {
            return template.replace(HOLE, value);
        }
    }

    /// A value in a file that the service reads, of which it gets a copy.
    ///
    /// @param template file in which `{name}` stands where the value goes
    record FileValue(String template, String name, String value) implements Launch {}

    /// An edit of a logging configuration.
    ///
    /// @param file empty where none was found
    /// @param part as in {@link dev.jdyno.measure.thread.LoggingCost}, or `level`, `drop`; empty in
    ///   results of before it was written
    /// @param edit what is written there instead
    record LoggingEdit(Optional<String> file, String part, String edit) implements Launch {}

    /// The size of a pool of threads or connections, of an accept queue, of a limiter.
    ///
    /// @param name of the pool
    record PoolSize(String name, Amount to) implements Change {}

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
