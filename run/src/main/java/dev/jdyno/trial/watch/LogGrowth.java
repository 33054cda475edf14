package dev.jdyno.trial.watch;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.statistics.Throughput.Source;
import dev.jdyno.measure.text.Texts;
import java.util.List;
import java.util.Optional;

/// Computes throughput from the growth of an access log, whose lines are counted about once a
/// second.
///
/// Servers buffer their access logs by default (Tomcat's `AccessLogValve` writes every 10 s, or
/// when 128 KB are full). Then lines come in bursts, and each burst has the requests since the last
/// burst. Over a window of 18 s the number of lines could be off by more than half. From one burst
/// to another the number is right, and only the times are uncertain, by the interval between two
/// counts.
///
/// @param looks the counts, in the order of time
record LogGrowth(List<LogCount> looks) {
    /// Minimum number of counts without new lines, as a multiple of the number expected by chance,
    /// from which lines count as coming in bursts.
    private static final double MORE_THAN_CHANCE = 3;

    /// @param atS seconds since the beginning
    /// @param lines number of new lines since the last count
    record LogCount(double atS, long lines) {}

    LogGrowth {
        looks = List.copyOf(looks);
    }

    private long lines() {
        return looks.stream().mapToLong(LogCount::lines).sum();
    }

    private double seconds() {
        return looks.isEmpty() ? 0 : looks.getLast().atS();
    }

    /// True if far more counts found no new line than with random arrivals (Poisson).
    boolean inBursts() {
        double perCount = lines() / (double) Math.max(1, looks.size());
        long empty = looks.stream().filter(l -> l.lines() == 0).count();
        return lines() > 0 && empty > 1 + MORE_THAN_CHANCE * looks.size() * Math.exp(-perCount);
    }

    /// Empty when no time has passed.
    Optional<Throughput> throughput() {
        if (seconds() <= 0) {
            return Optional.empty();
        }
        double perS = lines() / seconds();
        if (!inBursts()) {
            return Optional.of(new Throughput(perS, Source.ACCESS_LOG, Optional.empty()));
        }
        List<LogCount> bursts = looks.stream().filter(l -> l.lines() > 0).toList();
        LogCount first = bursts.getFirst();
        LogCount last = bursts.getLast();
        double look = seconds() / looks.size();
        double between = last.atS() - first.atS();
        if (between < 2 * look) {
            // there was no other burst for so long before or after it, so the buffer took at least
            // that long to fill
            double filled = Math.max(look, Math.max(first.atS(), seconds() - last.atS()));
            return Optional.of(
                    new Throughput(
                            perS,
                            Source.ACCESS_LOG,
                            Optional.empty(),
                            Optional.of(new Interval(0, Math.max(perS, lines() / filled)))));
        }
        double since = lines() - first.lines();
        return Optional.of(
                new Throughput(
                        since / between,
                        Source.ACCESS_LOG,
                        Optional.empty(),
                        Optional.of(
                                new Interval(since / (between + look), since / (between - look)))));
    }

    /// Warning for the reader of that figure.
    ///
    /// @param rotations how often another file replaced the log
    /// @param truncations how often the log was emptied
    Optional<String> warning(int rotations, int truncations) {
        if (lines() == 0 && seconds() > 0) {
            return Optional.of(
                    Texts.say(
                            "no line came to the access log in %.0f s: no request ended, the log is"
                                    + " buffered for longer than that, or it is another file",
                            seconds()));
        }
        if (inBursts()) {
            return throughput()
                    .flatMap(Throughput::between)
                    .map(i ->
                            Texts.say(
                                    "the access log grows in bursts, because it is buffered or requests come"
                                            + " so: %.1f to %.1f/s; watch for longer, or log unbuffered"
                                            + " (Tomcat: server.tomcat.accesslog.buffered=false)",
                                    i.lo(), i.hi()));
        }
        if (truncations > 0) {
            long max = looks.stream().mapToLong(LogCount::lines).max().orElse(0);
            return Optional.of(
                    Texts.say(
                            "the access log was emptied meanwhile: %.1f to %.1f/s, for lines of up to a"
                                    + " second before are lost",
                            lines() / seconds(), (lines() + truncations * max) / seconds()));
        }
        return rotations > 0
                ? Optional.of(
                        "the access log was rotated meanwhile: the old file was counted to its end, and"
                                + " the new one from its beginning")
                : Optional.empty();
    }
}
