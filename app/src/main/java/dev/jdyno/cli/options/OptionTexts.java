package dev.jdyno.cli.options;

import dev.jdyno.compare.Percentile;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.plan.Environment;
import dev.jdyno.plan.GoalText;
import dev.jdyno.target.Inherited;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Turns texts into values and collects the mistakes.
public record OptionTexts(Problems problems) {
    /// The value of `${NAME}` in a plan or workload.
    public static final Environment ENVIRONMENT = name -> Optional.ofNullable(System.getenv(name));

    /// The variables of a service that jdyno launches, including those that the launcher set aside.
    public static final Environment OF_SERVICES = name -> Inherited.value(name, System.getenv());

    /// Reads an option's text; a mistake goes into the problems.
    ///
    /// @param example a valid value, such as `a whole number`
    public <T> Optional<T> read(
            String option, String text, Function<String, T> reader, String example) {
        return read(option + " " + text, text, reader, "not a number", "write " + example);
    }

    /// Reads the text of an option that may be missing; a mistake goes into `problems`.
    public static <T> Optional<T> optional(
            String option, @Nullable String text, Function<String, T> reader, Problems problems) {
        return text == null
                ? Optional.empty()
                : new OptionTexts(problems)
                        .read(
                                option,
                                text,
                                reader,
                                "'" + text + "' is not a number",
                                problems.help());
    }

    private <T> Optional<T> read(
            String where, String text, Function<String, T> reader, String noNumber, String fix) {
        try {
            return Optional.of(reader.apply(text));
        } catch (IllegalArgumentException e) {
            problems.add(where, e instanceof NumberFormatException ? noNumber : messageOf(e), fix);
            return Optional.empty();
        }
    }

    public <T> Optional<T> build(String what, Supplier<T> built) {
        try {
            return Optional.of(built.get());
        } catch (IllegalArgumentException e) {
            problems.add("the " + what, messageOf(e), "give values that fit together");
            return Optional.empty();
        }
    }

    public Optional<Bytes> required(String name, @Nullable String text) {
        if (text == null) {
            problems.add(
                    name + " is missing",
                    "the model cannot guess it",
                    "give a size such as 256m, or --pid to read a running JVM");
            return Optional.empty();
        }
        return bytes(name, text);
    }

    public Optional<Bytes> bytes(String name, String text) {
        return read(name, text, Bytes::parse, "a size such as 512k, 256m or 4g");
    }

    public Optional<Duration> time(String name, String text) {
        return read(name, text, Durations::parse, "a time such as 250us, 10ms or 1.5s");
    }

    public OptionalInt number(String name, String text) {
        return read(name, text, Integer::valueOf, "a whole number")
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    /// A time; a bare number is seconds, as in wrk and ab. Returns one second after a mistake.
    Duration seconds(String option, String text) {
        return read(
                        option,
                        text,
                        t -> Durations.parse(t.matches("[\\d.]+") ? t + "s" : t),
                        option + " 10s")
                .orElse(Duration.ofSeconds(1));
    }

    /// A time above zero, in the same form.
    Duration positive(String option, String text) {
        Duration d = seconds(option, text);
        if (!d.isPositive()) {
            problems.add(option + " " + text, "must be > 0", "write " + option + " 5s");
            return Duration.ofSeconds(1);
        }
        return d;
    }

    /// A size of at least one byte. Returns one byte after a mistake.
    long size(String option, String text) {
        return read(option, text, t -> Math.max(1, Bytes.parse(t).value()), option + " 64k")
                .orElse(1L);
    }

    /// A share written as `1%` or `0.01`. Returns 1 after a mistake.
    double share(String option, String text) {
        return read(option, text, OptionTexts::shareOf, option + " 10%").orElse(1.0);
    }

    private static double shareOf(String text) {
        boolean percent = text.endsWith("%");
        double v = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
        double share = percent ? v / 100 : v;
        if (share >= 0 && share <= 1) {
            return share;
        }
        throw new IllegalArgumentException("must be 0…100 %");
    }

    private static String messageOf(Exception e) {
        String message = e.getMessage();
        return message == null || message.startsWith("No enum constant")
                ? "no such value"
                : message;
    }

    /// The command line as it was typed; secrets in it are masked.
    public static String typed(CommandSpec spec) {
        return "jdyno " + Secrets.commandLine(spec.commandLine().getParseResult().originalArgs());
    }

    /// The text of an option if it is given on the verb's command line.
    static Optional<String> given(CommandSpec verb, String option, String text) {
        return isGiven(verb, option) ? Optional.of(text) : Optional.empty();
    }

    /// True if an option is given on the verb's command line.
    public static boolean isGiven(CommandSpec verb, String option) {
        return verb.commandLine().getParseResult().hasMatchedOption(option);
    }

    /// Adds a mistake for each of these options that is given.
    public static void refuse(
            CommandSpec verb, List<String> options, String why, String fix, Problems problems) {
        options.stream()
                .filter(option -> isGiven(verb, option))
                .forEach(option -> problems.add(option, why, fix));
    }

    /// Adds a mistake if a number is outside `min` to `max`.
    public static void within(
            String option,
            @Nullable Integer given,
            int min,
            int max,
            String example,
            Problems problems) {
        if (given != null && (given < min || given > max)) {
            problems.add(
                    option + " " + given,
                    max == Integer.MAX_VALUE
                            ? "is less than " + min
                            : "is not from " + min + " to " + max,
                    "write " + example);
        }
    }

    /// A time in the form that an option takes: `90s`, `8m`.
    static String typed(Duration time) {
        long seconds = time.toSeconds();
        return seconds > 0 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    /// Reads a time that must not be too short.
    ///
    /// @param otherwise value if the option is missing or wrong
    /// @param min minimum time that allows a decision
    public static Duration time(
            String name,
            @Nullable String text,
            Duration otherwise,
            Duration min,
            Problems problems) {
        Duration time = optional(name, text, Durations::parse, problems).orElse(otherwise);
        if (time.compareTo(min) < 0) {
            problems.add(
                    name + " " + text,
                    "less than " + Durations.format(min) + " decides nothing",
                    "write " + typed(otherwise));
            return otherwise;
        }
        return time;
    }

    /// A goal on a percentile that each block measures.
    public static Optional<Goal> percentileGoal(@Nullable String text, Problems problems) {
        if (text == null) {
            return Optional.empty();
        }
        var found = new Problems();
        List<Goal> goals = GoalText.parse(text, found);
        found.list().forEach(p -> problems.add("--goal " + p.where(), p.what(), p.fix()));
        boolean known = goals.size() == 1 && Percentile.of(goals.getFirst()).isPresent();
        if (found.isEmpty() && goals.stream().anyMatch(Goal::firstByte)) {
            problems.add(
                    "--goal " + text,
                    "only jdyno run searches under a goal for the first byte",
                    "write --goal 'p99<100ms', or use jdyno run");
        } else if (!known && found.isEmpty()) {
            problems.add(
                    "--goal " + text,
                    "one goal is kept here, on p50, p90, p99 or p99.9; failing more requests is"
                            + " never accepted",
                    "write --goal 'p99<100ms'");
        }
        return known ? Optional.of(goals.getFirst()) : Optional.empty();
    }

    /// A day, or a length of time before now.
    public static Optional<Instant> dayOrAgo(String option, String text, Problems problems) {
        try {
            return Optional.of(
                    text.matches("\\d{4}-.*")
                            ? LocalDate.parse(text).atStartOfDay(ZoneId.systemDefault()).toInstant()
                            : Instant.now().minus(ago(text)));
        } catch (DateTimeException | IllegalArgumentException neither) {
            problems.add(
                    option + " " + text, "is neither a day nor a time", "write 2026-11-20 or 14d");
            return Optional.empty();
        }
    }

    private static Duration ago(String text) {
        return text.matches("\\d{1,5}d")
                ? Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)))
                : Durations.parse(text);
    }
}
