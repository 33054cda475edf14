package dev.jdyno.observe.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkCommandTest {
    @Test
    void returnsOutputOfCommand() throws InterruptedException {
        assertThat(NetworkCommand.here(List.of("echo", "32768", "60999")).output())
                .contains("32768 60999\n");
    }

    @Test
    void failedMissingOrHangingCommandHasNoOutput() throws InterruptedException {
        assertThat(NetworkCommand.here(List.of("false")).output()).isEmpty();
        assertThat(NetworkCommand.here(List.of("no-such-command-of-jdyno")).output()).isEmpty();
        assertThat(NetworkCommand.here(List.of("sleep", "60")).output()).isEmpty();
    }

    @Test
    void commandEntersTheNetworkOfAnotherProcessFirst() {
        assertThat(NetworkCommand.inNetworkOf(4711, List.of("ss", "-t")).words())
                .containsExactly("nsenter", "--target", "4711", "--net", "ss", "-t");
    }
}
