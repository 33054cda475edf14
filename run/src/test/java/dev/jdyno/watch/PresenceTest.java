package dev.jdyno.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchEvent.Gone;
import dev.jdyno.measure.watch.WatchEvent.Restarted;
import dev.jdyno.measure.watch.WatchEvent.Watching;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PresenceTest {
    private static final Instant AT = WatchFixture.START;
    private final Presence presence = new Presence("shop", 30);

    private Optional<WatchEvent> appeared(double nowS, long pid) {
        return presence.appeared(AT, nowS, pid);
    }

    @Test
    void firstJvmIsWatched() {
        assertThat(presence.isAwaited()).isTrue();
        assertThat(appeared(0, 1)).contains(new Watching(AT, "shop", 1));
        assertThat(presence.isAwaited()).isFalse();
    }

    @Test
    void serviceThatNeverRanIsNotGone() {
        assertThat(presence.absent(AT, 1000)).isEmpty();
    }

    @Test
    void otherJvmIsRestart() {
        appeared(0, 1);
        presence.ended(100);

        assertThat(presence.absent(AT, 110)).isEmpty();
        assertThat(appeared(112, 2)).contains(new Restarted(AT, "shop", 1, 2, 12));
    }

    @Test
    void serviceIsGoneOnceAndMayComeBack() {
        appeared(0, 1);
        presence.ended(100);

        assertThat(presence.absent(AT, 129.9)).isEmpty();
        assertThat(presence.absent(AT, 130)).contains(new Gone(AT, "shop", 1));
        assertThat(presence.absent(AT, 160)).isEmpty();
        assertThat(appeared(1000, 2)).contains(new Restarted(AT, "shop", 1, 2, 900));
        presence.ended(2000);
        assertThat(presence.absent(AT, 2030)).contains(new Gone(AT, "shop", 2));
    }

    @Test
    void sameJvmAfterFailureOfWatchIsNoEvent() {
        appeared(0, 1);

        assertThat(appeared(10, 1)).isEmpty();
    }

    /// The watch has failed, so that it did not notice the end of the JVM.
    @Test
    void jvmWhoseEndWasNotNoticedIsGoneAfterItIsFirstMissed() {
        appeared(0, 1);

        assertThat(presence.absent(AT, 100)).isEmpty();
        assertThat(presence.absent(AT, 129.9)).isEmpty();
        assertThat(presence.absent(AT, 130)).contains(new Gone(AT, "shop", 1));
        assertThat(appeared(145, 2)).contains(new Restarted(AT, "shop", 1, 2, 45));
    }

    @Test
    void otherJvmInPlaceOfOneWhoseEndWasNotNoticedHasNoTimeBetween() {
        appeared(1000, 1);

        assertThat(appeared(2000, 2)).contains(new Restarted(AT, "shop", 1, 2, 0));
    }

    /// Each event `gone` is ended by one `restarted`.
    @Test
    void sameJvmAfterServiceWasGoneIsRestart() {
        appeared(0, 1);
        presence.absent(AT, 100);
        presence.absent(AT, 130);

        assertThat(appeared(140, 1)).contains(new Restarted(AT, "shop", 1, 1, 40));
    }

    @Test
    void jvmGivenByPidIsGoneAtOnce() {
        var byPid = new Presence("shop", 0);
        byPid.appeared(AT, 0, 1);
        byPid.ended(5);

        assertThat(byPid.absent(AT, 5)).contains(new Gone(AT, "shop", 1));
    }
}
