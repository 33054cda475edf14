package dev.jdyno.report.json;

import dev.jdyno.load.ErrorSeconds;
import dev.jdyno.load.LoadReport;
import dev.jdyno.load.pacing.RateProfile;
import dev.jdyno.load.statistics.Detours;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.verdict.Validity;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// The document `jdyno/load/1` of `jdyno load --json`. The names of components are keys that
/// scripts read. They include the documented keys (docs/json.md).
public record LoadForm(
        String schema,
        String url,
        String model,
        int connections,
        String protocol,
        int streamsPerConnection,
        Optional<List<Double>> ratesPerS,
        Optional<Replay> replay,
        double seconds,
        long requests,
        double qps,
        long errors,
        Map<String, Long> errorKinds,
        Map<String, String> errorReasons,
        List<Failure> errorDetails,
        List<ErrorSeconds.Second> errorsBySecond,
        Map<Integer, Long> statuses,
        long bytes,
        Latency rtMs,
        Latency serviceMs,
        Optional<ReplyTimes> replies,
        Optional<String> traceUrl,
        Optional<SendError> sendErrorUs,
        Latency connectMs,
        Latency handshakeMs,
        Backlog backlog,
        long openConnections,
        long lostConnections,
        long polls,
        long retried,
        long redirects,
        Latency redirectMs,
        long streamWaits,
        int streamLimit,
        long messages,
        long unfinished,
        Map<String, Named> named,
        Client client,
        Validity validity,
        boolean partial,
        String end) {

    public static LoadForm of(LoadReport report, Validity validity, ErrorSeconds errors) {
        var spec = report.plan().spec();
        LoadWindow w = report.total();
        Detours detours = w.detours();
        return new LoadForm(
                "jdyno/load/1",
                Secrets.text(spec.address()),
                report.plan().model(),
                report.plan().connections(),
                spec.protocolLabel(),
                spec.streams(),
                report.plan().rate().map(RateProfile::ratesPerS),
                spec.workload().flatMap(Workload::replay).map(Replay::of),
                w.seconds(),
                w.requests(),
                w.qps(),
                w.errors(),
                new TreeMap<>(w.errorKinds()),
                reasons(w),
                w.failures().stream().map(Failure::of).toList(),
                errors.seconds(),
                new TreeMap<>(w.statuses()),
                w.bytesRead(),
                Latency.of(w.latencyNanos()),
                Latency.of(w.serviceNanos()),
                w.replies().times(w.seconds()),
                spec.replies().traceUrl(),
                SendError.of(w.sendErrorNanos()),
                Latency.of(w.connectNanos()),
                Latency.of(w.handshakeNanos()),
                new Backlog(w.backlogged(), w.backlogMost()),
                w.connections().open(),
                w.connections().lost(),
                w.polls(),
                detours.retried(),
                w.redirects(),
                Latency.of(detours.redirectNanos()),
                detours.streamWaits(),
                detours.streamLimit(),
                detours.messages(),
                w.inFlight(),
                named(w),
                Client.of(w.client(), report),
                validity,
                report.partial(),
                report.end().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    private static Map<String, String> reasons(LoadWindow w) {
        Map<String, String> reasons = new TreeMap<>(FailureText.byKind(w.failures()));
        reasons.replaceAll((_, why) -> Secrets.text(why));
        return reasons;
    }

    private static Map<String, Named> named(LoadWindow w) {
        Map<String, Named> all = new TreeMap<>();
        w.named()
                .forEach((name, n) ->
                        all.put(
                                name,
                                new Named(n.requests(), n.errors(), Latency.of(n.latencyNanos()))));
        return all;
    }

    /// @param speed a number, or `max` if the log's own times are ignored
    record Replay(
            String file,
            Object speed,
            long lines,
            long linesUnread,
            List<String> firstUnread,
            Optional<String> incomplete) {
        private static Replay of(Workload.Replay r) {
            Workload.Unread unread = r.unread();
            return new Replay(
                    r.file().toString(),
                    r.starts().isPresent() ? (Object) r.speed() : "max",
                    unread.lines(),
                    unread.count(),
                    unread.first(),
                    unread.incomplete().map(i -> i.kind().key()));
        }
    }

    record Failure(
            String kind,
            String reason,
            long count,
            Optional<String> example,
            String says,
            Optional<String> fix) {
        private static Failure of(FailureCount f) {
            return new Failure(
                    f.kind(),
                    f.reason().key(),
                    f.count(),
                    f.example().map(Secrets::text),
                    FailureText.says(f.reason()),
                    FailureText.advice(f.reason()));
        }
    }

    record SendError(double p50, double p99, double max) {
        private static Optional<SendError> of(Histogram nanos) {
            return nanos.getTotalCount() == 0
                    ? Optional.empty()
                    : Optional.of(
                            new SendError(
                                    nanos.getValueAtPercentile(50) / 1e3,
                                    nanos.getValueAtPercentile(99) / 1e3,
                                    nanos.getMaxValue() / 1e3));
        }
    }

    record Backlog(long waited, long most) {}

    record Named(long requests, long errors, Latency rtMs) {}

    record Client(
            double cpuS,
            double cpuPct,
            int loops,
            int processes,
            String transport,
            double busiestLoopPct,
            double gcMs,
            double stalledPct,
            boolean saturated,
            boolean heldUp,
            Optional<String> why) {
        private static Client of(ClientSide c, LoadReport report) {
            return new Client(
                    c.cpuPct() / 100 * report.total().seconds(),
                    c.cpuPct(),
                    report.processes() * report.plan().spec().loops(),
                    report.processes(),
                    report.transport(),
                    c.busiestLoopPct(),
                    c.gcMs(),
                    c.stalledPct(),
                    c.saturated(),
                    c.heldUp(),
                    c.why());
        }
    }
}
