package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.Life;
import org.jspecify.annotations.Nullable;

/// Ends lives after a given amount of allocation: a calendar queue whose days are slices of the
/// allocation, so that adding and ending a life have constant cost.
final class LifeEnds {
    private static final class End {
        private final double atBytes;
        private final Life life;
        private @Nullable End next;

        End(double atBytes, Life life, @Nullable End next) {
            this.atBytes = atBytes;
            this.life = life;
            this.next = next;
        }
    }

    private final double slice;
    private final @Nullable End[] days;
    private int today;

    /// @param slice length of a day of the calendar in bytes
    /// @param lastBytes approximate end of the allocation; a life that would end a day later never
    ///   ends
    LifeEnds(double slice, double lastBytes) {
        this.slice = slice;
        days = new End[(int) (lastBytes / slice) + 2];
    }

    /// @param atBytes end of the life, not before the position reached
    void add(Life life, double atBytes) {
        double day = atBytes / slice;
        if (day < days.length) {
            days[(int) day] = new End(atBytes, life, days[(int) day]);
        }
    }

    /// Ends the lives up to this position.
    void reach(double allocated) {
        int day = Math.min((int) (allocated / slice), days.length - 1);
        for (; today < day; today++) {
            end(today, Double.MAX_VALUE);
        }
        end(day, allocated);
    }

    private void end(int day, double upTo) {
        End later = null;
        End end = days[day];
        while (end != null) {
            End next = end.next;
            if (end.atBytes <= upTo) {
                end.life.end();
            } else {
                end.next = later;
                later = end;
            }
            end = next;
        }
        days[day] = later;
    }
}
