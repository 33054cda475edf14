package dev.jdyno.report.words;

import dev.jdyno.compare.FlagName;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.SettingValue;
import java.util.Optional;
import java.util.stream.Collectors;

/// The settings that a recommendation changes.
public final class SettingText {
    private static final String INITIAL_HEAP = "-Xms";
    private static final String LARGEST_HEAP = "-Xmx";

    private SettingText() {}

    /// The edit: `server.tomcat.threads.max: 20 -> 40`, or `-Xmx: 128m -> 256m` for arguments of
    /// the JVM. Empty if it changes no setting, or if nothing but the direction is known.
    public static Optional<String> edit(Recommendation r, TargetFacts target) {
        String named =
                r.settings().stream()
                        .filter(s -> s.now().isPresent() || s.to() instanceof Amount.Exactly)
                        .map(SettingText::edit)
                        .collect(Collectors.joining(", "));
        return named.isEmpty() ? arguments(r, target) : Optional.of(named);
    }

    private static String edit(SettingValue s) {
        String to =
                switch (s.to()) {
                    case Amount.Exactly(String value) -> value;
                    case Amount.Times(double factor) -> Figures.number(factor) + " times as much";
                    case Amount.Larger _ -> "more";
                };
        return s.name() + s.now().map(now -> ": " + now + " -> ").orElse(" -> ") + to;
    }

    /// The arguments of the JVM whose values change. If the largest heap changes, the initial one
    /// has the same size, so it is no edit of its own.
    private static Optional<String> arguments(Recommendation r, TargetFacts target) {
        boolean larger =
                r.changes().stream()
                        .filter(c -> isFlag(c, LARGEST_HEAP))
                        .anyMatch(c -> argument(c, target).isPresent());
        String all =
                r.changes().stream()
                        .filter(c -> !(larger && isFlag(c, INITIAL_HEAP)))
                        .flatMap(c -> argument(c, target).stream())
                        .collect(Collectors.joining(", "));
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    private static boolean isFlag(Change change, String name) {
        return change instanceof Change.JvmFlag flag && flag.name().equals(name);
    }

    private static Optional<String> argument(Change change, TargetFacts target) {
        return switch (change) {
            case Change.JvmFlag(String name, Optional<String> value) when value.isPresent() ->
                    edit(name, name.startsWith("-XX:") ? "=" : "", value.get(), target);
            case Change.JvmFlag(String name, _) -> withoutValue(name, target);
            case Change.SystemProperty(String name, String value) ->
                    edit("-D" + name, "=", value, target);
            default -> Optional.empty();
        };
    }

    /// @param between text between the name and the value on a command line
    private static Optional<String> edit(
            String name, String between, String to, TargetFacts target) {
        String begin = name + between;
        Optional<String> now = last(target, begin);
        if (now.filter(f -> !f.startsWith(begin)).isPresent()) {
            return Optional.of(now.get() + " -> " + begin + to);
        }
        Optional<String> value = now.map(f -> f.substring(begin.length()));
        return value.equals(Optional.of(to))
                ? Optional.empty()
                : Optional.of(name + ": " + value.orElse("not set") + " -> " + to);
    }

    /// The edit of an argument that has no value. Empty if the JVM has it.
    private static Optional<String> withoutValue(String argument, TargetFacts target) {
        Optional<String> now = last(target, argument);
        return now.equals(Optional.of(argument))
                ? Optional.empty()
                : Optional.of(
                        now.map(old -> old + " -> " + argument)
                                .orElse(argument + " (not set now)"));
    }

    /// The last argument of the JVM for the setting of this one, in any spelling. The last one is
    /// the one that counts.
    private static Optional<String> last(TargetFacts target, String argument) {
        String name = FlagName.of(argument);
        return target.flags().stream()
                .filter(f -> FlagName.of(f).equals(name))
                .reduce((_, last) -> last);
    }

    /// True if the edit says all that the sentence of the recommendation says. The sentence of an
    /// argument of the JVM also says why.
    public static boolean replacesSentence(Recommendation r) {
        return !r.settings().isEmpty();
    }
}
