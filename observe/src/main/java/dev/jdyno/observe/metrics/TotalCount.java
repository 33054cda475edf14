package dev.jdyno.observe.metrics;

import dev.jdyno.foreign.PrometheusText;
import dev.jdyno.foreign.PrometheusText.Sample;
import java.util.List;
import java.util.Optional;

/// One count of all requests, by services that have no times by endpoint. Requests for the metrics
/// are in it.
final class TotalCount {
    /// Name of a framework's counter.
    ///
    /// @param scopes labels of which one must have the value `vendor`, because an application may
    ///   have a counter of the same name; empty if the name is the framework's own
    private record Form(String name, List<String> scopes) {
        boolean has(Sample s) {
            return scopes.isEmpty() || scopes.stream().map(s::label).anyMatch("vendor"::equals);
        }
    }

    private static final List<Form> FORMS =
            List.of(
                    // Helidon 4, SE and MP
                    new Form("requests_count_total", List.of("scope", "mp_scope")),
                    // MicroProfile Metrics in Helidon 1 to 3
                    new Form("vendor_requests_count_total", List.of()));

    private TotalCount() {}

    /// True if samples of this name are read here.
    static boolean wants(String name) {
        return FORMS.stream().anyMatch(f -> f.name().equals(name));
    }

    /// Returns the growth between two pages; empty if one of them has no such count.
    static Optional<Double> between(PrometheusText before, PrometheusText after) {
        return of(after).flatMap(now -> of(before).map(was -> now - was));
    }

    /// The count of a page, if it has one.
    static Optional<Double> of(PrometheusText text) {
        return FORMS.stream().flatMap(f -> of(text, f).stream()).findFirst();
    }

    private static Optional<Double> of(PrometheusText text, Form form) {
        return text.samples(form.name()).stream()
                .filter(form::has)
                .flatMap(s -> MetricsReading.amount(s).stream())
                .reduce(Double::sum);
    }
}
