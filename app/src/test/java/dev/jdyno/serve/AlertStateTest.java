package dev.jdyno.serve;

import static dev.jdyno.watch.WatchFixture.START;
import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AlertStateTest {
    private final AlertState state = new AlertState(Optional.of("web1"));

    private static Instant at(int minute) {
        return START.plusSeconds(60L * minute);
    }

    private void bottleneck(int at, Bottleneck to) {
        state.add(
                new WatchEvent.BottleneckChanged(
                        at(at),
                        "shop",
                        Optional.empty(),
                        minute(0).named(to).made(2, "Shop.java:7").verdict()));
    }

    private void headroom(int at, boolean back) {
        var room = minute(0).headroom(back ? 2.0 : 1.2).made().headroom().orElseThrow();
        state.add(
                back
                        ? new WatchEvent.HeadroomBack(at(at), "shop", 1.5, room)
                        : new WatchEvent.HeadroomBelow(at(at), "shop", 1.5, room));
    }

    private JsonNode document(int now) {
        return JsonMapper.shared().readTree(state.document(at(now)).orElse("[]"));
    }

    /// Alerts as `name` or `name bottleneck`, with `+` and the minute of their begin, and `-` and
    /// that of their end.
    private String alerts(int now) {
        var found = new TreeMap<String, String>();
        for (JsonNode alert : document(now)) {
            String name = alert.at("/labels/alertname").stringValue().substring("Jdyno".length());
            JsonNode of = alert.at("/labels/bottleneck");
            String id = of.isMissingNode() ? name : name + " " + of.stringValue();
            JsonNode end = alert.at("/endsAt");
            found.put(
                    id,
                    "+"
                            + number(alert.at("/startsAt"))
                            + (end.isMissingNode() ? "" : "-" + number(end)));
        }
        return found.toString();
    }

    private static long number(JsonNode time) {
        return Duration.between(START, Instant.parse(time.stringValue())).toMinutes();
    }

    @Test
    void alertHasKeysOfAlertmanager() {
        bottleneck(0, Bottleneck.LOCK);

        JsonNode all = document(0);

        assertThat(all.isArray()).isTrue();
        JsonNode alert = all.get(0);
        assertThat(alert.propertyNames())
                .containsExactlyInAnyOrder("labels", "annotations", "startsAt");
        assertThat(alert.at("/labels").propertyNames())
                .containsExactlyInAnyOrder("alertname", "service", "bottleneck", "host");
        assertThat(alert.at("/labels/alertname").stringValue()).isEqualTo("JdynoBottleneck");
        assertThat(alert.at("/labels/service").stringValue()).isEqualTo("shop");
        assertThat(alert.at("/labels/bottleneck").stringValue()).isEqualTo("lock");
        assertThat(alert.at("/labels/host").stringValue()).isEqualTo("web1");
        assertThat(alert.at("/annotations/summary").stringValue()).contains("lock", "Shop.java:7");
        assertThat(alert.at("/startsAt").stringValue()).isEqualTo("2026-11-30T14:00:00Z");
    }

    @Test
    void changeOfBottleneckEndsAlertOfTheOneBefore() {
        bottleneck(0, Bottleneck.CPU);
        bottleneck(5, Bottleneck.LOCK);

        assertThat(alerts(5)).isEqualTo("{Bottleneck cpu=+0-5, Bottleneck lock=+5}");
        bottleneck(8, Bottleneck.CPU);
        assertThat(alerts(8)).isEqualTo("{Bottleneck cpu=+8, Bottleneck lock=+5-8}");
    }

    @Test
    void serviceWithoutSaturationHasNoAlert() {
        bottleneck(0, Bottleneck.LOAD);
        state.add(new WatchEvent.Watching(at(0), "shop", 4711));

        assertThat(state.document(at(0))).isEmpty();
        bottleneck(1, Bottleneck.CPU);
        bottleneck(2, Bottleneck.LOAD);
        assertThat(alerts(2)).isEqualTo("{Bottleneck cpu=+1-2}");
    }

    @Test
    void endIsSentForSomeTimeAndThenForgotten() {
        bottleneck(0, Bottleneck.CPU);
        bottleneck(2, Bottleneck.LOAD);

        assertThat(alerts(17)).isEqualTo("{Bottleneck cpu=+0-2}");
        assertThat(state.document(at(18))).isEmpty();
    }

    @Test
    void headroomThatIsBackEndsItsAlert() {
        headroom(0, false);
        headroom(4, false);
        assertThat(alerts(4)).isEqualTo("{Headroom=+0}");

        headroom(6, true);
        assertThat(alerts(6)).isEqualTo("{Headroom=+0-6}");
    }

    @Test
    void alertsOfServiceWithoutJvmRestUntilOneRuns() {
        bottleneck(0, Bottleneck.CPU);
        headroom(1, false);
        state.add(new WatchEvent.Gone(at(3), "shop", 4711));

        assertThat(alerts(3)).isEqualTo("{Bottleneck cpu=+0-3, Gone=+3, Headroom=+1-3}");
        state.add(new WatchEvent.Restarted(at(9), "shop", 4711, 4799, 360));
        assertThat(alerts(9))
                .isEqualTo("{Bottleneck cpu=+9, Gone=+3-9, Headroom=+9, Restarted=+9-24}");
        bottleneck(11, Bottleneck.LOAD);
        assertThat(alerts(40)).isEqualTo("{Headroom=+9}");
    }

    @Test
    void changeOfCpuPerRequestIsAlertOfSomeMinutes() {
        state.add(new WatchEvent.CpuPerRequestChanged(at(30), "shop", at(10), 1, 1.2));

        assertThat(alerts(30)).isEqualTo("{CpuPerRequest=+30-45}");
        assertThat(state.document(at(61))).isEmpty();
    }

    @Test
    void eventOfOneServiceEndsNoAlertOfAnother() {
        bottleneck(0, Bottleneck.CPU);
        state.add(new WatchEvent.Gone(at(3), "orders", 4712));

        assertThat(alerts(3)).isEqualTo("{Bottleneck cpu=+0, Gone=+3}");
    }

    /// Alertmanager refuses an alert whose begin is after its end, and ends one that lies ahead
    /// only then.
    @Test
    void clockThatIsSetBackGivesNoBeginAfterEndAndNoEndAhead() {
        bottleneck(100, Bottleneck.CPU);
        assertThat(alerts(0)).isEqualTo("{Bottleneck cpu=+0}");

        bottleneck(1, Bottleneck.LOCK);
        assertThat(alerts(1)).isEqualTo("{Bottleneck cpu=+1-1, Bottleneck lock=+1}");
        bottleneck(100, Bottleneck.LOAD);
        assertThat(state.document(at(40))).isEmpty();
    }
}
