package dev.jdyno.report.json;

import dev.jdyno.measure.watch.WatchedHeadroom;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The headroom of a range in `jdyno/watched/1`. Components are the documented keys, in their order
/// (docs/json.md).
///
/// @param minutes number of minutes that count
/// @param timesMean first limit ÷ mean traffic
/// @param limits as `headroom` of `diagnose --json`
public record WatchedHeadroomForm(
        int minutes,
        List<LeftOut> leftOut,
        Optional<Double> meanPerS,
        Optional<Peak> busiestHour,
        Optional<Peak> busiestMinute,
        Optional<Double> timesMean,
        Optional<Double> timesBusiestHour,
        Optional<Double> timesBusiestMinute,
        Map<String, Object> limits) {
    /// Minutes that do not count.
    public record LeftOut(String reason, int minutes) {}

    /// @param from begin of the hour or the minute
    public record Peak(String from, double perS) {}

    static WatchedHeadroomForm of(WatchedHeadroom watched) {
        Optional<WatchedHeadroom.Traffic> traffic = watched.traffic();
        return new WatchedHeadroomForm(
                watched.minutes(),
                watched.leftOut().entrySet().stream()
                        .map(e -> new LeftOut(e.getKey().key(), e.getValue()))
                        .toList(),
                traffic.map(WatchedHeadroom.Traffic::meanPerS),
                traffic.flatMap(WatchedHeadroom.Traffic::busiestHour).map(WatchedHeadroomForm::of),
                traffic.map(WatchedHeadroom.Traffic::busiestMinute).map(WatchedHeadroomForm::of),
                watched.timesMean(),
                watched.timesBusiestHour(),
                watched.timesBusiestMinute(),
                HeadroomForm.values(watched.limits()));
    }

    private static Peak of(WatchedHeadroom.Peak peak) {
        return new Peak(peak.from().toString(), peak.perS());
    }
}
