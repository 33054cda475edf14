package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.watch.WatchAlert;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.report.words.WatchText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Alerts in the form in which Alertmanager's `POST /api/v2/alerts` takes them. Its keys are that
/// API's, so they have no schema of ours.
///
/// @param labels identify the alert: two with the same labels are one
/// @param endsAt left out while it is unknown: Alertmanager then ends an alert that it no longer
///   receives
public record AlertForm(
        Map<String, String> labels,
        Map<String, String> annotations,
        String startsAt,
        @JsonInclude(Include.NON_ABSENT) Optional<String> endsAt) {
    /// @param host name of the host that jdyno runs on
    public static AlertForm of(WatchAlert alert, Optional<String> host) {
        return new AlertForm(
                labels(alert.cause(), host),
                Map.of("summary", Printable.line(WatchText.event(alert.cause()))),
                WatchForm.seconds(alert.startsAt()),
                alert.endsAt().map(WatchForm::seconds));
    }

    private static Map<String, String> labels(WatchEvent cause, Optional<String> host) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("alertname", name(cause));
        labels.put("service", cause.service());
        if (cause instanceof WatchEvent.BottleneckChanged c) {
            labels.put("bottleneck", c.to().bottleneck().key());
        }
        host.ifPresent(h -> labels.put("host", Printable.line(h)));
        return labels;
    }

    private static String name(WatchEvent cause) {
        return "Jdyno"
                + switch (cause) {
                    case WatchEvent.Watching _ -> "Watching";
                    case WatchEvent.BottleneckChanged _ -> "Bottleneck";
                    case WatchEvent.HeadroomBelow _, WatchEvent.HeadroomBack _ -> "Headroom";
                    case WatchEvent.CpuPerRequestChanged _ -> "CpuPerRequest";
                    case WatchEvent.Restarted _ -> "Restarted";
                    case WatchEvent.Gone _ -> "Gone";
                };
    }
}
