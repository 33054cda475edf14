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
/// @param rate the open model's rate; empty: a closed model
/// @param duration of what is measured; the run ends earlier when `spec.mostRequests` are done
/// @param warmup load before it that does not count
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

    /// What of this plan one of several processes carries out.
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

    /// The same from so many loopback addresses that the local ports suffice, when the server is on
    /// one itself and no local address is asked for.
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

    /// When the requests of a replayed log start; empty when nothing is replayed at its own times.
    public Optional<Timetable> timetable() {
        return spec.workload().flatMap(Workload::timetable);
    }

    /// Whether requests arrive by a schedule that asks nobody.
    public boolean isOpen() {
        return rate.isPresent() || timetable().isPresent();
    }

    /// The model in words, for every report.
    public String model() {
        return isOpen() ? "open" : "closed";
    }
}
