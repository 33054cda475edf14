package dev.jdyno.load;

import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.pacing.Part;
import dev.jdyno.load.pacing.RateProfile;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.measure.load.Timetable;
import dev.jdyno.measure.load.Workload;
import java.time.Duration;
import java.util.Optional;

/// One run of load from its start to its end.
///
/// @param think closed model: pause between a reply and the next request
/// @param rate rate of the open model; empty for a closed model
/// @param duration length of the measurement; the run ends earlier when `spec.mostRequests`
///   requests have ended
/// @param warmup length of the load before the measurement; it is not measured
public record LoadPlan(
        LoadSpec spec,
        int connections,
        Duration think,
        Optional<RateProfile> rate,
        Arrivals arrivals,
        Duration duration,
        Duration warmup) {

    Level levelAt(double fraction) {
        Optional<Timetable> starts = timetable();
        if (starts.isPresent()) {
            return new Level.Replay(connections, starts.get());
        }
        return rate.<Level>map(r -> new Level.Open(connections, r.at(fraction), arrivals))
                .orElseGet(() -> new Level.Closed(connections, think));
    }

    /// Returns the part of this plan for one of several processes.
    public LoadPlan part(Part part) {
        double share = 1.0 / part.of();
        return new LoadPlan(
                spec.part(part),
                part.share(connections),
                think,
                rate.map(r -> r.times(share)),
                arrivals,
                duration,
                warmup);
    }

    /// The same plan with as many loopback source addresses as the local ports require. Applies
    /// only if the server is on a loopback address and the plan names no local address.
    public LoadPlan fromEnoughAddresses() {
        return spec.sources().isEmpty() && spec.unixSocket().isEmpty()
                ? new LoadPlan(
                        spec.from(LoadLimits.loopbackSources(connections, spec)),
                        connections,
                        think,
                        rate,
                        arrivals,
                        duration,
                        warmup)
                : this;
    }

    /// The start times of the requests if a log is replayed at its own times; otherwise empty.
    public Optional<Timetable> timetable() {
        return spec.workload().flatMap(Workload::timetable);
    }

    /// True if requests arrive by a schedule, whether or not replies have come.
    public boolean isOpen() {
        return rate.isPresent() || timetable().isPresent();
    }

    /// The load model as a word, for reports: `open` or `closed`.
    public String model() {
        return isOpen() ? "open" : "closed";
    }
}
