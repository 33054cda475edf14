package dev.jdyno.report.html;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.report.words.CallsText;
import dev.jdyno.report.words.CpuLoadText;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The response-time breakdown on the page. The bar, sentence and places of the operating point
/// come first.
public record BreakdownPage(RunResult result) {
    /// Maximum number of parts named in the sentence above the bars.
    private static final int NAMED = 4;

    /// Minimum share of a request's time for the row with the rest of a cause, beyond its named
    /// places.
    private static final double REST_FROM = 0.01;

    /// The bar of one load; its width is the response time or the sum of the parts.
    ///
    /// @param widthPct the bar's width in percent of the widest
    public record Bar(Round round, double totalMs, double widthPct, List<Segment> segments) {
        /// The part of one cause in ms; 0 if the cause is missing.
        public double ms(String key) {
            return segments.stream()
                    .filter(s -> s.key().equals(key))
                    .mapToDouble(Segment::ms)
                    .sum();
        }

        /// The client's mean response time, in ms.
        public double measuredMs() {
            return round.rtMs().mean();
        }

        /// Share of the round in which the JVM was stopped; empty if it was not measured.
        public Optional<Double> stopped() {
            return round.gc().map(gc -> gc.pauseShare() + round.otherStopsShare());
        }

        public String stoppedFor() {
            return round.gc()
                    .map(gc ->
                            "collector "
                                    + Figures.percent(gc.pauseShare())
                                    + ", all else "
                                    + Figures.percent(round.otherStopsShare()))
                    .orElse("");
        }
    }

    /// @param means explanation of this part in plain words
    /// @param sharePct share of this part in its own bar
    public record Segment(String key, String name, String means, double ms, double sharePct) {
        private static Segment of(Highlights.Part p, double whole) {
            return new Segment(
                    p.key(), p.name(), Highlights.means(p.key()), p.ms(), p.ms() / whole * 100);
        }

        /// The name, with an explanation before it if readers cannot know the name.
        public String longName() {
            return key.equals(Highlights.UNEXPLAINED)
                    ? "waits to be given a thread, or on the network (" + name + ")"
                    : name;
        }
    }

    /// One place at the operating point.
    ///
    /// @param where empty if the place has the same name as its cause
    /// @param calls number of calls of a request; empty if they were not counted, or if their
    ///   number is the sum of several places
    public record Place(
            String key, String cause, String where, Optional<String> calls, double ms) {}

    /// A bar for each load: the operating point first, the others by load.
    public List<Bar> bars() {
        List<Round> rounds = Highlights.breakdownRounds(result);
        double widest =
                rounds.stream().mapToDouble(r -> Highlights.whole(parts(r), r)).max().orElse(0);
        Optional<Round> first = Highlights.breakdownRound(result);
        return Stream.concat(
                        first.stream(), rounds.stream().filter(r -> !first.equals(Optional.of(r))))
                .map(r -> bar(r, widest))
                .toList();
    }

    private List<Highlights.Part> parts(Round r) {
        return Highlights.parts(r, result.verdict().bottleneck());
    }

    private Bar bar(Round r, double widest) {
        List<Highlights.Part> parts = parts(r);
        double whole = Highlights.whole(parts, r);
        return new Bar(
                r,
                Highlights.total(parts),
                widest == 0 ? 0 : whole / widest * 100,
                parts.stream().map(p -> Segment.of(p, whole)).toList());
    }

    /// The largest parts in one sentence; empty without a breakdown.
    public Optional<String> leads() {
        return bars().stream().findFirst().map(BreakdownPage::says);
    }

    private static String says(Bar bar) {
        String parts =
                bar.segments().stream()
                        .sorted(Comparator.comparingDouble(Segment::ms).reversed())
                        .limit(NAMED)
                        .filter(s -> Highlights.reads(s.sharePct() / 100))
                        .map(s -> s.name() + " " + Figures.percent(s.sharePct() / 100))
                        .collect(Collectors.joining(", "));
        return "At N = %d a request takes %s ms: %s.%s"
                .formatted(
                        bar.round().concurrency(),
                        Figures.number(bar.measuredMs()),
                        parts,
                        Highlights.addsUp(bar.totalMs(), bar.round())
                                ? ""
                                : " Its parts were counted in a window of their own and sum to %s ms."
                                        .formatted(Figures.number(bar.totalMs())));
    }

    /// The causes that occur in any bar, in the order in which they are stacked.
    public List<Segment> causes() {
        Map<String, Segment> seen =
                bars().stream()
                        .flatMap(b -> b.segments().stream())
                        .collect(Collectors.toMap(Segment::key, s -> s, (a, _) -> a));
        return Stream.concat(
                        Arrays.stream(Cause.values()).map(Cause::key),
                        Stream.of(Highlights.UNEXPLAINED))
                .flatMap(k -> Optional.ofNullable(seen.get(k)).stream())
                .toList();
    }

    /// The reason why the CPU time of a request differs between the lowest load and the first bar.
    /// Empty if it does not differ by more than its error.
    public Optional<String> cpuByLoad() {
        return Highlights.breakdownRound(result).flatMap(r -> CpuLoadText.of(result, r));
    }

    /// The load whose places are listed.
    public Optional<Round> round() {
        return Highlights.breakdownRound(result);
    }

    /// The places where a request spends its time at that load, the longest first. The places of a
    /// cause replace its part, and the rest of the part is one more row. Places may add up to more
    /// than the part, because a wait and the task that it waits for are counted twice. They are
    /// then scaled down to the part. Places that would be shown as 0 ms are left out.
    public List<Place> places() {
        List<Place> places = new ArrayList<>();
        round().ifPresent(r -> {
            List<Breakdown.Spot> spots =
                    r.anatomy()
                            .map(_ -> Highlights.withPlacesSeen(r, result.census()).topN())
                            .orElseGet(List::of);
            List<Highlights.Part> parts = parts(r);
            double smallestShown = Highlights.total(parts) * REST_FROM;
            parts.forEach(p ->
                    places.addAll(
                            places(
                                    p,
                                    spots,
                                    CallsText.of(result.insight(), r, p.key()).or(p::error),
                                    smallestShown)));
        });
        return places.stream()
                .filter(p -> !Figures.number(p.ms()).equals("0"))
                .sorted(Comparator.comparingDouble(Place::ms).reversed())
                .toList();
    }

    private static List<Place> places(
            Highlights.Part part,
            List<Breakdown.Spot> all,
            Optional<String> calls,
            double smallestShown) {
        List<Breakdown.Spot> spots =
                all.stream().filter(s -> s.cause().key().equals(part.key())).toList();
        double shown = spots.stream().mapToDouble(Breakdown.Spot::ms).sum();
        double factor = shown > part.ms() ? part.ms() / shown : 1;
        List<Place> places = new ArrayList<>();
        for (Breakdown.Spot spot : spots) {
            String where = spot.where().equalsIgnoreCase(part.name()) ? "" : spot.where();
            Optional<String> there = calls.filter(_ -> spots.size() == 1);
            places.add(new Place(part.key(), part.name(), where, there, spot.ms() * factor));
        }
        double rest = part.ms() - shown * factor;
        if (rest >= smallestShown) {
            String where = shown > 0 ? "other places" : "";
            Optional<String> error = shown > 0 ? Optional.empty() : part.error();
            places.add(new Place(part.key(), part.name(), where, error, rest));
        }
        return places;
    }
}
