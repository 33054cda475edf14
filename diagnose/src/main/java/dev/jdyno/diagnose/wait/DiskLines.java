package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.ms;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Evidence on the disks: how busy the target's disk was, how long its reads and writes took, and
/// whether other processes keep a disk busy.
final class DiskLines {
    /// Minimum share of the time with open requests at which a disk counts as always busy. It is
    /// below 1 because readings fall between two ticks of the kernel's clock.
    static final double BUSY_FROM = 0.9;

    /// Maximum share of a disk's bytes at which the target's own bytes count as few. A journal
    /// writes each of the target's bytes two or three times.
    static final double FEW_OF_ITS_BYTES = 0.1;

    private DiskLines() {}

    /// Returns the lines for a verdict that names the disk.
    static List<EvidenceLine> of(Evidence evidence) {
        List<EvidenceLine> lines = new ArrayList<>();
        Optional<DiskUse> disk = evidence.signals().flatMap(s -> s.diskOfTarget());
        disk.ifPresent(d -> {
            lines.add(utilisation(d));
            d.waitMs().ifPresent(wait -> lines.add(wait(d, wait)));
            d.flushes().filter(f -> f.perS() > 0).ifPresent(f -> lines.add(flushes(d, f)));
        });
        others(evidence).ifPresent(lines::add);
        return lines;
    }

    private static EvidenceLine utilisation(DiskUse d) {
        return line(
                Figure.DISK_UTILISATION,
                say(
                        "%s, the disk with the service's files, was busy %.0f %% of the time:"
                                + " %.0f reads/s, %.0f writes/s, %s/s",
                        d.device(),
                        d.utilisation() * 100,
                        d.readsPerS(),
                        d.writesPerS(),
                        new Bytes(Math.round(d.bytesPerS()))),
                d.utilisation(),
                BUSY_FROM);
    }

    private static EvidenceLine wait(DiskUse d, double wait) {
        return line(
                Figure.DISK_WAIT,
                say(
                        "a read or write of %s took %s ms, %.1f were under way",
                        d.device(), ms(wait), d.queueDepth()),
                wait,
                0);
    }

    private static EvidenceLine flushes(DiskUse d, DiskUse.Flushes f) {
        return line(
                Figure.DISK_FLUSHES,
                say("%s received %.0f flushes per second", d.device(), f.perS())
                        + f.waitMs().map(w -> say(", %s ms each", ms(w))).orElse(""),
                f.perS(),
                0);
    }

    /// Returns a line if a disk is always busy and few of its bytes are the target's.
    static Optional<EvidenceLine> others(Evidence evidence) {
        Optional<Double> own = ownBytes(evidence);
        return evidence.signals().stream()
                .flatMap(s -> s.disks().stream())
                .filter(d -> d.utilisation() >= BUSY_FROM && d.bytesPerS() > 0)
                .filter(d -> own.filter(o -> o <= FEW_OF_ITS_BYTES * d.bytesPerS()).isPresent())
                .findFirst()
                .map(d ->
                        line(
                                Figure.DISK_OTHERS,
                                say(
                                                "%s%s was busy %.0f %% of the time, and of its"
                                                        + " %s/s the service reads and writes"
                                                        + " only %s/s: other processes keep it"
                                                        + " busy",
                                                d.device(),
                                                d.ofTarget()
                                                        ? ", the disk with the service's"
                                                                + " files,"
                                                        : "",
                                                d.utilisation() * 100,
                                                new Bytes(Math.round(d.bytesPerS())),
                                                new Bytes(Math.round(own.orElse(0.0))))
                                        + evidence.place(Sign.NEIGHBOUR_DISK_BYTES_PER_S)
                                                .map(busiest -> ", most: " + busiest)
                                                .orElse(""),
                                d.utilisation(),
                                BUSY_FROM));
    }

    private static Optional<Double> ownBytes(Evidence evidence) {
        return evidence.sign(Sign.DISK_READ_BYTES_PER_S)
                .flatMap(r -> evidence.sign(Sign.DISK_WRITE_BYTES_PER_S).map(w -> r + w));
    }
}
