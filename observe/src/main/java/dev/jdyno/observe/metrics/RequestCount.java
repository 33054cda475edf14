package dev.jdyno.observe.metrics;

import dev.jdyno.foreign.PrometheusText;
import dev.jdyno.foreign.PrometheusText.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Requests and their time since the start of a service, by endpoint and class of status.
record RequestCount(Map<Endpoint, Sum> all) {
    /// Names of one framework's timer of requests.
    ///
    /// @param timer name of the family
    /// @param uri labels of the route; the first one that is present counts
    private record Form(String timer, List<String> uri, String method, String status) {}

    /// Only the first form that a service exposes is read, because two would count each request
    /// twice.
    private static final List<Form> FORMS =
            List.of(
                    // Spring Boot, Quarkus, Micronaut
                    new Form("http_server_requests_seconds", List.of("uri"), "method", "status"),
                    // OpenTelemetry, by the semantic conventions
                    new Form(
                            "http_server_request_duration_seconds",
                            List.of("http_route"),
                            "http_request_method",
                            "http_response_status_code"),
                    new Form(
                            "ktor_http_server_requests_seconds",
                            List.of("route"),
                            "method",
                            "status"),
                    new Form(
                            "vertx_http_server_response_time_seconds",
                            List.of("route", "path"),
                            "method",
                            "code"),
                    // MicroProfile Metrics in Helidon MP: a method of a resource class
                    new Form("REST_request_seconds", List.of("class", "method"), "", ""));

    RequestCount {
        all = Map.copyOf(all);
    }

    /// @param status class of the status, `2xx`
    record Endpoint(String method, String uri, String status) {}

    /// @param seconds sum of the times of the requests
    record Sum(double requests, double seconds) {
        private Sum plus(Sum other) {
            return new Sum(requests + other.requests, seconds + other.seconds);
        }
    }

    /// True if samples of this name are read here.
    static boolean wants(String name) {
        return FORMS.stream()
                .anyMatch(
                        f -> name.equals(f.timer() + "_count") || name.equals(f.timer() + "_sum"));
    }

    /// @param own path of the metrics; requests to it are left out
    static RequestCount of(PrometheusText text, String own) {
        return FORMS.stream()
                .map(f -> of(text, f, own))
                .filter(c -> !c.all().isEmpty())
                .findFirst()
                .orElse(new RequestCount(Map.of()));
    }

    private static RequestCount of(PrometheusText text, Form form, String own) {
        Map<Endpoint, Sum> all = new LinkedHashMap<>();
        add(all, text.samples(form.timer() + "_count"), form, own, true);
        add(all, text.samples(form.timer() + "_sum"), form, own, false);
        return new RequestCount(all);
    }

    private static void add(
            Map<Endpoint, Sum> all, List<Sample> samples, Form form, String own, boolean counts) {
        for (Sample s : samples) {
            Endpoint endpoint = endpoint(s, form);
            Optional<Double> value = MetricsReading.amount(s);
            if (value.isPresent() && !endpoint.uri().equals(own)) {
                all.merge(
                        endpoint,
                        counts ? new Sum(value.get(), 0) : new Sum(0, value.get()),
                        Sum::plus);
            }
        }
    }

    private static Endpoint endpoint(Sample s, Form form) {
        boolean resource = form.method().isEmpty();
        String uri =
                resource
                        ? s.label("class") + "." + s.label("method")
                        : form.uri().stream()
                                .map(s::label)
                                .filter(t -> !t.isEmpty())
                                .findFirst()
                                .orElse("");
        return new Endpoint(s.label(form.method()), uri, statusClass(s.label(form.status())));
    }

    private static String statusClass(String status) {
        boolean isCode = status.length() == 3 && status.chars().allMatch(Character::isDigit);
        return isCode ? status.charAt(0) + "xx" : status;
    }

    /// Returns the growth since an earlier reading; empty if a count started again.
    Optional<Map<Endpoint, Sum>> since(RequestCount before) {
        Map<Endpoint, Sum> grown = new LinkedHashMap<>();
        for (Map.Entry<Endpoint, Sum> e : all.entrySet()) {
            Sum was = before.all.getOrDefault(e.getKey(), new Sum(0, 0));
            double requests = e.getValue().requests() - was.requests();
            double seconds = e.getValue().seconds() - was.seconds();
            if (requests < 0) {
                return Optional.empty();
            }
            if (requests > 0) {
                grown.put(e.getKey(), new Sum(requests, Math.max(0, seconds)));
            }
        }
        return before.all.keySet().stream().allMatch(all::containsKey)
                ? Optional.of(grown)
                : Optional.empty();
    }
}
