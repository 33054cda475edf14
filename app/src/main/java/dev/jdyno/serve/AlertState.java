package dev.jdyno.serve;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchAlert;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.report.WatchReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The alerts that the events of a watch begin and end, for Alertmanager. A client must send each
/// alert again as long as it lasts, so a document has all present alerts. It also has those that
/// ended lately, because their end may not have been delivered.
///
/// The number of alerts is bounded by that of the services: a service has one of each kind.
public final class AlertState {
    /// Length of an alert about an event that has no end of its own.
    static final Duration ONCE = Duration.ofMinutes(15);

    /// Time for which an ended alert is sent again.
    static final Duration AGAIN = Duration.ofMinutes(15);

    private final Optional<String> host;
    private final Map<Id, WatchAlert> alerts = new LinkedHashMap<>();

    /// Causes of the alerts of services without a JVM, by service. They last on when a JVM runs.
    private final Map<String, List<WatchEvent>> resting = new HashMap<>();

    /// Alerts of one identity are one alert.
    ///
    /// @param bottleneck empty for other alerts
    private record Id(String kind, String service, Optional<Bottleneck> bottleneck) {
        static Id of(WatchEvent event) {
            return new Id(
                    event.kind(),
                    event.service(),
                    event instanceof WatchEvent.BottleneckChanged c
                            ? Optional.of(c.to().bottleneck())
                            : Optional.empty());
        }
    }

    /// @param host name of the host that jdyno runs on
    public AlertState(Optional<String> host) {
        this.host = host;
    }

    /// Begins and ends alerts.
    public synchronized void add(WatchEvent event) {
        switch (event) {
            case WatchEvent.Watching _ -> {}
            case WatchEvent.BottleneckChanged c -> {
                end(c.kind(), c);
                if (c.to().bottleneck() != Bottleneck.LOAD) {
                    begin(c);
                }
            }
            case WatchEvent.HeadroomBelow h -> begin(h);
            case WatchEvent.HeadroomBack h -> end("headroom", h);
            case WatchEvent.CpuPerRequestChanged c -> once(c);
            case WatchEvent.Restarted r -> {
                end("gone", r);
                Optional.ofNullable(resting.remove(r.service())).stream()
                        .flatMap(List::stream)
                        .forEach(cause -> put(new WatchAlert(cause, r.at(), Optional.empty())));
                once(r);
            }
            case WatchEvent.Gone g -> {
                rest(g);
                begin(g);
            }
        }
    }

    private void put(WatchAlert alert) {
        alerts.put(Id.of(alert.cause()), alert);
    }

    private void once(WatchEvent cause) {
        put(WatchAlert.from(cause).until(cause.at().plus(ONCE)));
    }

    private void begin(WatchEvent cause) {
        Instant since =
                Optional.ofNullable(alerts.get(Id.of(cause)))
                        .filter(a -> a.endsAt().isEmpty())
                        .map(WatchAlert::startsAt)
                        .orElse(cause.at());
        put(new WatchAlert(cause, since, Optional.empty()));
    }

    /// Ends the present alerts of one kind of the event's service.
    private void end(String kind, WatchEvent by) {
        alerts.replaceAll((id, alert) ->
                id.kind().equals(kind) && isPresent(id, alert, by) ? alert.until(by.at()) : alert);
    }

    private static boolean isPresent(Id id, WatchAlert alert, WatchEvent of) {
        return id.service().equals(of.service()) && alert.endsAt().isEmpty();
    }

    /// Ends all alerts of a service without a JVM for now.
    private void rest(WatchEvent gone) {
        List<WatchEvent> causes = new ArrayList<>();
        alerts.replaceAll((id, alert) -> {
            if (!isPresent(id, alert, gone)) {
                return alert;
            }
            causes.add(alert.cause());
            return alert.until(gone.at());
        });
        resting.put(gone.service(), causes);
    }

    /// The document to send now; empty if there is no alert.
    public synchronized Optional<String> document(Instant now) {
        // an end far ahead is that of a wall clock which was set back since
        alerts.values()
                .removeIf(a ->
                        a.endsAt()
                                .filter(end ->
                                        end.isBefore(now.minus(AGAIN))
                                                || end.isAfter(now.plus(ONCE)))
                                .isPresent());
        return alerts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        WatchReport.alerts(
                                alerts.values().stream().map(a -> a.notAfter(now)).toList(), host));
    }
}
