package dev.jdyno.inside.remote;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.MethodName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final Ask COUNT = new Ask.Growth(Duration.ofSeconds(1));
    private static final Ask STAGES =
            new Ask.Stages(List.of(new MethodName("A", "b")), Duration.ofSeconds(1));

    private final AtomicLong now = new AtomicLong(-7);
    private final Pace pace = new Pace(now::get);

    private void allowed(Ask ask) {
        assertThatNoException().isThrownBy(() -> pace.require(ask));
    }

    private void refused(Ask ask) {
        assertThatExceptionOfType(UserError.class).isThrownBy(() -> pace.require(ask));
    }

    @Test
    void stoppingRequestsKeepMinimumInterval() {
        allowed(COUNT);
        refused(COUNT);
        now.addAndGet(Pace.MIN_BETWEEN_COUNTS.toNanos() - 1);
        refused(COUNT);
        now.incrementAndGet();
        allowed(COUNT);
        refused(COUNT);
    }

    @Test
    void eachKindHasItsOwnInterval() {
        allowed(COUNT);
        allowed(STAGES);
        refused(STAGES);
        now.addAndGet(Pace.MIN_BETWEEN_STAGES.toNanos());
        allowed(STAGES);
        refused(COUNT);
    }

    @Test
    void otherRequestsHaveNoInterval() {
        for (int i = 0; i < 3; i++) {
            allowed(new Ask.Facts());
            allowed(new Ask.Sample(Duration.ofSeconds(1), 10));
        }
    }
}
