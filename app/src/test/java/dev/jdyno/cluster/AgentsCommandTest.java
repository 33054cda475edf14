package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cli.CliOutput;
import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.up.ReadyLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentsCommandTest {
    private static final int MANY = 400;

    @TempDir private Path folder;

    private static String at(Agent agent) {
        return InetAddress.getLoopbackAddress().getHostAddress() + ":" + agent.port();
    }

    private static Agent agent(OwnKey own, OwnKey run) {
        return Cluster.agent(
                Listener.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        own,
                        Set.of(run.open())),
                List::of);
    }

    @Test
    void createsKeyOnceAndShowsOnlyPublicPart() throws IOException {
        Path file = folder.resolve("run.key");

        CliOutput first = CliOutput.jdyno("agents", "key", file.toString());
        CliOutput again = CliOutput.jdyno("agents", "key", file.toString());

        assertThat(List.of(first.code(), again.code())).containsOnly(0);
        assertThat(first.out().strip()).isEqualTo(OwnKey.read(file).open().text());
        assertThat(again.out()).isEqualTo(first.out());
    }

    @Test
    void queriesAgentOnlyAfterTrust() {
        Path file = folder.resolve("run.key");
        OwnKey run = OwnKey.make(file);
        OwnKey own = OwnKey.generate();
        try (Agent agent = agent(own, run)) {
            String[] ask = {"agents", at(agent), "--key-file", file.toString()};

            CliOutput unknown = CliOutput.jdyno(ask);
            assertThat(unknown.code()).isNotZero();
            assertThat(unknown.err()).contains("--key-file " + file);
            CliOutput trust =
                    CliOutput.jdyno("agents", "trust", at(agent), "--key-file", file.toString());
            CliOutput asked = CliOutput.jdyno(ask);

            assertThat(trust.code()).isZero();
            assertThat(trust.out()).contains(own.open().fingerprint());
            assertThat(asked.code()).isZero();
            assertThat(asked.out()).contains(at(agent));
        }
    }

    @Test
    void trustsChangedKeyOnlyIfAsked() {
        Path file = folder.resolve("run.key");
        OwnKey run = OwnKey.make(file);
        OwnKey before = OwnKey.generate();
        OwnKey own = OwnKey.generate();
        Path pins = Credentials.agentKeysOf(file);
        try (Agent agent = agent(own, run)) {
            KnownAgents _ = KnownAgents.read(pins).with(at(agent), before.open());
            String[] trust = {"agents", "trust", at(agent), "--key-file", file.toString()};

            CliOutput refused = CliOutput.jdyno(trust);

            assertThat(refused.code()).isNotZero();
            assertThat(refused.err())
                    .contains(own.open().fingerprint(), before.open().fingerprint())
                    .contains("--key-file " + file + " --replace");
            assertThat(KnownAgents.read(pins).of(at(agent))).contains(before.open());

            List<String> replace = new ArrayList<>(List.of(trust));
            replace.addAll(List.of("--replace", "--fingerprint", before.open().fingerprint()));
            assertThat(CliOutput.jdyno(replace.toArray(String[]::new)).code()).isNotZero();
            replace.set(replace.size() - 1, own.open().fingerprint());
            assertThat(CliOutput.jdyno(replace.toArray(String[]::new)).code()).isZero();
            assertThat(KnownAgents.read(pins).of(at(agent))).contains(own.open());
        }
    }

    /// The list of agents never says that the token is wrong while foreign connections block the
    /// port.
    @Test
    void silentConnectionsDoNotChangeOutput() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), Cluster.TOKEN_TEXT);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        List<Socket> strangers = new ArrayList<>();
        try (Agent agent = Cluster.agent(Cluster.listener(Duration.ofHours(1)), List::of)) {
            for (int i = 0; i < MANY; i++) {
                strangers.add(new Socket(InetAddress.getLoopbackAddress(), agent.port()));
            }

            CliOutput said = CliOutput.jdyno("agents", at(agent), "--token-file", token.toString());

            assertThat(said.err()).doesNotContain("token");
            assertThat(said.code()).isZero();
        } finally {
            for (Socket s : strangers) {
                s.close();
            }
        }
    }

    @Test
    void agentEndsAfterItsTime() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), Cluster.TOKEN_TEXT);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));

        CliOutput said =
                CliOutput.jdyno(
                        "agent",
                        "--listen",
                        "127.0.0.1:0",
                        "--token-file",
                        token.toString(),
                        "--allow",
                        "shop:80",
                        "--for",
                        "1ms");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out()).contains(ReadyLines.READY_END);
    }

    /// Each command line is refused before the agent listens.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--token-file T --run-key ed25519:Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE",
                "--run-key ed25519:short",
                "--token-file T --role load",
                "--token-file T --role observe --allow shop:80",
                "--token-file T --role load --allow shop:80 --observe-only port=80",
                "--token-file T --allow shop",
                "--token-file T --allow *:80",
                "--token-file T --observe-only 8080",
                "--token-file T --observe-only jmx=1",
                "--token-file T --launch a",
                "--token-file T --launch a=java",
                "--token-file T --launch ../a=java{port}",
                "--token-file T --launch a=x{port} --launch a=y{port}",
                "--token-file T --role load --allow shop:80 --launch a=x{port}",
                "--token-file T --allow shop:80 --for 0s",
                "--token-file T --allow shop:80 --for long",
                "--token-file T --for 1h --forwarded",
            })
    void refusesAgentWithoutRole(String words) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), Cluster.TOKEN_TEXT);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        // the port is in use: an agent with a correct command line ends, too, but with another
        // message
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<String> all =
                    new ArrayList<>(
                            List.of("agent", "--listen", "127.0.0.1:" + taken.getLocalPort()));
            for (String word : words.split(" ")) {
                if (!word.isEmpty()) {
                    all.add(word.equals("T") ? token.toString() : word);
                }
            }

            CliOutput said = CliOutput.jdyno(all.toArray(String[]::new));

            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err()).doesNotContain(Integer.toString(taken.getLocalPort()));
        }
    }
}
