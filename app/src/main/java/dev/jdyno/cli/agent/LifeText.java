package dev.jdyno.cli.agent;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import java.time.Duration;
import java.util.Optional;

/// Reads `--for`: the time after which an agent ends by itself.
final class LifeText {
    static final String OPTION = "--for";

    /// Default of agents on other hosts: longer than a working day, and over before the next one.
    static final String OF_PLACED = "12h";

    /// Minimum for agents on other hosts, which must first prove their keys.
    static final Duration MIN_OF_PLACED = Duration.ofMinutes(1);

    /// Minimum for an agent that its user starts.
    static final Duration MIN = Duration.ofMillis(1);

    /// Maximum: 30 days.
    private static final Duration MAX = Duration.ofDays(30);

    private LifeText() {}

    /// The time; empty after a mistake, which goes into the problems.
    static Optional<Duration> read(String text, Duration min, Problems problems) {
        Optional<Duration> life =
                new OptionTexts(problems).read(OPTION, text, Durations::parse, OPTION + " 8h");
        if (life.filter(l -> l.compareTo(min) < 0 || l.compareTo(MAX) > 0).isPresent()) {
            problems.add(
                    OPTION + " " + text,
                    "is not from " + Durations.format(min) + " to " + Durations.format(MAX),
                    "write " + OPTION + " 8h");
            return Optional.empty();
        }
        return life;
    }
}
