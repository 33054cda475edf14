package dev.jdyno.report.words;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Texts;
import dev.jdyno.measure.thread.DiskUse;
import java.util.List;

/// What disks did, a line for each.
public final class DiskText {
    /// Share of the time with something to do below which another disk than the target's is no
    /// news.
    private static final double NEWS_FROM = 0.5;

    /// The same of the target's own.
    private static final double OWN_NEWS_FROM = 0.01;

    private static final int MOST = 2;

    private DiskText() {}

    /// `Disk vda 97 % busy: 240 reads/s, 12 writes/s, 3.1 MiB/s, 4.1 ms each, 1.2 under way`.
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

    /// The busiest of those that matter: the target's that had something to do, and others that are
    /// busy.
    public static List<String> lines(List<DiskUse> disks) {
        return disks.stream()
                .filter(d -> d.utilisation() >= (d.ofTarget() ? OWN_NEWS_FROM : NEWS_FROM))
                .limit(MOST)
                .map(DiskText::of)
                .toList();
    }
}
