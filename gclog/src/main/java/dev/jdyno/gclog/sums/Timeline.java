package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Sums over equal slices of the log's time, for charts, in bounded memory: when the log outgrows
/// {@link #MOST} slices, neighbours are merged two by two and each becomes twice as long.
final class Timeline {
    /// Slices kept; finer than a chart shows as areas.
    private static final int MOST = 256;

    private static final double FIRST_WIDTH_S = 0.1;
    private static final int AGES = 15;

    /// Names of phases distinguished while reading, and in the end; the rest is summed up.
    private static final int MOST_PHASES = 32;

    private static final int SHOWN_PHASES = 6;

    /// Parts of G1's `Concurrent Mark`, which has a line of its own.
    private static final Set<String> INSIDE_MARK =
            Set.of("Concurrent Mark From Roots", "Concurrent Preclean");

    private static final class Cell {
        double allocated;
        double promoted;
        double pauseMs;
        double otherMs;
        double stallMs;
        long tables;
        final double[] ages = new double[AGES];
        final double[] phases = new double[MOST_PHASES + 1];
        final double[] beside = new double[MOST_PHASES + 1];

        void add(Cell c) {
            allocated += c.allocated;
            promoted += c.promoted;
            pauseMs += c.pauseMs;
            otherMs += c.otherMs;
            stallMs += c.stallMs;
            tables += c.tables;
            sum(ages, c.ages);
            sum(phases, c.phases);
            sum(beside, c.beside);
        }
    }

    /// Places of names in the arrays of a cell; those beyond the last share it.
    private static final class Names {
        private final Map<String, Integer> places = new HashMap<>();

        int index(String name) {
            Integer known = places.get(name);
            if (known != null) {
                return known;
            }
            int next = Math.min(places.size(), MOST_PHASES);
            if (next < MOST_PHASES) {
                places.put(name, next);
            }
            return next;
        }

        List<String> longest(double[] totals) {
            return places.entrySet().stream()
                    .sorted(Comparator.comparingDouble(e -> -totals[e.getValue()]))
                    .limit(SHOWN_PHASES)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        /// The named ones in order, and the sum of the others.
        Map<String, Double> byName(double[] ms, List<String> shown) {
            Map<String, Double> named = new LinkedHashMap<>();
            double rest = Arrays.stream(ms).sum();
            for (String name : shown) {
                double own = ms[index(name)];
                named.put(name, own);
                rest -= own;
            }
            if (places.size() > shown.size()) {
                named.put("others", Math.max(0, rest));
            }
            return named;
        }
    }

    private final List<Cell> cells = new ArrayList<>();
    private final Names phases = new Names();
    private final Names beside = new Names();
    private double collectedS = -1;
    private boolean begun;
    private double firstS;
    private double widthS = FIRST_WIDTH_S;

    /// Adds a share of something to a slice.
    private interface Adder {
        void add(Cell cell, double share);
    }

    /// Divides what happened from one moment to another among the slices in between.
    private void spread(double fromS, double toS, Adder adder) {
        if (!begun) {
            begun = true;
            firstS = fromS;
        }
        double from = Math.max(0, fromS - firstS);
        double to = Math.max(from, toS - firstS);
        while (to >= MOST * widthS) {
            merge();
        }
        int last = (int) (to / widthS);
        while (cells.size() <= last) {
            cells.add(new Cell());
        }
        for (int i = (int) (from / widthS); i < last; i++) {
            double end = (i + 1) * widthS;
            adder.add(cells.get(i), (end - Math.max(from, i * widthS)) / (to - from));
        }
        double begin = Math.max(from, last * widthS);
        adder.add(cells.get(last), to > from ? (to - begin) / (to - from) : 1);
    }

    private void merge() {
        for (int i = 0; i < cells.size(); i += 2) {
            Cell first = cells.get(i);
            if (i + 1 < cells.size()) {
                first.add(cells.get(i + 1));
            }
            cells.set(i / 2, first);
        }
        cells.subList((cells.size() + 1) / 2, cells.size()).clear();
        widthS *= 2;
    }

    /// A collection begins; `bytes` were allocated since the last one.
    void allocated(double atS, double bytes) {
        double since = Math.min(collectedS, atS);
        collectedS = atS;
        spread(since < 0 ? atS : since, atS, (cell, share) -> cell.allocated += share * bytes);
    }

    void promoted(double atS, long bytes) {
        spread(atS, atS, (cell, _) -> cell.promoted += bytes);
    }

    void pause(GcEvent.Pause p) {
        double begin = p.when().uptimeS();
        if (!p.nested()) {
            spread(begin, begin + p.ms() / 1000, (cell, share) -> cell.pauseMs += share * p.ms());
        }
        List<Long> bytes = p.tenuring().map(GcEvent.Tenuring::bytesByAge).orElse(List.of());
        if (bytes.isEmpty() && p.phases().isEmpty()) {
            return;
        }
        spread(
                begin,
                begin,
                (cell, _) -> {
                    for (GcEvent.Phase phase : p.phases()) {
                        cell.phases[phases.index(phase.name())] += phase.ms();
                    }
                    cell.tables += bytes.isEmpty() ? 0 : 1;
                    for (int age = 0; age < Math.min(AGES, bytes.size()); age++) {
                        cell.ages[age] += bytes.get(age);
                    }
                });
    }

    /// Work beside the application; what holds other lines of it is left out.
    void concurrent(GcEvent.ConcurrentPhase p) {
        if (p.name().endsWith("Cycle") || INSIDE_MARK.contains(p.name())) {
            return;
        }
        double begin = p.when().uptimeS();
        spread(
                begin,
                begin + p.ms() / 1000,
                (cell, share) -> cell.beside[beside.index(p.name())] += share * p.ms());
    }

    void other(double atS, double ms) {
        spread(atS, atS + ms / 1000, (cell, share) -> cell.otherMs += share * ms);
    }

    void stall(double atS, double ms) {
        spread(atS, atS + ms / 1000, (cell, share) -> cell.stallMs += share * ms);
    }

    List<Analysis.Slice> finish() {
        double[] inPauses = new double[MOST_PHASES + 1];
        double[] inCycles = new double[MOST_PHASES + 1];
        for (Cell c : cells) {
            sum(inPauses, c.phases);
            sum(inCycles, c.beside);
        }
        List<String> longest = phases.longest(inPauses);
        List<String> longestBeside = beside.longest(inCycles);
        return IntStream.range(0, cells.size())
                .mapToObj(i -> slice(i, longest, longestBeside))
                .toList();
    }

    private static void sum(double[] into, double[] more) {
        for (int i = 0; i < into.length; i++) {
            into[i] += more[i];
        }
    }

    private Analysis.Slice slice(int index, List<String> longest, List<String> longestBeside) {
        Cell c = cells.get(index);
        List<Double> ages = new ArrayList<>();
        for (int age = 0; age < AGES && c.tables > 0; age++) {
            ages.add(c.ages[age] / c.tables);
        }
        return new Analysis.Slice(
                firstS + index * widthS,
                widthS,
                c.allocated,
                c.promoted,
                c.pauseMs,
                c.otherMs,
                c.stallMs,
                ages,
                phases.byName(c.phases, longest),
                beside.byName(c.beside, longestBeside));
    }
}
