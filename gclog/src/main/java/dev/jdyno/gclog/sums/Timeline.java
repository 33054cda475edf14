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

/// Sums over equal slices of the log's time, for charts, in bounded memory. If the log needs more
/// than {@link #MAX} slices, neighbours are merged in pairs and each slice becomes twice as long.
final class Timeline {
    /// Maximum number of slices; more than a chart can show as areas.
    private static final int MAX = 256;

    private static final double FIRST_WIDTH_S = 0.1;
    private static final int AGES = 15;

    /// Maximum number of phase names while the log is read, and in the result; the other phases are
    /// summed up.
    private static final int MAX_PHASES = 32;

    private static final int SHOWN_PHASES = 6;

    /// Phases inside G1's `Concurrent Mark`. They are left out, because `Concurrent Mark` has its
    /// own line.
    private static final Set<String> INSIDE_MARK =
            Set.of("Concurrent Mark From Roots", "Concurrent Preclean");

    // indexes of the sums in the array of a slice
    private static final int ALLOCATED = 0;
    private static final int PROMOTED = 1;
    private static final int PAUSE_MS = 2;
    private static final int OTHER_MS = 3;
    private static final int STALL_MS = 4;
    private static final int TABLES = 5;
    private static final int AGES_FROM = 6;
    private static final int PHASES_FROM = AGES_FROM + AGES;
    private static final int CONCURRENT_FROM = PHASES_FROM + MAX_PHASES + 1;
    private static final int SIZE = CONCURRENT_FROM + MAX_PHASES + 1;

    /// Indexes of the phase names in the array of a slice. Further names share the last index.
    private static final class Names {
        private final Map<String, Integer> places = new HashMap<>();

        int index(String name) {
            Integer known = places.get(name);
            if (known != null) {
                return known;
            }
            int next = Math.min(places.size(), MAX_PHASES);
            if (next < MAX_PHASES) {
                places.put(name, next);
            }
            return next;
        }

        /// @param ms times of all names, starting at `from`
        List<String> longest(double[] ms, int from) {
            return places.entrySet().stream()
                    .sorted(Comparator.comparingDouble(e -> -ms[from + e.getValue()]))
                    .limit(SHOWN_PHASES)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        /// The times of the given names in order, and the sum of the others.
        Map<String, Double> byName(double[] ms, int from, List<String> shown) {
            Map<String, Double> named = new LinkedHashMap<>();
            double rest = Arrays.stream(ms, from, from + MAX_PHASES + 1).sum();
            for (String name : shown) {
                double own = ms[from + index(name)];
                named.put(name, own);
                rest -= own;
            }
            if (places.size() > shown.size()) {
                named.put("others", Math.max(0, rest));
            }
            return named;
        }
    }

    private final List<double[]> cells = new ArrayList<>();
    private final Names phases = new Names();
    private final Names concurrentNames = new Names();
    private double collectedS = -1;
    private boolean begun;
    private double firstS;
    private double widthS = FIRST_WIDTH_S;

    /// Distributes an amount over the slices of its time range.
    private void spread(double fromS, double toS, int place, double amount) {
        double[] last = at(fromS, toS);
        double from = Math.max(0, fromS - firstS);
        double to = Math.max(from, toS - firstS);
        int end = (int) (to / widthS);
        for (int i = (int) (from / widthS); i < end; i++) {
            double part = (i + 1) * widthS - Math.max(from, i * widthS);
            cells.get(i)[place] += part / (to - from) * amount;
        }
        double begin = Math.max(from, end * widthS);
        last[place] += (to > from ? (to - begin) / (to - from) : 1) * amount;
    }

    /// The slice of the end of an event that began at `fromS`.
    private double[] at(double fromS, double toS) {
        if (!begun) {
            begun = true;
            firstS = fromS;
        }
        double to = Math.max(0, Math.max(fromS, toS) - firstS);
        while (to >= MAX * widthS) {
            merge();
        }
        int last = (int) (to / widthS);
        while (cells.size() <= last) {
            cells.add(new double[SIZE]);
        }
        return cells.get(last);
    }

    private void merge() {
        for (int i = 0; i < cells.size(); i += 2) {
            double[] first = cells.get(i);
            if (i + 1 < cells.size()) {
                sum(first, cells.get(i + 1));
            }
            cells.set(i / 2, first);
        }
        cells.subList((cells.size() + 1) / 2, cells.size()).clear();
        widthS *= 2;
    }

    /// Records the start of a collection, with the bytes allocated since the last one.
    void allocated(double atS, double bytes) {
        double since = Math.min(collectedS, atS);
        collectedS = atS;
        spread(since < 0 ? atS : since, atS, ALLOCATED, bytes);
    }

    void promoted(double atS, long bytes) {
        spread(atS, atS, PROMOTED, (double) bytes);
    }

    void pause(GcEvent.Pause p) {
        double begin = p.when().uptimeS();
        if (!p.nested()) {
            spread(begin, begin + p.ms() / 1000, PAUSE_MS, p.ms());
        }
        List<Long> bytes = p.tenuring().map(GcEvent.Tenuring::bytesByAge).orElse(List.of());
        if (bytes.isEmpty() && p.phases().isEmpty()) {
            return;
        }
        double[] slice = at(begin, begin);
        for (GcEvent.Phase phase : p.phases()) {
            slice[PHASES_FROM + phases.index(phase.name())] += phase.ms();
        }
        slice[TABLES] += bytes.isEmpty() ? 0 : 1;
        for (int age = 0; age < Math.min(AGES, bytes.size()); age++) {
            slice[AGES_FROM + age] += bytes.get(age);
        }
    }

    /// Records concurrent work. Cycles and the parts of `Concurrent Mark` are left out, because
    /// their time is already counted by other lines.
    void concurrent(GcEvent.ConcurrentPhase p) {
        if (p.name().endsWith("Cycle") || INSIDE_MARK.contains(p.name())) {
            return;
        }
        double begin = p.when().uptimeS();
        spread(
                begin,
                begin + p.ms() / 1000,
                CONCURRENT_FROM + concurrentNames.index(p.name()),
                p.ms());
    }

    void other(double atS, double ms) {
        spread(atS, atS + ms / 1000, OTHER_MS, ms);
    }

    void stall(double atS, double ms) {
        spread(atS, atS + ms / 1000, STALL_MS, ms);
    }

    List<Analysis.Slice> finish() {
        double[] all = new double[SIZE];
        for (double[] c : cells) {
            sum(all, c);
        }
        List<String> longest = phases.longest(all, PHASES_FROM);
        List<String> longestConcurrent = concurrentNames.longest(all, CONCURRENT_FROM);
        return IntStream.range(0, cells.size())
                .mapToObj(i -> slice(i, longest, longestConcurrent))
                .toList();
    }

    private static void sum(double[] into, double[] more) {
        for (int i = 0; i < into.length; i++) {
            into[i] += more[i];
        }
    }

    private Analysis.Slice slice(int index, List<String> longest, List<String> longestConcurrent) {
        double[] c = cells.get(index);
        List<Double> ages = new ArrayList<>();
        for (int age = 0; age < AGES && c[TABLES] > 0; age++) {
            ages.add(c[AGES_FROM + age] / c[TABLES]);
        }
        return new Analysis.Slice(
                firstS + index * widthS,
                widthS,
                c[ALLOCATED],
                c[PROMOTED],
                c[PAUSE_MS],
                c[OTHER_MS],
                c[STALL_MS],
                ages,
                phases.byName(c, PHASES_FROM, longest),
                concurrentNames.byName(c, CONCURRENT_FROM, longestConcurrent));
    }
}
