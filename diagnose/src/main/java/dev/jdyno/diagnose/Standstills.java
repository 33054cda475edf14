package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Handles a stopped target (SIGSTOP, debugger, frozen control group). It has no bottleneck:
/// measurements during the stop do not describe the service, so no rule judges it.
public final class Standstills {
    /// Maximum number of stops in the list.
    private static final int MAX = 3;

    private Standstills() {}

    /// Returns a warning that the target was stopped. It makes the result invalid.
    static Optional<Warning> warning(List<Standstill> standstills) {
        return standstills.isEmpty()
                ? Optional.empty()
                : Optional.of(new Warning("stood-still", "the target " + says(standstills), true));
    }

    /// Returns the verdict on a stopped target. It takes precedence over every rule.
    public static Optional<Verdict> verdict(List<Standstill> standstills) {
        return standstills.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Verdict(
                                Bottleneck.UNKNOWN,
                                "",
                                0,
                                Sentence.format(
                                        "The target %s: what was measured does not show what limits it.",
                                        says(standstills)),
                                List.of(),
                                List.of()));
    }

    /// Returns an error if a stopped target prevents the verdict that the user requested.
    public static Optional<UserError> failure(List<Standstill> standstills) {
        return standstills.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new UserError(
                                UserError.Kind.INVALID,
                                "the target did not run all the time",
                                "it " + says(standstills),
                                standstills.getLast().by().fix()
                                        + " if it is still stopped, and measure again"));
    }

    private static String says(List<Standstill> standstills) {
        return "was stopped "
                + standstills.stream()
                        .limit(MAX)
                        .map(Standstills::says)
                        .collect(Collectors.joining(", "))
                + (standstills.size() > MAX
                        ? say(" and %d times more", standstills.size() - MAX)
                        : "");
    }

    private static String says(Standstill one) {
        return say(
                "from second %.0f %s (by %s)",
                one.fromS(),
                one.toS().map(to -> say("to second %.0f", to)).orElse("to the end"),
                one.by().says());
    }
}
