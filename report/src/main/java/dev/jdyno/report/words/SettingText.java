package dev.jdyno.report.words;

import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.Optional;
import java.util.stream.Collectors;

/// How to apply a recommendation, with the present and the recommended flags of the JVM.
public final class SettingText {
    private SettingText() {}

    /// `-Xmx256m instead of -Xmx128m; …` for the first flag that the recommendation sets. Only
    /// {@link Recommendation#how} if it sets no flag or names the flag already.
    public static String how(Recommendation r, TargetFacts target) {
        String flags =
                r.changes().stream()
                        .filter(Change.JvmFlag.class::isInstance)
                        .limit(1)
                        .map(c -> beside((Change.JvmFlag) c, target))
                        .filter(says -> !r.how().contains(says))
                        .collect(Collectors.joining(", "));
        return flags.isEmpty() ? r.how() : flags + "; " + r.how();
    }

    private static String beside(Change.JvmFlag flag, TargetFacts target) {
        String to = flag.argument();
        return now(flag, target)
                .filter(from -> !from.equals(to))
                .map(from -> to + " instead of " + from)
                .orElse(to + " (not set now)");
    }

    /// The present value of the flag: the last one on the command line, which counts.
    private static Optional<String> now(Change.JvmFlag flag, TargetFacts target) {
        String name = flag.name();
        String begin = name.startsWith("-XX:") && flag.value().isPresent() ? name + "=" : name;
        return target.flags().stream().filter(f -> f.startsWith(begin)).reduce((_, last) -> last);
    }
}
