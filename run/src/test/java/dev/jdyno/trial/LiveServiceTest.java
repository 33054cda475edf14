package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveServiceTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @Test
    void reportsUnknownFlagWithMessageOfJvm() throws Exception {
        assertThat(new LiveService().refusal(JAVA, List.of("-XX:+NoSuchFlag")))
                .hasValueSatisfying(said -> assertThat(said).contains("NoSuchFlag"));
    }

    /// The output is larger than the buffer of a pipe.
    @Test
    void flagsWithMuchOutputAreNotRefused() throws Exception {
        assertThat(
                        new LiveService()
                                .refusal(
                                        JAVA,
                                        List.of("-XX:+PrintFlagsFinal", "-Xlog:class+load=debug")))
                .isEmpty();
    }
}
