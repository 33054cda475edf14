package dev.jdyno.cli.load;

import dev.jdyno.load.LoadReport;
import dev.jdyno.load.pacing.RateProfile;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.ClientSide;
import dev.jdyno.measure.FailureCount;
import dev.jdyno.measure.FailureText;
import dev.jdyno.measure.Latency;
import dev.jdyno.measure.Secrets;
import dev.jdyno.measure.Validity;
import dev.jdyno.measure.Workload;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// `jdyno load --json`: the keys of the contract, and more.
final class LoadJson {
    private LoadJson() {}

    static String of(LoadReport report, Validity validity, ErrorSeconds errors) {
        LoadWindow w = report.total();
        Map<String, @Nullable Object> doc = new LinkedHashMap<>();
        doc.put("schema", "jdyno/load/1");
        doc.put("url", Secrets.text(report.plan().spec().url().toString()));
        doc.put("model", report.plan().model());
        doc.put("connections", report.plan().connections());
        doc.put("protocol", report.plan().spec().protocol().label());
        doc.put("streamsPerConnection", report.plan().spec().streams());
        Optional<RateProfile> rate = report.plan().rate();
        doc.put("ratesPerS", rate.isPresent() ? rate.get().ratesPerS() : null);
        doc.put(
                "replay",
                report.plan()
                        .spec()
                        .workload()
                        .flatMap(Workload::replay)
                        .map(LoadJson::replay)
                        .orElse(null));
        doc.put("seconds", w.seconds());
        doc.put("requests", w.requests());
        doc.put("qps", w.qps());
        doc.put("errors", w.errors());
        doc.put("errorKinds", new TreeMap<>(w.errorKinds()));
        doc.put("errorReasons", reasons(w));
        doc.put("errorDetails", w.failures().stream().map(LoadJson::failure).toList());
        doc.put("errorsBySecond", errors.json());
        doc.put("statuses", new TreeMap<>(w.statuses()));
        doc.put("bytes", w.bytesRead());
        doc.put("rtMs", latency(w.latency()));
        doc.put("serviceMs", latency(w.service()));
        doc.put("sendErrorUs", sendError(w.sendErrorNanos()));
        doc.put("connectMs", latency(Latency.of(w.connectNanos())));
        doc.put("handshakeMs", latency(Latency.of(w.handshakeNanos())));
        doc.put("backlog", Map.of("waited", w.backlogged(), "most", w.backlogMost()));
        doc.put("openConnections", w.connections().open());
        doc.put("lostConnections", w.connections().lost());
        doc.put("polls", w.polls());
        doc.put("retried", w.detours().retried());
        doc.put("redirects", w.redirects());
        doc.put("redirectMs", latency(Latency.of(w.detours().redirectNanos())));
        doc.put("streamWaits", w.detours().streamWaits());
        doc.put("unfinished", w.inFlight());
        doc.put("named", named(w));
        doc.put("client", client(w, report));
        doc.put("validity", Map.of("ok", validity.ok(), "warnings", validity.warnings()));
        doc.put("partial", report.partial());
        doc.put("end", report.end().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(doc);
    }

    private static Map<String, String> reasons(LoadWindow w) {
        Map<String, String> reasons = new TreeMap<>(FailureText.byKind(w.failures()));
        reasons.replaceAll((_, why) -> Secrets.text(why));
        return reasons;
    }

    private static Map<String, Object> replay(Workload.Replay r) {
        Map<String, Object> m = new LinkedHashMap<>();
        m.put("file", r.file().toString());
        m.put("speed", r.starts().isPresent() ? r.speed() : "max");
        m.put("lines", r.unread().lines());
        m.put("linesUnread", r.unread().count());
        m.put("firstUnread", r.unread().first());
        m.put("incomplete", r.unread().incomplete().map(i -> i.kind().key()).orElse(null));
        return m;
    }

    private static Map<String, @Nullable Object> failure(FailureCount f) {
        Map<String, @Nullable Object> m = new LinkedHashMap<>();
        m.put("kind", f.kind());
        m.put("reason", f.reason().key());
        m.put("count", f.count());
        m.put("example", f.example().map(Secrets::text).orElse(null));
        m.put("says", FailureText.says(f.reason()));
        m.put("fix", FailureText.advice(f.reason()).orElse(null));
        return m;
    }

    private static Map<String, Object> named(LoadWindow w) {
        Map<String, Object> all = new TreeMap<>();
        w.named()
                .forEach((name, n) ->
                        all.put(
                                name,
                                Map.of(
                                        "requests",
                                        n.requests(),
                                        "errors",
                                        n.errors(),
                                        "rtMs",
                                        latency(Latency.of(n.latencyNanos())))));
        return all;
    }

    private static Map<String, Double> latency(Latency l) {
        Map<String, Double> m = new LinkedHashMap<>();
        m.put("mean", l.mean());
        m.put("p50", l.p50());
        m.put("p90", l.p90());
        m.put("p99", l.p99());
        m.put("p999", l.p999());
        m.put("max", l.max());
        return m;
    }

    private static @Nullable Map<String, Double> sendError(Histogram nanos) {
        if (nanos.getTotalCount() == 0) {
            return null;
        }
        Map<String, Double> m = new LinkedHashMap<>();
        m.put("p50", nanos.getValueAtPercentile(50) / 1e3);
        m.put("p99", nanos.getValueAtPercentile(99) / 1e3);
        m.put("max", nanos.getMaxValue() / 1e3);
        return m;
    }

    private static Map<String, @Nullable Object> client(LoadWindow w, LoadReport report) {
        ClientSide c = w.client();
        Map<String, @Nullable Object> m = new LinkedHashMap<>();
        m.put("cpuS", c.cpuPct() / 100 * w.seconds());
        m.put("cpuPct", c.cpuPct());
        m.put("loops", report.processes() * report.plan().spec().loops());
        m.put("processes", report.processes());
        m.put("transport", report.transport());
        m.put("busiestLoopPct", c.busiestLoopPct());
        m.put("gcMs", c.gcMs());
        m.put("stalledPct", c.stalledPct());
        m.put("saturated", c.saturated());
        m.put("heldUp", c.heldUp());
        m.put("why", c.why().orElse(null));
        return m;
    }
}
