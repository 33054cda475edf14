package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.DecidingWarning;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Detects replies with a good status that differ from those of the lowest load. A service that
/// exceeds its own time limits may send a different reply, such as a fallback. It would then seem
/// to be fast.
final class OtherReplies {
    private static final String ID = DecidingWarning.OTHER_ANSWERS.id();

    /// Mean size of a reply, as a share of the size at the lowest load. Below it, replies count as
    /// different even if their sizes vary. Examples are a fallback or an error page.
    static final double SAME_ANSWER = 0.8;

    /// Minimum change of the mean size, as a share, at which replies differ if all had the same
    /// size at the lowest load. A number that becomes one digit longer changes the size by less.
    static final double OTHER_SIZE = 0.03;

    /// Maximum distance of the mean size from whole bytes, in bytes, at which all replies had the
    /// same size.
    private static final double WHOLE = 0.02;

    /// Minimum number of timeout exceptions per request at which they affect the replies.
    private static final double TIMEOUTS = 0.1;

    /// Minimum ratio of a figure at the highest load to that at the lowest, for the load to be the
    /// cause of the difference.
    private static final double MORE = 2;

    private static final String TIMEOUT = "Timeout";

    private OtherReplies() {}

    static Optional<Warning> of(Recording recording) {
        return otherSizes(recording.rounds()).or(() -> timeouts(recording));
    }

    private static Optional<Warning> otherSizes(List<Round> rounds) {
        List<Round> sized =
                rounds.stream().filter(r -> r.errors() == 0 && r.replySize().isPresent()).toList();
        if (sized.isEmpty()) {
            return Optional.empty();
        }
        Round min = sized.stream().min(Comparator.comparingInt(Round::concurrency)).orElseThrow();
        return sized.stream()
                .filter(r -> r.concurrency() > min.concurrency())
                .filter(r -> isOther(min, r))
                .min(Comparator.comparingInt(Round::concurrency))
                .map(r ->
                        new Warning(
                                ID,
                                say(
                                        "replies with %d in flight differ from those with %d: %.0f B"
                                                + " instead of %.0f B, head and body; look at one:"
                                                + " fallbacks and error pages with a good status are"
                                                + " no useful work",
                                        r.concurrency(), min.concurrency(), bytes(r), bytes(min)),
                                false));
    }

    private static boolean isOther(Round min, Round round) {
        double usual = mean(min);
        boolean oneSize = Math.abs(usual - Math.rint(usual)) <= WHOLE;
        return mean(round) < SAME_ANSWER * usual
                || (oneSize && Math.abs(mean(round) / usual - 1) >= OTHER_SIZE);
    }

    private static double mean(Round round) {
        return (double) round.bytesRead().orElse(0L) / Math.max(1, round.requests());
    }

    private static double bytes(Round round) {
        return round.replySize().map(Bytes::value).orElse(0L);
    }

    /// Returns a warning if requests exceed a time limit at the highest load but not at the lowest
    /// one, although their replies have a good status.
    private static Optional<Warning> timeouts(Recording recording) {
        List<Insight.Thrown> all = recording.insight().exceptions();
        int max = all.stream().mapToInt(Insight.Thrown::concurrency).max().orElse(0);
        int min = all.stream().mapToInt(Insight.Thrown::concurrency).min().orElse(0);
        double perRequest = timeouts(all, max);
        boolean caused = min == max || perRequest >= MORE * timeouts(all, min);
        return recording.rounds().stream()
                .filter(r -> r.concurrency() == max && r.requests() > 0)
                .filter(r -> caused && perRequest >= TIMEOUTS)
                .filter(r -> perRequest >= MORE * r.errors() / r.requests())
                .findFirst()
                .map(r ->
                        new Warning(
                                ID,
                                say(
                                        "with %d in flight, a request throws %.2g timeout"
                                                + " exceptions, but counts as a good reply. Look"
                                                + " at a reply at that load: fallbacks are no"
                                                + " useful work",
                                        max, perRequest),
                                false));
    }

    private static double timeouts(List<Insight.Thrown> all, int concurrency) {
        return all.stream()
                .filter(t -> t.concurrency() == concurrency)
                .filter(t -> t.type().substring(t.type().lastIndexOf('.') + 1).contains(TIMEOUT))
                .mapToDouble(Insight.Thrown::perRequest)
                .sum();
    }
}
