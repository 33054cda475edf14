package dev.jdyno.gclog.sums;

import java.util.ArrayList;
import java.util.List;

/// The collections in order, for charts, in bounded memory. When there are too many, neighbours are
/// merged in pairs, so that the series thins evenly and keeps all long pauses.
final class Series {
    /// Maximum number of points; a chart of this many is finer than a screen.
    static final int MAX = 8192;

    private final List<Analysis.Point> points = new ArrayList<>();
    private final int max;
    private int perPoint = 1;
    private int inLast;

    Series() {
        this(MAX);
    }

    /// @param max maximum number of points, which must be even
    Series(int max) {
        this.max = max;
    }

    void add(Analysis.Point point) {
        if (inLast > 0 && inLast < perPoint) {
            points.set(points.size() - 1, merge(points.getLast(), point));
            inLast++;
            return;
        }
        if (points.size() == max) {
            for (int i = 0; i < max / 2; i++) {
                points.set(i, merge(points.get(2 * i), points.get(2 * i + 1)));
            }
            points.subList(max / 2, max).clear();
            perPoint *= 2;
        }
        points.add(point);
        inLast = 1;
    }

    private static Analysis.Point merge(Analysis.Point a, Analysis.Point b) {
        Analysis.Point longer = a.pauseMs() >= b.pauseMs() ? a : b;
        return new Analysis.Point(
                longer.atS(),
                longer.kind(),
                longer.pauseMs(),
                Math.max(a.beforeBytes(), b.beforeBytes()),
                b.afterBytes() > 0 ? b.afterBytes() : a.afterBytes(),
                Math.max(a.capacityBytes(), b.capacityBytes()),
                a.promotedBytes() + b.promotedBytes(),
                longer.line(),
                a.merged() + b.merged());
    }

    List<Analysis.Point> finish() {
        return List.copyOf(points);
    }
}
