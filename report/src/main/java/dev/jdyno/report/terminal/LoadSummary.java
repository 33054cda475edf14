package dev.jdyno.report.terminal;

import dev.jdyno.load.ErrorSeconds;
import dev.jdyno.load.LoadPlan;
import dev.jdyno.load.LoadReport;
import dev.jdyno.load.pacing.RateProfile;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.Detours;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.load.SlowRequest;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Replay;
import dev.jdyno.measure.load.Workload.Unread;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Validity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/// The closing summary of `jdyno load`, for a user who knows wrk and ab.
public record LoadSummary(LoadReport report, Validity validity, ErrorSeconds errorSeconds) {
    /// Maximum number of requests with trace ids that are shown; the JSON has more.
    private static final int MAX_SLOWEST = 3;

    public String text() {
        LoadWindow w = report.total();
        List<String> lines = new ArrayList<>();
        lines.add(model());
        lines.add("");
        lines.add(
                line(
                        "requests    %,d good in %.2f s   %,.1f/s   %s read (%s/s)",
                        w.requests(),
                        w.seconds(),
                        w.qps(),
                        new Bytes(w.bytesRead()),
                        new Bytes(Math.round(w.bytesRead() / Math.max(1e-9, w.seconds())))));
        lines.add("errors      " + errors(w));
        errorSeconds(w.seconds(), lines);
        lines.addAll(reasons(w.failures()));
        lines.add(
                line(
                        "latency ms  %9s %9s %9s %9s %9s %9s",
                        "mean", "p50", "p90", "p99", "p99.9", "max"));
        boolean late = w.serviceNanos().getMean() != w.latencyNanos().getMean();
        lines.add(latency(late ? "  corrected " : "            ", w.latency()));
        if (late) {
            lines.add(latency("uncorrected ", w.service()));
            lines.add(
                    "            corrected: from the intended start; uncorrected: from the actual"
                            + " send");
        }
        w.replies().times(w.seconds()).ifPresent(r -> replies(r, w.latency(), lines));
        open(w, lines);
        replay(lines);
        slowest(w, lines);
        detours(w, lines);
        if (report.plan().spec().activeShare() < 1 || w.connections().lost() > 0) {
            lines.add(
                    line(
                            "connections %,d open at the end; the server closed %,d that were idle",
                            w.connections().open(), w.connections().lost()));
        }
        if (w.polls() > 0) {
            lines.add(
                    line(
                            "polls       %,d looked for an effect; latency is until it was seen",
                            w.polls()));
        }
        if (w.handshakeNanos().getTotalCount() > 0) {
            lines.add(
                    line(
                            "handshake   %,d of TLS   p50 %.3f ms   p99 %.3f ms   max %.3f ms",
                            w.handshakeNanos().getTotalCount(),
                            w.handshakeNanos().getValueAtPercentile(50) / 1e6,
                            w.handshakeNanos().getValueAtPercentile(99) / 1e6,
                            w.handshakeNanos().getMaxValue() / 1e6));
        }
        named(w, lines);
        lines.add("");
        lines.addAll(LatencyBars.of(w.latencyNanos()));
        lines.add("");
        client(w.client(), lines);
        validity(lines);
        return String.join(System.lineSeparator(), lines);
    }

    // Each format string of this class is a literal in its own call.
    private static String line(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }

    private String model() {
        var plan = report.plan();
        String loops =
                plan.spec().loops() == 1 ? "1 event loop" : plan.spec().loops() + " event loops";
        String what =
                plan.isOpen()
                        ? "open model: " + arrivals() + " over " + connections()
                        : "closed model: " + connections();
        String shared =
                report.processes() == 1 ? "" : line(" in each of %d processes", report.processes());
        String warm =
                plan.warmup().isPositive()
                        ? line(", after %.1f s of warm-up", plan.warmup().toMillis() / 1e3)
                        : "";
        return what + ", " + loops + shared + " (" + report.transport() + ")" + warm;
    }

    private String arrivals() {
        LoadPlan plan = report.plan();
        return plan.rate()
                .map(r -> rate(r) + ", " + plan.arrivals().name().toLowerCase(Locale.ROOT))
                .map(text -> text + " arrivals")
                .orElse("arrivals at the times of a log");
    }

    private String connections() {
        LoadSpec spec = report.plan().spec();
        String n = report.plan().connections() + " connections";
        return switch (spec.protocol()) {
            case HTTP_1_1 -> n;
            case HTTP_2 -> n + " × " + spec.streams() + " streams of " + spec.protocolLabel();
        };
    }

    private void replay(List<String> lines) {
        Optional<Replay> replayed = report.plan().spec().workload().flatMap(Workload::replay);
        if (replayed.isEmpty()) {
            return;
        }
        Replay r = replayed.get();
        String pace =
                r.starts()
                        .map(t ->
                                line(
                                        "%,d requests over %.1f s, %s its own times",
                                        t.size(),
                                        t.spanNanos() / 1e9,
                                        r.speed() == 1 ? "at" : times(r.speed()) + " × as fast as"))
                        .orElse("its requests in order, at the load given");
        lines.add(line("replay      %s: %s", r.file(), pace));
        lines.addAll(unread(r.unread()));
    }

    /// A speed: `2`, `0.5`.
    private static String times(double speed) {
        return BigDecimal.valueOf(speed).stripTrailingZeros().toPlainString();
    }

    /// The number of log lines that are not requests; empty if every line is a request.
    public static List<String> unread(Unread unread) {
        List<String> lines = new ArrayList<>();
        if (unread.count() > 0) {
            lines.add(
                    line(
                            "            %,d of %,d lines are no request and were left out:",
                            unread.count(), unread.lines()));
            unread.first().forEach(l -> lines.add("            " + l));
        }
        unread.incomplete().ifPresent(i -> lines.add("            " + i.says()));
        return lines;
    }

    private void detours(LoadWindow w, List<String> lines) {
        Detours d = w.detours();
        Histogram hops = d.redirectNanos();
        if (hops.getTotalCount() > 0) {
            lines.add(
                    line(
                            "redirects   %,d followed, a hop p50 %.3f ms   p99 %.3f ms; latency is"
                                    + " until the last reply",
                            hops.getTotalCount(),
                            hops.getValueAtPercentile(50) / 1e6,
                            hops.getValueAtPercentile(99) / 1e6));
        } else if (w.redirects() > 0) {
            lines.add(line("redirects   %,d, not followed (-L follows them)", w.redirects()));
        }
        if (d.retried() > 0) {
            lines.add(line("retried     %,d that the server had not looked at", d.retried()));
        }
        if (report.plan().spec().isStreamed()) {
            lines.add(
                    line(
                            "messages    %,d in the replies   %,.1f/s",
                            d.messages(), d.messages() / Math.max(1e-9, w.seconds())));
        }
        if (d.streamWaits() > 0) {
            lines.add(
                    line(
                            "streams     %,d requests waited: the server allows fewer streams on a"
                                    + " connection than were asked for",
                            d.streamWaits()));
        }
    }

    private static String rate(RateProfile rate) {
        String joined =
                rate.ratesPerS().stream()
                        .map(r -> line("%,.0f", r))
                        .collect(Collectors.joining(rate.ramp() ? "…" : ", then "));
        return joined + "/s";
    }

    private static String errors(LoadWindow w) {
        if (w.errors() == 0) {
            return "none";
        }
        double share = 100.0 * w.errors() / (w.requests() + w.errors());
        return line("%,d (%.2f %%): %s", w.errors(), share, kinds(w.errorKinds()));
    }

    /// Adds a line for each kind of error, with the times of the first and the last error. No line
    /// is added if errors came all the time.
    private void errorSeconds(double length, List<String> lines) {
        errorSeconds
                .spans(length)
                .forEach((kind, span) ->
                        lines.add(
                                line(
                                        "            %s: from %.0f s to %.0f s%s",
                                        kind,
                                        span.from(),
                                        span.to(),
                                        errorSeconds.isCut() ? ", and perhaps later" : "")));
    }

    /// The reason of each kind of failure and how to fix it, once per reason.
    public static List<String> reasons(List<FailureCount> failures) {
        List<String> lines = new ArrayList<>();
        for (FailureCount f : failures) {
            lines.add(
                    line(
                            "            %s %,d: %s",
                            f.kind(), f.count(), Secrets.text(FailureText.says(f))));
            FailureText.advice(f.reason()).ifPresent(a -> lines.add("              fix: " + a));
        }
        return lines;
    }

    /// Errors by kind, most frequent first: `timeout 12, status-503 3`.
    public static String kinds(Map<String, Long> errorKinds) {
        return errorKinds.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String latency(String name, Latency l) {
        return line(
                "%s%9.3f %9.3f %9.3f %9.3f %9.3f %9.3f",
                name, l.mean(), l.p50(), l.p90(), l.p99(), l.p999(), l.max());
    }

    /// The arrival times of the parts of replies, in the columns of the latency.
    private static void replies(ReplyTimes replies, Latency whole, List<String> lines) {
        if (replies.isEarly(whole)) {
            lines.add(latency("first byte  ", replies.ttfbMs()));
        }
        if (replies.isBodyLate()) {
            lines.add(latency("of the body ", replies.firstBodyMs()));
        }
        replies.events()
                .ifPresent(e -> {
                    lines.add(latency("first event ", e.firstMs()));
                    lines.add(latency("between     ", e.betweenMs()));
                    lines.add(
                            line(
                                    "events      %,d, %,.1f/s; between: from one event to the next"
                                            + " of its stream",
                                    e.events(), e.perS()));
                });
    }

    /// The slowest requests, each with its link to the trace viewer or its trace id.
    private void slowest(LoadWindow w, List<String> lines) {
        List<SlowRequest> slowest =
                w.replies().times(w.seconds()).map(ReplyTimes::slowest).orElse(List.of());
        Optional<String> viewer = report.plan().spec().replies().traceUrl();
        for (int i = 0; i < Math.min(MAX_SLOWEST, slowest.size()); i++) {
            SlowRequest s = slowest.get(i);
            lines.add(
                    line(
                            "%s%9.3f ms  %s",
                            i == 0 ? "slowest     " : "            ",
                            s.ms(),
                            viewer.flatMap(v -> ReplyRules.link(v, s.traceId()))
                                    .orElse(s.traceId())));
        }
    }

    private static void open(LoadWindow w, List<String> lines) {
        Histogram late = w.sendErrorNanos();
        if (late.getTotalCount() == 0) {
            return;
        }
        lines.add(
                line(
                        "send error  p50 %.1f us   p99 %.1f us   max %.1f us   (actual − intended"
                                + " start)",
                        late.getValueAtPercentile(50) / 1e3,
                        late.getValueAtPercentile(99) / 1e3,
                        late.getMaxValue() / 1e3));
        if (w.backlogged() > 0 || w.inFlight() > 0) {
            lines.add(
                    line(
                            "backlog     %,d arrivals waited for a free connection, %,d at most at a"
                                    + " time; %,d unfinished at the end",
                            w.backlogged(), w.backlogMost(), w.inFlight()));
        }
    }

    private static void named(LoadWindow w, List<String> lines) {
        if (w.named().isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(
                line("by name     %12s %9s %9s %9s %9s", "good", "errors", "p50 ms", "p99", "max"));
        new TreeMap<>(w.named())
                .forEach((name, n) -> {
                    Latency l = Latency.of(n.latencyNanos());
                    lines.add(
                            line(
                                    "            %,12d %,9d %9.3f %9.3f %9.3f  %s",
                                    n.requests(), n.errors(), l.p50(), l.p99(), l.max(), name));
                });
    }

    private static void client(ClientSide c, List<String> lines) {
        lines.add(
                line(
                        "client      CPU %.0f %% of a core, busiest loop %.0f %% busy, own GC %.0f ms%s",
                        c.cpuPct(),
                        c.busiestLoopPct(),
                        c.gcMs(),
                        c.saturated() ? "" : ": not the limit"));
    }

    private void validity(List<String> lines) {
        for (Validity.Warning warning : validity.warnings()) {
            lines.add((warning.spoils() ? "NOT VALID   " : "note        ") + warning.says());
        }
    }
}
