package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.Collector;
import java.util.ArrayList;
import java.util.List;

/// Information that this log lacks, and how to log it.
final class LogHygiene implements GcRule {

    /// Advice for lines that are not as the JVM wrote them.
    private static List<String> lines(Analysis.Lines lines) {
        List<String> advice = new ArrayList<>();
        if (lines.broken() > 0) {
            advice.add(
                    GcRule.say(
                            "%s torn or cut off: give each JVM a file of its own",
                            lines.broken() == 1 ? "1 line is" : lines.broken() + " lines are"));
        }
        if (lines.joined() > 0) {
            advice.add(
                    GcRule.say(
                            "%s missing, as where a log shipper joined lines: give the file that the"
                                    + " JVM wrote",
                            lines.joined() == 1
                                    ? "1 line end is"
                                    : lines.joined() + " line ends are"));
        }
        return advice;
    }

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        List<String> advice = new ArrayList<>();
        boolean unified = a.setup().unified();
        if (!a.stopped().safepointsLogged() && a.pauses().count() > 0) {
            advice.add(
                    unified
                            ? "safepoints are missing: add safepoint to -Xlog"
                            : "stops other than collections are missing: add"
                                    + " -XX:+PrintGCApplicationStoppedTime");
        }
        if (!a.hasCollections() && a.collector() != Collector.EPSILON) {
            advice.add("no collection stands in this log: log for longer, or see that it is whole");
        } else if (a.spanS() <= 0) {
            advice.add(
                    unified
                            ? "time stamps are missing: add the uptime and time decorations"
                            : "time stamps are missing: add -XX:+PrintGCTimeStamps and"
                                    + " -XX:+PrintGCDateStamps");
        }
        if (a.heap().youngBytes().isEmpty()
                && !a.collector().isPauseless()
                && a.pauses().count() > 0) {
            advice.add(
                    unified
                            ? "sizes of the generations are missing: log gc* instead of gc"
                            : "sizes of the generations are missing: add -XX:+PrintGCDetails");
        }
        if (a.clockBackwards() > 0) {
            advice.add(
                    GcRule.say(
                            "the wall clock fell back %d times: add uptimes, which cannot",
                            a.clockBackwards()));
        }
        advice.addAll(lines(a.lines()));
        if (advice.isEmpty()) {
            return clear();
        }
        return found(
                Severity.INFO,
                "the log could show more",
                "a diagnosis that could not be made does not mean that all is well",
                List.of(
                        GcRule.evidence(
                                "things missing",
                                advice.size(),
                                "",
                                0,
                                a.lines().firstUnread().stream()
                                        .map(Analysis.Unread::line)
                                        .toList())),
                advice,
                "this entry disappears");
    }
}
