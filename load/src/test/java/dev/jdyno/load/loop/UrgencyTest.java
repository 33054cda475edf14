package dev.jdyno.load.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.wire.Poller;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UrgencyTest {
    private final List<Object> asked = new ArrayList<>();
    private long cpu;

    private final Poller poller =
            (Poller)
                    Proxy.newProxyInstance(
                            Poller.class.getClassLoader(),
                            new Class<?>[] {Poller.class},
                            (_, method, arguments) -> {
                                assertThat(method.getName()).isEqualTo("onItsThread");
                                asked.add(arguments[0]);
                                return null;
                            });

    private final Urgency urgency = new Urgency(poller, () -> cpu);

    /// Simulates one check interval in which the loop uses this share of a core.
    private long use(double share, long now) {
        cpu += (long) (share * Urgency.CHECK_INTERVAL_NANOS);
        urgency.look(now + Urgency.CHECK_INTERVAL_NANOS);
        return now + Urgency.CHECK_INTERVAL_NANOS;
    }

    @Test
    void raisesPriorityDuringSchedule() {
        urgency.onTime(true, 0);
        urgency.onTime(true, 5);
        urgency.onTime(false, 9);

        assertThat(asked).containsExactly(true, false);
    }

    @Test
    void priorityStaysWithoutSchedule() {
        urgency.onTime(false, 0);
        use(0.1, 0);

        assertThat(asked).isEmpty();
    }

    @Test
    void lowersPriorityWhileTheLoadNeedsMostOfACore() {
        urgency.onTime(true, 0);
        long now = use(0.3, 0);
        now = use(0.95, now);
        now = use(0.9, now);
        use(0.4, now);

        assertThat(asked).containsExactly(true, false, true);
    }

    @Test
    void shortWorkDoesNotLowerPriority() {
        urgency.onTime(true, 0);
        cpu = Urgency.CHECK_INTERVAL_NANOS;
        urgency.look(Urgency.CHECK_INTERVAL_NANOS - 1);

        assertThat(asked).containsExactly(true);
    }
}
