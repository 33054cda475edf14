package dev.jdyno.cluster.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.hosts.NetworkHosts;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Installs agents on hosts, each with its own OpenSSH server, key and home folder. The installed
/// package is a script that starts this build's classes.
@Tag("full") // starts a dozen JVMs
class SshHostsTest {
    private static final List<String> HOSTS = List.of("lg1", "lg2", "lg3");
    private static final Path SERVER = Path.of("/usr/sbin/sshd");

    @TempDir private Path folder;
    private NetworkHosts network;
    private int calls;

    @BeforeEach
    void servers() throws Exception {
        assumeTrue(
                Files.isExecutable(SERVER),
                "skipped: there is no sshd (Debian: apt-get install openssh-server)");
        assumeTrue(
                runs("getent", "passwd", "sshd"),
                "skipped: sshd is not set up, it has no user (Debian: dpkg --configure -a)");
        network = NetworkHosts.of("run", "lg1", "lg2", "lg3");
        Files.createDirectories(Path.of("/run/sshd"));
        keygen("id");
        for (String host : HOSTS) {
            keygen("host-" + host);
            Files.createDirectory(home(host));
            Path configuration =
                    Files.writeString(
                            folder.resolve("sshd-" + host),
                            """
                            ListenAddress %s
                            Port 22
                            HostKey %s
                            AuthorizedKeysFile %s
                            SetEnv HOME=%s
                            PidFile none
                            StrictModes no
                            UsePAM no
                            PasswordAuthentication no
                            KbdInteractiveAuthentication no
                            PermitRootLogin yes
                            """
                                    .formatted(
                                            network.address(host),
                                            folder.resolve("host-" + host),
                                            folder.resolve("id.pub"),
                                            home(host)));
            Process server =
                    network.start(
                            host,
                            folder.resolve("log-" + host),
                            List.of(SERVER.toString(), "-D", "-e", "-f", configuration.toString()));
            Eventually.until(
                    "sshd listens on " + host,
                    () -> {
                        String log = Files.readString(folder.resolve("log-" + host));
                        assertThat(server.isAlive()).as(log).isTrue();
                        return log.contains("listening");
                    });
        }
        Files.writeString(
                folder.resolve("ssh.conf"),
                """
                IdentityFile %s
                IdentitiesOnly yes
                UserKnownHostsFile %s
                User root
                """
                        .formatted(folder.resolve("id"), folder.resolve("known_hosts")));
        known(HOSTS);
        packed();
        Files.writeString(
                folder.resolve("hosts.txt"),
                HOSTS.stream()
                        .map(h -> "root@" + network.address(h) + ":22\n")
                        .collect(Collectors.joining("", "# load generators\n\n", "")));
    }

    @AfterEach
    void end() {
        ours().forEach(ProcessHandle::destroyForcibly);
        if (network != null) {
            network.close();
        }
    }

    private Path home(String host) {
        return folder.resolve("home-" + host);
    }

    private boolean runs(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("output.txt").toFile())
                        .start()
                        .waitFor()
                == 0;
    }

    private void keygen(String name) throws IOException, InterruptedException {
        String file = folder.resolve(name).toString();
        assertThat(runs("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file)).isTrue();
    }

    private void known(List<String> hosts) throws IOException {
        var lines = new ArrayList<String>();
        for (String host : hosts) {
            lines.add(
                    network.address(host)
                            + " "
                            + Files.readString(folder.resolve("host-" + host + ".pub")).strip());
        }
        Files.write(folder.resolve("known_hosts"), lines);
    }

    private List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.jdyno.cli.Main");
    }

    private void packed() throws IOException, InterruptedException {
        Path launcher = Files.createDirectories(folder.resolve("jdyno/bin")).resolve("jdyno");
        Files.writeString(launcher, "#!/bin/sh\nexec " + String.join(" ", java()) + " \"$@\"\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        Process packing =
                new ProcessBuilder("tar", "czf", "package.tar.gz", "jdyno")
                        .directory(folder.toFile())
                        .start();
        assertThat(packing.waitFor()).isZero();
    }

    private record Ran(int code, String said) {}

    private Process start(Path output, String... words) throws IOException {
        return network.start(
                "run", output, Stream.concat(java().stream(), Stream.of(words)).toList());
    }

    private Ran jdyno(String... words) throws IOException, InterruptedException {
        Path output = folder.resolve("said-" + calls++);
        Process process = start(output, words);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Ran(process.exitValue(), Files.readString(output));
    }

    private String[] up() {
        return new String[] {
            "agents",
            "up",
            "--ssh",
            folder.resolve("hosts.txt").toString(),
            "--ssh-config",
            folder.resolve("ssh.conf").toString(),
            "--key-file",
            key().toString(),
            "--package",
            folder.resolve("package.tar.gz").toString(),
            "--allow",
            "shop:8080"
        };
    }

    private Path key() {
        return folder.resolve("run.key");
    }

    private Path state() {
        return folder.resolve("run.key.up");
    }

    private Ran down() throws IOException, InterruptedException {
        return jdyno("agents", "down", "--key-file", key().toString());
    }

    private Ran listed() throws IOException, InterruptedException {
        return jdyno(
                "agents",
                HOSTS.stream().map(network::address).collect(Collectors.joining(",")),
                "--key-file",
                key().toString());
    }

    /// Agents and all other processes whose command line contains a home folder of these hosts.
    private List<ProcessHandle> ours() {
        return ProcessHandle.allProcesses().filter(this::isOurs).toList();
    }

    /// ProcessHandle does not return a command line that is longer than a memory page.
    private boolean isOurs(ProcessHandle process) {
        try {
            return Files.readString(
                            Path.of("/proc/" + process.pid() + "/cmdline"),
                            StandardCharsets.ISO_8859_1)
                    .contains(folder + "/home-");
        } catch (IOException gone) {
            return false;
        }
    }

    private void nothingIsLeft() throws Exception {
        Eventually.until("no process is left", () -> ours().isEmpty());
        for (String host : HOSTS) {
            assertThat(home(host)).isEmptyDirectory();
        }
        assertThat(state()).doesNotExist();
    }

    @Test
    void startsProvesAndStopsAgents() throws Exception {
        Ran up = jdyno(up());

        assertThat(up.code()).as(up.said()).isZero();
        assertThat(ours()).hasSize(HOSTS.size());
        assertThat(folder.resolve("run.key.known")).content().hasLineCount(HOSTS.size());
        Ran listed = listed();
        assertThat(listed.code()).as(listed.said()).isZero();
        for (String host : HOSTS) {
            assertThat(listed.said()).contains(network.address(host) + ":4711");
        }
        assertThat(listed.said()).contains("shop:8080");

        Ran again = jdyno(up());
        assertThat(again.code()).as(again.said()).isEqualTo(UserError.Kind.USAGE.exitCode());
        assertThat(listed().code()).as("the first ones still answer").isZero();

        Ran down = down();
        assertThat(down.code()).as(down.said()).isZero();
        nothingIsLeft();
        assertThat(down().code()).isEqualTo(UserError.Kind.USAGE.exitCode());

        Ran afresh = jdyno(up());
        assertThat(afresh.code()).as("with new keys: %s", afresh.said()).isZero();
        assertThat(down().code()).isZero();
        nothingIsLeft();
    }

    @Test
    void failedAgentStopsTheOthers() throws Exception {
        Files.createDirectories(home("lg3").resolve(".jdyno-agents"));
        // the third host's agent cannot listen, because the address belongs to another host
        Files.writeString(
                folder.resolve("hosts.txt"),
                network.address("lg1")
                        + "\n"
                        + network.address("lg2")
                        + "\n"
                        + network.address("lg3")
                        + " "
                        + network.address("run")
                        + "\n");

        Ran up = jdyno(up());

        assertThat(up.code()).isNotZero();
        assertThat(up.said()).contains(network.address("lg3"));
        nothingIsLeft();
    }

    @Test
    void installsOnNoHostIfOneKeyIsUnknown() throws Exception {
        known(List.of("lg1", "lg2"));

        Ran up = jdyno(up());

        assertThat(up.code()).isNotZero();
        assertThat(up.said()).contains(network.address("lg3"));
        nothingIsLeft();
        assertThat(key()).doesNotExist();
    }

    private Process upTillAPackageIsThere() throws Exception {
        Path output = folder.resolve("killed");
        Process process = start(output, up());
        Eventually.until(
                "a package is there",
                () ->
                        HOSTS.stream()
                                .map(h -> home(h).resolve(".jdyno-agents"))
                                .anyMatch(Files::exists));
        return process;
    }

    @Test
    void stopsAgentsAfterKill() throws Exception {
        Process killed = upTillAPackageIsThere();
        killed.destroyForcibly();
        assertThat(killed.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(state()).exists();

        Ran down = down();

        assertThat(down.code()).as(down.said()).isZero();
        nothingIsLeft();
    }

    @Test
    void stopsAgentsOnSignal() throws Exception {
        Process ended = upTillAPackageIsThere();
        ended.destroy();

        assertThat(ended.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(ended.exitValue()).isNotZero();
        nothingIsLeft();
    }
}
