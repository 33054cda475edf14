package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.measure.service.ServicePool;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The connection pool that is full according to the service's own metrics, which also give its
/// name. Stack frames only show the library of the pool for which threads wait.
final class ReportedPool {
    private ReportedPool() {}

    /// Returns the finding with the name of the pool, or the same finding if the metrics show no
    /// full pool with waiting callers.
    static Finding.Limits named(Finding.Limits found, Evidence evidence) {
        return of(evidence).map(pool -> named(found, pool)).orElse(found);
    }

    /// Returns the full pool with the most waiting callers at the load of the thread samples. It
    /// must belong to the library for whose pool most threads wait.
    static Optional<ServicePool> of(Evidence evidence) {
        String library =
                PoolSettings.library(evidence.top(Cause.POOL).map(ThreadSamples.Busy::place));
        return evidence.saturated().map(ThreadSamples::concurrency).stream()
                .flatMap(n ->
                        evidence.insight().service().stream().filter(f -> f.concurrency() == n))
                .flatMap(f -> f.pools().stream())
                .filter(p -> !p.library().isBlank() && library.startsWith(p.library()))
                .filter(p -> p.use().filter(u -> u >= Limits.ALL_IN_USE).isPresent())
                .filter(p -> p.waiting().filter(w -> w > 0).isPresent())
                .max(Comparator.comparing(p -> p.waiting().orElse(0.0)));
    }

    private static Finding.Limits named(Finding.Limits found, ServicePool pool) {
        String says =
                say(
                        "pool `%s` (%s) has %.1f of %.0f connections in use, and %.1f callers wait",
                        pool.pool(),
                        pool.library(),
                        pool.inUse().orElse(0.0),
                        pool.max().orElse(0.0),
                        pool.waiting().orElse(0.0));
        List<EvidenceLine> lines = new ArrayList<>(found.evidence());
        lines.add(
                line(
                        Figure.REPORTED_POOL,
                        "by the service's own metrics " + says + times(pool),
                        pool.use().orElse(0.0),
                        Limits.ALL_IN_USE));
        return new Finding.Limits(
                found.where(),
                found.confidence(),
                found.statement().and(" By the service's own metrics " + says + "."),
                lines);
    }

    private static String times(ServicePool pool) {
        return pool.waitMs().map(ms -> say(" for %.1f ms each", ms)).orElse("")
                + pool.heldMs().map(ms -> say("; a connection is held for %.1f ms", ms)).orElse("");
    }
}
