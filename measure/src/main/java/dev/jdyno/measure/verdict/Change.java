package dev.jdyno.measure.verdict;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The change of a recommendation, as a value: a tuner applies it, a report puts it into words. In
/// JSON each kind is an object of its components.
public sealed interface Change {
    /// The placeholder of the value in a template.
    String HOLE = "{}";

    /// Flags with a value in the same word: `-XX:Name=` or `-Xmx`, and the value.
    Pattern SIZED = Pattern.compile("(?:(-XX:\\w+)=|(-X(?:m[xsn]|ss)))(.*)");

    /// A change that takes effect when the service is launched with it, so that `jdyno tune` can
    /// try it.
    sealed interface Launch extends Change {
        /// The setting and its value, the same text in every version: the key of measurements with
        /// this change. Different changes have different ids.
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

        /// The setting without its value. Of two changes with the same setting, only one takes
        /// effect.
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

        /// The change as a user would type or write it.
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

        /// True if the change is an argument of the service's JVM.
        default boolean isOfJvm() {
            return switch (this) {
                case JvmFlag _, WithoutJvmFlag _, SystemProperty _, LoggingEdit _ -> true;
                case EnvironmentVariable _, ProgramArgument _, FileValue _ -> false;
            };
        }
    }

    /// An argument of the JVM.
    ///
    /// @param name text before the value: `-Xmx`, `-XX:ConcGCThreads`, `-XX:+UseG1GC`
    record JvmFlag(String name, Optional<String> value) implements Launch {
        public JvmFlag(String name) {
            this(name, Optional.empty());
        }

        public JvmFlag(String name, String value) {
            this(name, Optional.of(value));
        }

        /// The argument on a command line: `-Xmx512m`, `-XX:ConcGCThreads=2`.
        public String argument() {
            return name + (name.startsWith("-XX:") ? value.map(v -> "=" + v) : value).orElse("");
        }
    }

    /// The change that an argument of the JVM makes: `-Da=b` sets a system property, others set a
    /// flag.
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

    /// Removal of an argument of the JVM.
    record WithoutJvmFlag(String name) implements Launch {}

    /// `-Dname=value`.
    record SystemProperty(String name, String value) implements Launch {}

    /// A setting of the operating system or of the control group.
    record SystemSetting(String name, Amount to) implements Change {}

    /// An environment variable of the service's process.
    record EnvironmentVariable(String name, String value) implements Launch {}

    /// An argument of the program.
    ///
    /// @param template such as `--server={}`
    record ProgramArgument(String template, String value) implements Launch {
        /// The argument on a command line: `--server=undertow`.
        public String argument() {
            return template.replace(HOLE, value);
        }
    }

    /// A value in a file that the service reads. The service gets a copy of the file.
    ///
    /// @param template file in which `{name}` marks the position of the value
    record FileValue(String template, String name, String value) implements Launch {}

    /// An edit of a logging configuration.
    ///
    /// @param file empty if none was found
    /// @param part part of the configuration, as in {@link dev.jdyno.measure.thread.LoggingCost},
    ///   or `level`, `drop`; empty in older results
    /// @param edit the new text
    record LoggingEdit(Optional<String> file, String part, String edit) implements Launch {}

    /// The size of a pool of threads or connections, of an accept queue, of a limiter.
    ///
    /// @param name of the pool
    record PoolSize(String name, Amount to) implements Change {}

    /// Number of requests in flight that the load offers.
    record Concurrency(int inFlight) implements Change {}

    /// Number of CPU cores that the service may use.
    record Cores(double from, double to) implements Change {}

    /// A change of the service's own code.
    record Code() implements Change {}

    /// A change of the service's own code at a place that the evidence shows.
    ///
    /// @param method `com.acme.Page.get`
    /// @param source `Page.java:12`, or `line 12`; empty if the line is not known
    /// @param share share of the limiting resource's time that is spent at this place, 0…1. The
    ///   time is CPU time, or the time for which a thread or a connection is held.
    record CodeAt(String method, Optional<String> source, double share) implements Change {}

    /// True if the change is one of the service's own code.
    default boolean isOfCode() {
        return this instanceof Code || this instanceof CodeAt;
    }

    /// A change outside the service: in another service, a proxy, the machine, the load generator.
    record Outside() implements Change {}

    /// A new value, as far as it is known.
    sealed interface Amount {
        record Exactly(String value) implements Amount {}

        record Times(double factor) implements Amount {}

        /// A value above the present one. A trial must find how much is needed.
        record Larger() implements Amount {}
    }
}
