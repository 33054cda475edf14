package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.statistics.ClientUse;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.LoopStats;
import dev.jdyno.load.statistics.LoopSums;
import dev.jdyno.measure.load.ErrorKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerGoneTest {
    private static final long SECOND = 1_000_000_000L;

    private static LoadWindow second(int number, long open, int status, ErrorKind... errors) {
        var loop = new LoopStats(number * SECOND, 0);
        loop.endNanos = (number + 1) * SECOND;
        loop.open = open;
        for (ErrorKind kind : errors) {
            loop.error(kind);
        }
        if (status > 0) {
            loop.reply(status);
        }
        return LoopSums.window(List.of(loop), List.of(), new ClientUse(List.of(), 0, 0, 0, 0, 0));
    }

    @Test
    void serverThatRefusesForTenSecondsCountsAsGone() {
        var gone = new ServerGone(0);
        for (int i = 0; i < 9; i++) {
            assertThat(gone.isSeen(second(i, 0, 0, ErrorKind.CONNECT_REFUSED))).isFalse();
        }

        assertThat(gone.isSeen(second(9, 0, 0, ErrorKind.CONNECT_REFUSED))).isTrue();
    }

    @Test
    void anyReplyOrOpenConnectionIsASignOfLife() {
        var replies = new ServerGone(0);
        var open = new ServerGone(0);
        for (int i = 0; i < 30; i++) {
            int status = i % 9 == 0 ? 200 : 0;
            assertThat(replies.isSeen(second(i, 0, status, ErrorKind.CONNECT_REFUSED))).isFalse();
            assertThat(open.isSeen(second(i, 3, 0, ErrorKind.CONNECT_TIMEOUT))).isFalse();
        }
    }
}
