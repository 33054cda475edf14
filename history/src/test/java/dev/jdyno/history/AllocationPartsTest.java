package dev.jdyno.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.Insight;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationPartsTest {
    private static Insight.Allocation of(String type, String site, long samples, double share) {
        return new Insight.Allocation(8, type, site, samples, share, 0);
    }

    /// One sample of a buffer of one megabyte stands for more bytes than many samples of small
    /// objects.
    @Test
    void samplesCountByTheirBytes() {
        var found =
                List.of(
                        of("byte[]", "com.acme.Page.render", 20, 0.5),
                        of("char[]", "com.acme.Page.render", 20, 0.2),
                        of("java.lang.String", "com.acme.Log.line", 120, 0.1));

        assertThat(Entries.allocations(found))
                .extracting(Entry.Part::kind, Entry.Part::name, Entry.Part::samples)
                .containsExactly(
                        tuple(Entry.PartKind.ALLOCATION, "com.acme.Page.render", 140L),
                        tuple(Entry.PartKind.ALLOCATION, "com.acme.Log.line", 20L),
                        tuple(Entry.PartKind.ALLOCATION, "elsewhere", 40L));
        assertThat(Entries.allocations(List.of())).isEmpty();
        assertThat(Entries.allocations(List.of(of("byte[]", "a.B.c", 5, 0)))).isEmpty();
    }
}
