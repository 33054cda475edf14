package dev.jdyno.heapmodel.simulation;

import java.util.ArrayList;
import java.util.List;

/// Eden, two survivor spaces and an old generation, and the effect of both kinds of collection: the
/// part that Serial and Parallel have in common. The two collectors decide when to collect.
final class Generations {
    /// A thread's promotion buffer for survivors (`YoungPLABSize`). Objects of more than half of it
    /// are copied one by one. Parallel records an overflow only if a buffer does not fit, not if
    /// such an object does not fit. Buffers are always needed, because some small objects always
    /// survive.
    private static final long PROMOTION_BUFFER_BYTES = 32 * 1024;

    /// The result of one minor collection.
    ///
    /// @param objects number of copied objects
    /// @param freshBytes bytes promoted into old pages that were never used before
    /// @param overflow true if the survivor space was too small even for small objects
    /// @param strays live objects that fit neither into a survivor space nor into old, so promotion
    ///   failed
    record Minor(
            long objects,
            long survivedBytes,
            long promotedBytes,
            long freshBytes,
            boolean overflow,
            AgeTable ages,
            List<Batch> strays) {
        boolean failed() {
            return !strays.isEmpty();
        }
    }

    /// The live objects that a full collection found.
    record Live(long bytes, long objects) {}

    private final Space eden;
    private final Space old;
    private Space from;
    private Space to;

    Generations(HeapLayout layout) {
        eden = new Space(layout.edenBytes());
        from = new Space(layout.survivorBytes());
        to = new Space(layout.survivorBytes());
        old = new Space(layout.oldBytes());
    }

    Space eden() {
        return eden;
    }

    Space from() {
        return from;
    }

    Space to() {
        return to;
    }

    Space old() {
        return old;
    }

    long youngUsedBytes() {
        return eden.usedBytes() + from.usedBytes();
    }

    /// Copies live objects in Eden and `from` to `to`. Objects that are too old or do not fit move
    /// to old.
    Minor minor(int threshold) {
        var live = new ArrayList<Batch>();
        from.takeAll().stream().filter(Batch::alive).forEach(live::add);
        eden.takeAll().stream().filter(Batch::alive).forEach(live::add);
        var ages = new AgeTable();
        var strays = new ArrayList<Batch>();
        long objects = 0;
        long promoted = 0;
        long fresh = 0;
        boolean refused = false;
        for (Batch b : live) {
            long staying = 0;
            if (b.age() < threshold) {
                staying = Math.min(b.count(), to.room(b.objectBytes()));
                refused |= staying < b.count();
            }
            if (staying > 0) {
                Batch copy = b.of(staying).older();
                to.add(copy);
                ages.add(copy.age(), copy.bytes());
            }
            long leaving = Math.min(b.count() - staying, old.room(b.objectBytes()));
            if (leaving > 0) {
                fresh += old.add(b.of(leaving));
                promoted += leaving * b.objectBytes();
            }
            objects += staying + leaving;
            if (staying + leaving < b.count()) {
                strays.add(b.of(b.count() - staying - leaving));
            }
        }
        long survived = to.usedBytes();
        boolean overflow = refused && to.freeBytes() < PROMOTION_BUFFER_BYTES;
        Space emptied = from;
        from = to;
        to = emptied;
        return new Minor(objects, survived, promoted, fresh, overflow, ages, strays);
    }

    /// Compacts everything into the old generation. Objects that do not fit stay in Eden, then in
    /// `from`.
    ///
    /// @return the live objects
    Live full(List<Batch> strays) throws HeapExhausted {
        List<Batch> inOld = old.takeAll();
        var inYoung = new ArrayList<>(strays);
        inYoung.addAll(eden.takeAll());
        inYoung.addAll(from.takeAll());
        inYoung.addAll(to.takeAll());
        long bytes = 0;
        long objects = 0;
        for (Batch b : inOld) {
            if (b.alive()) {
                bytes += b.bytes();
                objects += b.count();
                old.add(b);
            }
        }
        for (Batch b : inYoung) {
            if (b.alive()) {
                bytes += b.bytes();
                objects += b.count();
                place(b);
            }
        }
        return new Live(bytes, objects);
    }

    private void place(Batch b) throws HeapExhausted {
        long left = b.count();
        for (Space space : List.of(old, eden, from)) {
            long fits = Math.min(left, space.room(b.objectBytes()));
            if (fits > 0) {
                space.add(b.of(fits));
                left -= fits;
            }
        }
        if (left > 0) {
            throw new HeapExhausted(b.objectBytes());
        }
    }
}
