package dev.jdyno.gclog.read;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Trouble;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Collects the lines of one stop of the application until its event is complete.
public final class PauseDraft {
    public GcEvent.@Nullable Occupancy heap;
    public GcEvent.@Nullable Occupancy young;
    public GcEvent.@Nullable Occupancy old;
    public GcEvent.@Nullable Occupancy metaspace;
    public GcEvent.@Nullable Cpu cpu;
    OptionalLong promotedBytes = OptionalLong.empty();
    OptionalLong humongousBytes = OptionalLong.empty();
    OptionalLong desiredBytes = OptionalLong.empty();
    boolean hasThreshold;
    int threshold;
    int maxThreshold;
    public final List<Long> bytesByAge = new ArrayList<>();
    public final List<GcEvent.Phase> phases = new ArrayList<>();
    public final Set<Trouble> troubles = EnumSet.noneOf(Trouble.class);

    /// G1's spaces in regions, before and after.
    public boolean hasRegions;

    public long edenBefore;
    public long edenAfter;
    public long survivorBefore;
    public long survivorAfter;
    public long oldBefore;
    public long oldAfter;
    public long humongousBefore;
    public long humongousAfter;

    public void clear() {
        heap = null;
        young = null;
        old = null;
        metaspace = null;
        cpu = null;
        promotedBytes = OptionalLong.empty();
        humongousBytes = OptionalLong.empty();
        desiredBytes = OptionalLong.empty();
        hasThreshold = false;
        bytesByAge.clear();
        phases.clear();
        troubles.clear();
        hasRegions = false;
        edenBefore = 0;
        edenAfter = 0;
        survivorBefore = 0;
        survivorAfter = 0;
        oldBefore = 0;
        oldAfter = 0;
        humongousBefore = 0;
        humongousAfter = 0;
    }

    /// Reads "Desired survivor size 1048576 bytes, new threshold 15 (max threshold 15)"; JDK 6–8
    /// write "(max 15)". The cursor is behind "Desired survivor size ".
    public boolean desired(Scan s) {
        if (!s.whole()) {
            return false;
        }
        long bytes = s.whole;
        if (!s.after(NEW_THRESHOLD) || !s.whole()) {
            return false;
        }
        int newThreshold = (int) s.whole;
        if (!s.after(MAX)) {
            return false;
        }
        s.accept(THRESHOLD);
        if (!s.whole()) {
            return false;
        }
        desiredBytes = OptionalLong.of(bytes);
        hasThreshold = true;
        threshold = newThreshold;
        maxThreshold = (int) s.whole;
        bytesByAge.clear();
        return true;
    }

    private static final byte[] NEW_THRESHOLD = Scan.word("new threshold ");
    private static final byte[] MAX = Scan.word("(max ");
    private static final byte[] THRESHOLD = Scan.word("threshold ");
    private static final byte[] PREV = Scan.word("prev ");
    private static final byte[] CURR = Scan.word("curr ");
    private static final byte[] BYTES = Scan.word(" bytes");

    /// Reads "- age 1: 2012624 bytes, 2012624 total". The cursor is behind "- age ".
    public boolean age(Scan s) {
        s.spaces();
        if (!s.whole()) {
            return false;
        }
        int age = (int) s.whole;
        if (!s.accept(':') || age < 1 || age > 15) {
            return false;
        }
        s.spaces();
        if (s.startsWith(PREV)) {
            // generational Shenandoah: "- age   1: prev    7777472 bytes, curr    3569784 bytes, …"
            s.after(CURR);
            s.spaces();
        }
        if (!s.whole() || !s.startsWith(BYTES)) {
            return false;
        }
        while (bytesByAge.size() < age) {
            bytesByAge.add(0L);
        }
        bytesByAge.set(age - 1, s.whole);
        return true;
    }

    /// Converts G1's regions to bytes.
    public void regionsToBytes(long regionBytes, PauseKind kind) {
        if (!hasRegions) {
            return;
        }
        young =
                new GcEvent.Occupancy(
                        (edenBefore + survivorBefore) * regionBytes,
                        (edenAfter + survivorAfter) * regionBytes,
                        OptionalLong.empty());
        old =
                new GcEvent.Occupancy(
                        (oldBefore + humongousBefore) * regionBytes,
                        (oldAfter + humongousAfter) * regionBytes,
                        OptionalLong.empty());
        humongousBytes = OptionalLong.of(humongousBefore * regionBytes);
        if (kind.isYoung()) {
            promotedBytes = OptionalLong.of(Math.max(0, oldAfter - oldBefore) * regionBytes);
        }
    }

    /// Promoted bytes: the growth of the old generation. If that is unknown, the bytes that left
    /// the young generation and stayed in the heap. Unified logs round the figures of the heap to
    /// MiB.
    private OptionalLong promoted(PauseKind kind) {
        if (promotedBytes.isPresent() || !kind.isYoung()) {
            return promotedBytes;
        }
        if (old != null) {
            return OptionalLong.of(Math.max(0, -old.freedBytes()));
        }
        if (young == null || heap == null) {
            return promotedBytes;
        }
        return OptionalLong.of(Math.max(0, young.freedBytes() - heap.freedBytes()));
    }

    public GcEvent.Pause finish(
            long line,
            OptionalLong id,
            GcEvent.When when,
            PauseKind kind,
            String cause,
            double ms,
            boolean nested) {
        return new GcEvent.Pause(
                line,
                id,
                when,
                kind,
                cause,
                ms,
                Optional.ofNullable(heap),
                Optional.ofNullable(young),
                Optional.ofNullable(old),
                Optional.ofNullable(metaspace),
                Optional.ofNullable(cpu),
                hasThreshold || !bytesByAge.isEmpty()
                        ? Optional.of(
                                new GcEvent.Tenuring(
                                        desiredBytes, threshold, maxThreshold, bytesByAge))
                        : Optional.empty(),
                promoted(kind),
                humongousBytes,
                phases,
                troubles,
                nested);
    }

    /// The occupancy from the last `change` that the cursor read.
    public static GcEvent.Occupancy occupancy(Scan s) {
        return new GcEvent.Occupancy(
                s.before,
                s.after,
                s.hasCapacity() ? OptionalLong.of(s.capacityBytes()) : OptionalLong.empty());
    }
}
