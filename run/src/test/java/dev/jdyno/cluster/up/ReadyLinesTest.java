package dev.jdyno.cluster.up;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Agents of other versions write and read these lines, too, so their text must not change.
class ReadyLinesTest {
    private static final String KEY = "SHA256:" + "b".repeat(43);
    private static final String READY = "agent 127.0.0.1:4711 is ready\n";

    @Test
    void theWrittenLinesAreRead() {
        String lines = ReadyLines.key(KEY) + "\n" + ReadyLines.ready("127.0.0.1:4711") + "\n";

        assertThat(lines).isEqualTo("its key is " + KEY + "\n" + READY);
        assertThat(ReadyLines.fingerprint("a warning of the JVM\n" + lines)).contains(KEY);
    }

    /// The fingerprint is accepted once the agent is ready, and only as the agent prints it.
    @Test
    void otherLinesHaveNoFingerprint() {
        assertThat(ReadyLines.fingerprint("its key is " + KEY + "\n")).isEmpty();
        assertThat(ReadyLines.fingerprint("its key is " + KEY + "x\n" + READY)).isEmpty();
        assertThat(ReadyLines.fingerprint("x its key is " + KEY + "\n" + READY)).isEmpty();
        assertThat(ReadyLines.fingerprint(READY)).isEmpty();
    }
}
