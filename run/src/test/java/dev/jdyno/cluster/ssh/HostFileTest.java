package dev.jdyno.cluster.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostFileTest {
    @TempDir private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("hosts.txt"), text);
    }

    @Test
    void lineHasSshHostAndAgentAddress() throws IOException {
        List<Place> places =
                HostFile.read(
                        file(
                                """
                                # load generators

                                lg1
                                deploy@lg2:2222   10.0.0.7:4712
                                root@[fd00::1]:22 [fd00::2]
                                """));

        assertThat(places)
                .extracting(p -> p.login() + " " + p.agent() + " " + p.listen())
                .containsExactly(
                        "lg1 lg1:4711 0.0.0.0:4711",
                        "deploy@lg2:2222 10.0.0.7:4712 10.0.0.7:4712",
                        "root@[fd00::1]:22 [fd00::2]:4711 [fd00::2]:4711");
        assertThat(places).extracting(Place::id).doesNotHaveDuplicates();
    }

    @Test
    void reportsMistakesOfAllLines() throws IOException {
        Path file = file("lg1\n-oProxyCommand=x\nlg1\na b c\nlg2:0\n$(id)\nlg3 lg3:0\n");

        assertThatThrownBy(() -> HostFile.read(file))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                            for (int line : List.of(2, 3, 4, 5, 6, 7)) {
                                assertThat(e.why()).contains(file + ":" + line + ":");
                            }
                            assertThat(e.why()).doesNotContain(file + ":1:");
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-oProxyCommand=touch",
                "--",
                "-l",
                "a;b",
                "a|b",
                "a`id`",
                "$(id)",
                "a'b",
                "a\"b",
                "a\\b",
                "-x@host",
                "user@-host",
                "user@@host",
                "a%h",
                "ssh://host/x",
                "host:99999",
                "host:",
                "[::1",
                "h\u0000st",
                "h\u001bst",
                "höst"
            })
    void refusesHostThatLooksLikeOptionOrShellText(String word) {
        assertThatThrownBy(() -> Login.parse(word)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFileWithoutHostsIsAMistake() throws IOException {
        Path file = file("# none\n\n");
        assertThatThrownBy(() -> HostFile.read(file)).isInstanceOf(UserError.class);
        assertThatThrownBy(() -> HostFile.read(folder.resolve("missing")))
                .isInstanceOf(UserError.class);
    }

    @Test
    void sshGetsTheHostBehindItsOptionsAndOneCommand() {
        var ssh = new Ssh("ssh", Optional.of(Path.of("/etc/own.conf")), () -> false);

        List<String> words = ssh.words(Login.parse("deploy@lg1:2222"), "true; id");

        assertThat(words).startsWith("ssh", "-T", "-oBatchMode=yes");
        assertThat(words)
                .endsWith(
                        "-F",
                        "/etc/own.conf",
                        "-p",
                        "2222",
                        "-l",
                        "deploy",
                        "--",
                        "lg1",
                        "true; id");
    }

    @Test
    void readsHostsAsWritten() throws IOException {
        Path file = folder.resolve("run.key.up");
        var written =
                new Placement(
                        Optional.of(folder.resolve("with a blank.conf")),
                        HostFile.read(file("deploy@lg2:2222 10.0.0.7:4712\n[fd00::1]\n")));
        written.begin(file);

        assertThat(Placement.read(file)).isEqualTo(written);
        assertThatThrownBy(() -> written.begin(file)).isInstanceOf(UserError.class);

        new Placement(written.configuration(), List.of()).keep(file);
        assertThat(file).doesNotExist();
        assertThatThrownBy(() -> Placement.read(file)).isInstanceOf(UserError.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "other/1 -\n",
                "jdyno-agents-up/1 -\nlg1 lg1:4711 0.0.0.0:4711\n",
                "jdyno-agents-up/1 -\nlg1 lg1:4711 0.0.0.0:4711 ../../x\n",
                "jdyno-agents-up/1 -\n-ox lg1:4711 0.0.0.0:4711 0123456789abcdef0123456789abcdef\n",
                "jdyno-agents-up/1 -\nlg1 $(id):4711 0.0.0.0:4711 0123456789abcdef0123456789abcdef\n"
            })
    void aForeignFileIsRefused(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("run.key.up"), text);

        assertThatThrownBy(() -> Placement.read(file)).isInstanceOf(UserError.class);
    }
}
