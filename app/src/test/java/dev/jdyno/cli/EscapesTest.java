package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.terminal.CleanStream;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.report.terminal.Ink;
import dev.jdyno.report.terminal.TerminalWriter;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// Control characters in the texts of a service, a peer or a file have no effect on the terminal.
class EscapesTest {
    /// Terminal title, colours by ESC and by C1, text direction and a carriage return.
    private static final String EVIL = "\u001b]0;t\u0007\u001b[31m\u009b31m\u202e\r\u007fowned";

    /// A name without the carriage return, because the JVM's dump splits such a name into two
    /// lines.
    private static final String NAME = EVIL.replace("\r", "");

    @TempDir Path dir;

    private static void assertClean(CliOutput said) {
        assertThat(said.out() + said.err()).as("what is shown").contains("owned");
        assertThat(List.of(said.out(), said.err()))
                .allSatisfy(text -> {
                    assertThat(text.codePoints().allMatch(Printable::isInText)).isTrue();
                    assertThat(text.getBytes(StandardCharsets.UTF_8)).doesNotContain(0x1b);
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void escapesThreadName(boolean json) throws Exception {
        Path source = Files.writeString(dir.resolve("Evil.java"), evilThreads());
        Process evil =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                source.toString())
                        .start();
        try {
            assertThat(evil.inputReader().readLine()).isEqualTo("ready");
            String pid = Long.toString(evil.pid());

            CliOutput said =
                    json
                            ? CliOutput.jdyno("threads", pid, "--duration", "200ms", "--json")
                            : CliOutput.jdyno("threads", pid, "--duration", "200ms");

            assertClean(said);
            if (json) {
                // the JSON document has the complete name
                assertThat(JsonMapper.shared().readTree(said.out()).at("/busiest"))
                        .anyMatch(b -> b.get("name").stringValue().equals(NAME));
            } else {
                assertThat(said.out().lines()).noneMatch(l -> l.startsWith("a line"));
            }
        } finally {
            evil.destroyForcibly();
        }
    }

    /// A program with two threads: one burns CPU under the hostile name, the other has line ends in
    /// its name.
    private static String evilThreads() {
        return """
        class Evil {
            static volatile long sink;
            static void burn() { while (true) sink++; }
            public static void main(String[] args) {
                new Thread(Evil::burn, "%s").start();
                new Thread(Evil::burn, "x\\na line").start();
                System.out.println("ready");
            }
        }
        """
                .formatted(Printable.json(NAME));
    }

    @Test
    void escapesGcLogAndItsName() throws IOException {
        Path log = dir.resolve("gc-" + EVIL + ".log");
        Files.writeString(
                log,
                """
                [0.005s][info][gc] Using G1
                [0.100s][info][gc] GC(0) Pause Young (Normal) (%1$s) 24M->4M(256M) 2.000ms
                [0.200s][info][gc] GC(1) Pause Young (Normal) (%1$s) 28M->4M(256M) 2.000ms
                %1$s
                [0.300s][info][gc] GC(2) %1$s
                """
                        .formatted(NAME));
        Path csv = dir.resolve("out.csv");
        Path lines = dir.resolve("out.jsonl");
        Path page = dir.resolve("out.html");

        assertClean(CliOutput.jdyno("gc", log.toString()));
        assertClean(CliOutput.jdyno("gc", log.toString(), "--json"));
        assertClean(CliOutput.jdyno("gc", log.toString(), log.toString()));
        assertClean(CliOutput.jdyno("gc", dir.toString()));
        assertClean(
                CliOutput.jdyno(
                        "gc",
                        log.toString(),
                        "--csv",
                        csv.toString(),
                        "--jsonl",
                        lines.toString(),
                        "--html",
                        page.toString()));
        for (Path file : List.of(csv, lines, page)) {
            String text = Files.readString(file);
            assertThat(text).as("%s", file).contains("owned");
            assertThat(text.codePoints().allMatch(Printable::isInText)).as("%s", file).isTrue();
        }
    }

    @Test
    void escapesInvalidNamesAndOptions() {
        assertClean(CliOutput.jdyno("gc", dir.resolve(EVIL).toString()));
        assertClean(CliOutput.jdyno(EVIL));
        assertClean(CliOutput.jdyno("run", "--" + EVIL));
        assertClean(CliOutput.jdyno("run", "--url", EVIL, "--no-target"));
        assertClean(CliOutput.jdyno("run", dir.resolve(EVIL + ".yaml").toString()));
        assertClean(CliOutput.jdyno("threads", EVIL));
        assertClean(CliOutput.jdyno("load", "http://127.0.0.1:1/" + EVIL));
        assertClean(CliOutput.jdyno("load", "http://127.0.0.1:1/", "-H", EVIL));
        assertClean(CliOutput.jdyno("load", "http://127.0.0.1:1/", "-d", EVIL, "--debug"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void escapesReplyOfServer(boolean json) throws IOException {
        String head = "HTTP/1.1 302 " + NAME + "\r\n";
        String location = "Location: http://other/" + NAME + "\r\n";
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            answer(server, head + location + "Content-Length: 0\r\n\r\n");
            String url = "http://127.0.0.1:" + server.getLocalPort() + "/";

            CliOutput said =
                    json
                            ? CliOutput.jdyno("load", url, "-n", "5", "-c", "1", "-L", "--json")
                            : CliOutput.jdyno("load", url, "-n", "5", "-c", "1", "-L");

            assertClean(said);
        }
    }

    private static void answer(ServerSocket server, String reply) {
        Thread.ofVirtual()
                .start(() -> {
                    while (!server.isClosed()) {
                        try {
                            Socket one = server.accept();
                            Thread.ofVirtual().start(() -> serve(one, reply));
                        } catch (IOException closed) {
                            // the test closed the server, because it had the output that it needs
                            return;
                        }
                    }
                });
    }

    private static void serve(Socket one, String reply) {
        try (one) {
            var in =
                    new BufferedReader(
                            new InputStreamReader(
                                    one.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.isEmpty()) {
                    one.getOutputStream().write(reply.getBytes(StandardCharsets.ISO_8859_1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void escapesOutputOfLibrary() {
        var shown = new StringWriter();
        PrintStream stream = CleanStream.into(TerminalWriter.over(shown, TerminalWriter.Form.TEXT));

        new IllegalStateException(EVIL + " ü€🚀").printStackTrace(stream);
        byte[] bytes = (EVIL + "€🚀\n").getBytes(StandardCharsets.UTF_8);
        for (byte b : bytes) {
            stream.write(b);
        }
        stream.write(new byte[] {(byte) 0x9b, '3', '1', 'm', '\n'}, 0, 5);
        stream.flush();

        assertThat(shown.toString()).contains("owned ü€🚀", "owned€🚀\n", "\ufffd31m\n");
        assertThat(shown.toString().codePoints().allMatch(Printable::isInText)).isTrue();
    }

    @Test
    void coloursOfJdynoArePrinted() {
        var bytes = new ByteArrayOutputStream();
        PrintWriter out =
                TerminalWriter.over(
                        new PrintWriter(bytes, true, StandardCharsets.UTF_8),
                        TerminalWriter.Form.TEXT);
        out.println(Ink.RED.on(EVIL));

        String text = bytes.toString(StandardCharsets.UTF_8).strip();
        assertThat(text).startsWith("\u001b[1;31m").endsWith("owned\u001b[0m");
        assertThat(text.chars().filter(c -> c == 0x1b)).hasSize(2);
        assertThat(text.replaceAll("\u001b\\[(1;31|0)m", "").codePoints())
                .allMatch(Printable::isInText);
    }
}
