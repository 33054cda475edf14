package dev.jdyno.report.words;

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

    /// The arguments of the JVM whose values change. The initial heap has the size of the largest
    /// one, so it is no edit of its own.
    private static Optional<String> arguments(Recommendation r, TargetFacts target) {
        String all =
                r.changes().stream()
                        .flatMap(c -> argument(c, target).stream())
                        .collect(Collectors.joining(", "));
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    private static Optional<String> argument(Change change, TargetFacts target) {
        return switch (change) {
            case Change.JvmFlag(String name, Optional<String> value)
                    when !name.equals(INITIAL_HEAP) ->
                    edit(name, name.startsWith("-XX:") ? "=" : "", value, target);
            case Change.SystemProperty(String name, String value) ->
                    edit("-D" + name, "=", Optional.of(value), target);
            default -> Optional.empty();
        };
    }

    /// @param between text between the name and the value on a command line
    private static Optional<String> edit(
            String name, String between, Optional<String> to, TargetFacts target) {
        String begin = to.isPresent() ? name + between : name;
        // the last argument counts
        Optional<String> now =
                target.flags().stream()
                        .filter(f -> f.startsWith(begin))
                        .reduce((_, last) -> last)
                        .map(f -> f.substring(begin.length()));
        return to.isEmpty()
                ? Optional.of(name + (now.isPresent() ? "" : " (not set now)"))
                : to.filter(_ -> !now.equals(to))
                        .map(value -> name + ": " + now.orElse("not set") + " -> " + value);
    }

    /// True if the edit says all that the sentence of the recommendation says. The sentence of an
    /// argument of the JVM also says why.
    public static boolean replacesSentence(Recommendation r) {
        return !r.settings().isEmpty();
    }
}
