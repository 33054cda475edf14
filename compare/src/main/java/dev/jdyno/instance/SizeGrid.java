package dev.jdyno.instance;

import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The sizes that may be tested: the steps of the CPU and those of the memory, both in rising
/// order.
///
/// Steps are 20 to 33 % for the CPU and 14 to 25 % for the memory. A smaller step would be within
/// the differences between two starts of one service, so that "one step smaller fails" could not be
/// shown.
///
/// @param milliCpus steps of the CPU limit, in thousandths of a core
/// @param mebibytes steps of the memory limit
public record SizeGrid(List<Integer> milliCpus, List<Integer> mebibytes) {
    /// Steps of a decade, in tenths.
    private static final int[] DECADE = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};

    /// Steps of an octave, in quarters.
    private static final int[] OCTAVE = {4, 5, 6, 7};

    /// Smallest CPU limit that may be tested, in thousandths of a core.
    public static final int MIN_MILLIS = 100;

    static final int MAX_MILLIS = 1_000_000;
    static final int MIN_MEBI = 32;
    static final int MAX_MEBI = 4 << 20;

    private static final Pattern CPU = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?)(m?)");

    public SizeGrid {
        milliCpus = List.copyOf(milliCpus);
        mebibytes = List.copyOf(mebibytes);
        if (milliCpus.isEmpty() || mebibytes.isEmpty()) {
            throw new IllegalArgumentException("a grid needs a size");
        }
    }

    /// A range of one limit.
    ///
    /// @param least smallest value
    /// @param most largest value
    public record Range(int least, int most) {
        public Range {
            if (least > most) {
                throw new IllegalArgumentException("the lower end is above the upper end");
            }
        }

        /// The part of this range up to a value; the value alone if the range is above it.
        public Range upTo(int highest) {
            return new Range(Math.min(least, highest), Math.min(most, highest));
        }
    }

    /// The steps in two ranges, with the ends of the ranges.
    public static SizeGrid of(Range milliCpus, Range mebibytes) {
        var cpus = new TreeSet<Integer>();
        for (int power = 10; power <= MAX_MILLIS; power *= 10) {
            for (int step : DECADE) {
                cpus.add(step * power);
            }
        }
        var memory = new TreeSet<Integer>();
        for (int power = MIN_MEBI / 4; power <= MAX_MEBI / 4; power *= 2) {
            for (int step : OCTAVE) {
                memory.add(step * power);
            }
        }
        return new SizeGrid(within(milliCpus, cpus), within(mebibytes, memory));
    }

    private static List<Integer> within(Range range, TreeSet<Integer> steps) {
        var all = new TreeSet<>(steps.subSet(range.least(), true, range.most(), true));
        all.add(range.least());
        all.add(range.most());
        return List.copyOf(all);
    }

    /// A range of CPU limits: `0.25..2`, `250m..2000m`, or one value.
    ///
    /// @throws IllegalArgumentException if the text is not such a range
    public static Range cpus(String text) {
        String[] ends = ends(text);
        return new Range(millis(ends[0]), millis(ends[ends.length - 1]));
    }

    private static int millis(String text) {
        Matcher m = CPU.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a number of cores: write 0.5, 500m, or 0.25..2");
        }
        double value = Double.parseDouble(m.group(1)) * (m.group(2).isEmpty() ? 1000 : 1);
        if (value < MIN_MILLIS || value > MAX_MILLIS) {
            throw new IllegalArgumentException("'" + text + "' is not from 100m to 1000 cores");
        }
        return (int) Math.round(value);
    }

    /// A range of memory limits: `128m..2g`, `256Mi..1Gi`, or one value.
    ///
    /// @throws IllegalArgumentException if the text is not such a range
    public static Range memory(String text) {
        String[] ends = ends(text);
        return new Range(mebi(ends[0]), mebi(ends[ends.length - 1]));
    }

    private static int mebi(String text) {
        double mebi = Bytes.parse(text).inMebi();
        if (mebi < MIN_MEBI || mebi > MAX_MEBI) {
            throw new IllegalArgumentException("'" + text + "' is not from 32m to 4096g");
        }
        return (int) Math.round(mebi);
    }

    private static String[] ends(String text) {
        String[] ends = text.strip().split("\\.\\.", -1);
        if (ends.length > 2) {
            throw new IllegalArgumentException("'" + text + "' has more than two ends");
        }
        return ends;
    }

    /// The largest size.
    public InstanceSize full() {
        return new InstanceSize(milliCpus.getLast(), mebibytes.getLast());
    }

    /// The smallest size with at least these limits; the largest step where none is enough.
    InstanceSize atLeast(double cores, double neededMebi) {
        return new InstanceSize(first(milliCpus, 1000 * cores), first(mebibytes, neededMebi));
    }

    private static int first(List<Integer> steps, double least) {
        return steps.stream().filter(s -> s >= least).findFirst().orElse(steps.getLast());
    }
}
