package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import java.util.ArrayList;
import java.util.List;

/// Survivor tables over the log: how often and why the tenuring threshold was lowered (dynamic age,
/// F11), and which share of each age survives to the next age.
final class AgeMeter {
    private static final int AGES = 15;

    /// Minimum ratio of the bytes of all ages to the desired size at which the survivor space
    /// counts as full. With the default TargetSurvivorRatio of 50 %, a full space is twice the
    /// desired size, less what does not fit.
    private static final double FULL = 1.9;

    private long collections;
    private Sightings lowered = Sightings.NONE;
    private Sightings ageOneAbove = Sightings.NONE;
    private Sightings overflowed = Sightings.NONE;
    private double desired;
    private long desiredCount;
    private int lowest = Integer.MAX_VALUE;
    private int max;
    private long tables;
    private final double[] bytes = new double[AGES];
    private final double[] lived = new double[AGES];
    private final double[] couldLive = new double[AGES];
    private List<Long> previous = List.of();

    void take(GcEvent.Pause p) {
        if (p.tenuring().isEmpty()) {
            return;
        }
        GcEvent.Tenuring t = p.tenuring().get();
        if (t.maxThreshold() > 0) {
            collections++;
            // the age in an object's header has four bits, so a larger threshold means no limit
            max = Math.min(t.maxThreshold(), AGES);
            lowest = Math.min(lowest, t.threshold());
            if (t.threshold() < max) {
                lowered = lowered.plus(p.line(), p.ms());
            }
        }
        if (t.desiredBytes().isPresent()) {
            desired += t.desiredBytes().getAsLong();
            desiredCount++;
        }
        List<Long> ages = t.bytesByAge();
        if (ages.isEmpty()) {
            return;
        }
        tables++;
        if (t.desiredBytes().isPresent() && ages.getFirst() > t.desiredBytes().getAsLong()) {
            ageOneAbove = ageOneAbove.plus(p.line(), p.ms());
        }
        long all = 0;
        for (long of : ages) {
            all += of;
        }
        if (t.desiredBytes().orElse(0) > 0 && all > FULL * t.desiredBytes().getAsLong()) {
            overflowed = overflowed.plus(p.line(), p.ms());
        }
        for (int age = 0; age < AGES; age++) {
            bytes[age] += age < ages.size() ? ages.get(age) : 0;
            // objects promoted by the last collection are missing from the table, but are not dead
            if (age > 0 && age - 1 < previous.size() && age < ages.size()) {
                couldLive[age] += previous.get(age - 1);
                lived[age] += Math.min(ages.get(age), previous.get(age - 1));
            }
        }
        previous = ages;
    }

    Analysis.Ages finish() {
        List<Double> mean = new ArrayList<>();
        List<Double> survival = new ArrayList<>();
        for (int age = 0; age < AGES && tables > 0; age++) {
            mean.add(bytes[age] / tables);
            if (age > 0) {
                survival.add(couldLive[age] > 0 ? lived[age] / couldLive[age] : 0.0);
            }
        }
        return new Analysis.Ages(
                collections,
                lowered,
                ageOneAbove,
                overflowed,
                desiredCount == 0 ? 0 : desired / desiredCount,
                collections == 0 ? 0 : lowest,
                max,
                tables,
                mean,
                survival);
    }
}
