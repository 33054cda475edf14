package dev.jdyno.inside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.RunningJvm;
import dev.jdyno.target.ProcFs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// JVMs of this machine by the port on which they listen.
class RunningJvmsTest {
    private final RunningJvms jvms = new RunningJvms(ProcFs.SYSTEM);

    @TempDir private Path folder;

    @Test
    void findsJvmByItsPort() throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve("Shop.java"), LISTENS);
        Process shop =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                source.toString(),
                                "--spring.application.name=orders")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var out =
                new BufferedReader(
                        new InputStreamReader(shop.getInputStream(), StandardCharsets.UTF_8))) {
            int port = Integer.parseInt(out.readLine());

            List<RunningJvm> found = jvms.listeningOn(port);

            assertThat(found).hasSize(1);
            assertThat(found.getFirst().pid()).isEqualTo(shop.pid());
            assertThat(found.getFirst().ports()).contains(port);
            assertThat(found.getFirst().serviceName()).contains("orders");
            assertThat(found.getFirst().access()).isEqualTo(RunningJvm.Access.ALL);
        } finally {
            shop.destroyForcibly().waitFor();
        }
    }

    @Test
    void portOfJdynoItselfIsNoTarget() throws IOException {
        try (var own = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(jvms.listeningOn(own.getLocalPort())).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "java -Xmx1g -jar /opt/shop-1.2.jar --port 8080, shop",
        "/usr/lib/jvm/25/bin/java -cp a.jar:b.jar com.acme.Shop, shop",
        "java -server -ea -verbose:gc -javaagent:a.jar=x -XX:+UseZGC -Dkey=value Shop, shop",
        "java --enable-preview --add-opens java.base/java.lang=ALL-UNNAMED Shop, shop",
        "java -jar app.jar --spring.application.name=orders, orders"
    })
    void theServiceOfALaunchCommandIsNamed(String command, String name) {
        assertThat(RunningJvms.serviceNameOf(command)).contains(name);
    }

    /// The word after an unknown flag may be a secret.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "java --token s3cret Shop",
                "java -password s3cret Shop",
                "java -Xmx1g --password s3cret -jar shop.jar",
                "java --enable-preview --token s3cret"
            })
    void aValueOfAnUnknownFlagNamesNothing(String command) {
        assertThat(RunningJvms.serviceNameOf(command)).isEmpty();
    }

    @Test
    void scriptDoesNotRevealItsProgram() {
        assertThat(RunningJvms.serviceNameOf("./start.sh --fast")).isEmpty();
    }

    private static final String LISTENS =
            """
            public class Shop {
                public static void main(String[] args) throws Exception {
                    var server = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
                    System.out.println(server.getLocalPort());
                    server.accept();
                }
            }
            """;
}
