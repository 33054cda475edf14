package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;

/// CPU times of pauses, to find pauses that waited instead of working.
final class CpuMeter {
    /// Minimum length in ms of a judged pause. HotSpot prints CPU times in steps of 10 ms.
    private static final double SHORTEST_MS = 50;

    /// Minimum mean number of cores used during a pause. If fewer were used, the pause had too
    /// little CPU, waited for swapped memory, or waited for the disk with its log. A single GC
    /// thread uses 1.
    private static final double STARVED_CORES = 0.5;

    private long pauses;
    private double user;
    private double system;
    private double real;
    private Sightings starved = Sightings.NONE;
    private double starvedUserS;
    private double starvedSystemS;
    private Sightings systemHeavy = Sightings.NONE;

    void take(GcEvent.Pause p) {
        if (p.cpu().isEmpty()) {
            return;
        }
        GcEvent.Cpu c = p.cpu().get();
        pauses++;
        user += c.userS();
        system += c.systemS();
        real += c.realS();
        if (p.ms() < SHORTEST_MS) {
            return;
        }
        double cpu = c.userS() + c.systemS();
        if (cpu * 1000 < STARVED_CORES * p.ms()) {
            starved = starved.plus(p.line(), p.ms());
            starvedUserS += c.userS();
            starvedSystemS += c.systemS();
        }
        if (c.systemS() > c.userS()) {
            systemHeavy = systemHeavy.plus(p.line(), p.ms());
        }
    }

    Analysis.Cpu finish() {
        return new Analysis.Cpu(
                pauses, user, system, real, starved, starvedUserS, starvedSystemS, systemHeavy);
    }
}
