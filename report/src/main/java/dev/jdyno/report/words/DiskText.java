package dev.jdyno.report.words;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Texts;
import dev.jdyno.measure.thread.DiskUse;
import java.util.List;

/// The activity of disks, a line for each.
public final class DiskText {
    /// Minimum utilisation at which a disk that the target does not use is shown.
    private static final double NEWS_FROM = 0.5;

    /// Minimum utilisation at which a disk that the target uses is shown.
    private static final double OWN_NEWS_FROM = 0.01;

    private static final int MAX = 2;

    private DiskText() {}

    /// One line about a disk: `Disk vda 97 % busy: 240 reads/s, 12 writes/s, 3.1 MiB/s, 4.1 ms
    /// each, 1.2 under way`.
    private static String of(DiskUse d) {
        return Texts.say(
                        "Disk %s%s %.0f %% busy: %.0f reads/s, %.0f writes/s, %s/s",
                        d.device(),
                        d.ofTarget() ? "" : " (none of the target's)",
                        d.utilisation() * 100,
                        d.readsPerS(),
                        d.writesPerS(),
                        new Bytes(Math.round(d.bytesPerS())))
                + d.waitMs().map(ms -> Texts.say(", %s ms each", Figures.number(ms))).orElse("")
                + Texts.say(", %.1f under way", d.queueDepth());
    }

    /// The busiest disks that matter: those of the target with any activity, and others that are
    /// busy.
    public static List<String> lines(List<DiskUse> disks) {
        return disks.stream()
                .filter(d -> d.utilisation() >= (d.ofTarget() ? OWN_NEWS_FROM : NEWS_FROM))
                .limit(MAX)
                .map(DiskText::of)
                .toList();
    }
}
