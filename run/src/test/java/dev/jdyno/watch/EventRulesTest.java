package dev.jdyno.watch;

import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchEvent.BottleneckChanged;
import dev.jdyno.measure.watch.WatchEvent.HeadroomBack;
import dev.jdyno.measure.watch.WatchEvent.HeadroomBelow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventRulesTest {
    private final EventRules rules = new EventRules(Optional.of(1.5));

    /// Letters: L load, C cpu, K lock, U unknown, s a short cpu minute, - a minute that is missing.
    private List<String> eventsOf(String minutes) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < minutes.length(); i++) {
            WatchFixture m = minute(i);
            char c = minutes.charAt(i);
            if (c == '-') {
                continue;
            }
            WatchFixture made =
                    switch (c) {
                        case 'C' -> m.named(Bottleneck.CPU);
                        case 'K' -> m.named(Bottleneck.LOCK);
                        case 'U' -> m.named(Bottleneck.UNKNOWN);
                        case 's' -> m.named(Bottleneck.CPU).lasting(29);
                        default -> m;
                    };
            for (WatchEvent e : rules.after(made.made())) {
                BottleneckChanged changed = (BottleneckChanged) e;
                events.add(
                        i
                                + changed.from().map(Bottleneck::key).orElse("")
                                + ">"
                                + changed.to().bottleneck().key());
            }
        }
        return events;
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "L: ",
                "LL: 1>load",
                "LLLL: 1>load",
                "LC: ",
                "LLC: 1>load",
                "LLCC: 1>load 3load>cpu",
                "LLCCC: 1>load 3load>cpu",
                "LLCLCLCLC: 1>load",
                "LLCKCKCK: 1>load",
                "LLCCLL: 1>load 3load>cpu 5cpu>load",
                "LLCLLCLL: 1>load",
                // unknown confirms nothing, and ends a confirmation
                "LLCUC: 1>load",
                "LLCUCC: 1>load 5load>cpu",
                "UUUU: ",
                "LLUUUULL: 1>load",
                // a short minute counts for nothing
                "LLCs: 1>load",
                "LLCsC: 1>load 4load>cpu",
                "LLssss: 1>load",
                // one missing minute is allowed, two are a gap
                "LLC-C: 1>load 4load>cpu",
                "LLC--C: 1>load",
                "LLC--CC: 1>load 6load>cpu"
            },
            delimiter = ':')
    void changeIsConfirmedByTwoConsecutiveMinutes(String minutes, String events) {
        assertThat(String.join(" ", eventsOf(minutes))).isEqualTo(events == null ? "" : events);
    }

    @Test
    void restartBeginsConfirmationAgainAndKeepsName() {
        assertThat(eventsOf("LLC")).hasSize(1);
        rules.forget();

        assertThat(rules.after(minute(3).named(Bottleneck.CPU).made())).isEmpty();
        assertThat(rules.after(minute(4).named(Bottleneck.CPU).made())).hasSize(1);
        rules.forget();
        assertThat(rules.after(minute(5).named(Bottleneck.CPU).made())).isEmpty();
        assertThat(rules.after(minute(6).named(Bottleneck.CPU).made())).isEmpty();
    }

    @Test
    void eventIsOfEndOfMinuteThatConfirms() {
        rules.after(minute(0).made());

        assertThat(rules.after(minute(1).made()).getFirst().at())
                .isEqualTo(WatchFixture.START.plusSeconds(120));
    }

    @Test
    void clockThatIsSetBackByDaysConfirmsNothing() {
        rules.after(minute(0).made());

        assertThat(rules.after(minute(-10_000).made())).isEmpty();
        assertThat(rules.after(minute(-9_999).made())).hasSize(1);
    }

    /// Numbers of the minutes with an event; negative if the headroom is back.
    private List<Integer> below(EventRules of, @Nullable Double... ratios) {
        List<Integer> at = new ArrayList<>();
        for (int i = 0; i < ratios.length; i++) {
            WatchFixture m = minute(i).named(Bottleneck.UNKNOWN);
            Double ratio = ratios[i];
            for (WatchEvent e : of.after((ratio == null ? m : m.headroom(ratio)).made())) {
                double wanted =
                        switch (e) {
                            case HeadroomBelow b -> b.below();
                            case HeadroomBack b -> b.below();
                            default -> throw new AssertionError(e);
                        };
                assertThat(wanted).isEqualTo(1.5);
                at.add(e instanceof HeadroomBack ? -i : i);
            }
        }
        return at;
    }

    @Test
    void lowHeadroomIsReportedOnceItIsConfirmed() {
        assertThat(below(rules, 2.0, 1.4, 1.4, 1.3, 1.2)).containsExactly(2);
    }

    @Test
    void headroomExactlyAsWantedIsNotBelow() {
        assertThat(below(rules, 1.5, 1.5, 1.5)).isEmpty();
    }

    @Test
    void headroomAroundWantedOneIsOneEvent() {
        assertThat(below(rules, 1.4, 1.4, 1.55, 1.4, 1.4, 1.6, 1.4, 1.4)).containsExactly(1);
    }

    @Test
    void headroomThatWasClearlyHigherIsReportedAgain() {
        assertThat(below(rules, 1.4, 1.4, 1.66, 1.4, 1.4)).containsExactly(1, -2, 4);
    }

    @Test
    void headroomIsBackOnlyAfterItWasReportedAsLow() {
        assertThat(below(rules, 1.4, 2.0, 2.0, 1.4, 1.4, 2.0, 2.0)).containsExactly(4, -5);
    }

    @Test
    void singleLowMinutesAreNoEvent() {
        assertThat(below(rules, 1.4, 2.0, 1.4, 2.0, 1.4, null, 1.4)).isEmpty();
    }

    @Test
    void noHeadroomIsReportedIfNoneIsWanted() {
        assertThat(below(new EventRules(Optional.empty()), 0.5, 0.5, 0.5)).isEmpty();
    }

    /// A wait of which only a load test can tell whether it limits the service (0.6), from minute
    /// to minute another one.
    @ParameterizedTest
    @CsvSource({"0.6, false", "0.69, false", "0.7, true", "0.95, true"})
    void uncertainNameIsNoEvent(double confidence, boolean reported) {
        List<WatchEvent> events = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            events.addAll(rules.after(minute(i).named(Bottleneck.RATE_LIMIT).made(confidence)));
        }

        assertThat(events).hasSize(reported ? 1 : 0);
    }
}
