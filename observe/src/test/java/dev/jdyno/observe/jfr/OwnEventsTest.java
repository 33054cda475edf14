package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnEventsTest {
    private static final String IN_ARGUMENT = "s3cret-in-an-argument";
    private static final String IN_PROPERTY = "s3cret-in-a-property";
    private static final String IN_ENVIRONMENT = "s3cret-in-the-environment";
    private static final String IN_EVENT = "s3cret-in-an-event-of-the-service";

    private static final List<String> SECRETS =
            List.of(IN_ARGUMENT, IN_PROPERTY, IN_ENVIRONMENT, IN_EVENT);

    @TempDir Path dir;

    /// An event of the service's own recording.
    @Name("dev.jdyno.test.Login")
    static final class Login extends Event {
        String user = IN_EVENT;
    }

    static final class Service {
        private Service() {}

        public static void main(String[] arguments) {
            new Login().commit();
        }
    }

    @Test
    void takesOutTheEventsOfOtherRecordings() throws Exception {
        Path recording = recorded();
        assertThat(SECRETS).allMatch(secret -> holds(recording, secret));
        assertThat(types(recording))
                .contains("jdk.JVMInformation", "jdk.InitialSystemProperty", "jdk.OSInformation");

        OwnEvents.keepOnly(recording);

        assertThat(SECRETS).noneMatch(secret -> holds(recording, secret));
        assertThat(types(recording))
                .contains("jdk.OSInformation", "jdk.CPUInformation")
                .isSubsetOf(OwnEvents.names(OwnEvents.settings()));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(recording)))
                .isEqualTo("rw-------");
        try (var files = Files.list(dir)) {
            assertThat(files).containsExactly(recording);
        }
    }

    @Test
    void aRecordingThatCannotBeReadIsNotKept() throws Exception {
        Path recording = recorded();
        byte[] whole = Files.readAllBytes(recording);
        Files.write(recording, Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> OwnEvents.keepOnly(recording))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("may hold secrets");

        try (var files = Files.list(dir)) {
            assertThat(files).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdk.JVMInformation",
                "jdk.InitialSystemProperty",
                "jdk.InitialEnvironmentVariable",
                "jdk.InitialSecurityProperty",
                "jdk.SystemProcess",
                "jdk.ProcessStart",
                "jdk.StringFlag",
                "jdk.StringFlagChanged",
                "jdk.JavaAgent",
                "jdk.NativeAgent",
                "jdk.SecurityPropertyModification",
                "jdk.JavaExceptionThrow",
                "jdk.NativeLibrary"
            })
    void ownRecordingOmitsEventsWithSecrets(String event) throws Exception {
        assertThat(OwnEvents.names(OwnEvents.settings()))
                .contains("jdk.ThreadPark")
                .doesNotContain(event);
    }

    /// A recording of a JVM that was started with secrets and a recording of its own.
    private Path recorded() throws Exception {
        Path file = dir.resolve("recording.jfr");
        Path classes =
                Path.of(
                        OwnEventsTest.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        var command =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dshop.password=" + IN_PROPERTY,
                        "-XX:StartFlightRecording:filename=" + file,
                        "-cp",
                        classes.toString(),
                        Service.class.getName(),
                        IN_ARGUMENT);
        command.environment().put("SHOP_TOKEN", IN_ENVIRONMENT);
        command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        assertThat(command.start().waitFor()).isZero();
        return file;
    }

    private static Set<String> types(Path recording) throws IOException {
        Set<String> types = new TreeSet<>();
        for (var event : RecordingFile.readAllEvents(recording)) {
            types.add(event.getEventType().getName());
        }
        return types;
    }

    private static boolean holds(Path file, String text) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
