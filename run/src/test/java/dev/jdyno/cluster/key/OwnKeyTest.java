package dev.jdyno.cluster.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnKeyTest {
    @TempDir private Path folder;

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void createsKeyOnceForOwnerOnly() throws IOException {
        Path file = folder.resolve("new/run.key");

        OwnKey made = OwnKey.readOrMake(file);

        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(mode(folder.resolve("new"))).isEqualTo("rwx------");
        assertThat(OwnKey.readOrMake(file).open()).isEqualTo(made.open());
        assertThat(OwnKey.isIn(file)).isTrue();
        assertThat(Files.readString(file)).doesNotContain(made.open().text());
        assertThat(made.toString()).contains(made.open().fingerprint());
        assertThatExceptionOfType(UserError.class).isThrownBy(() -> OwnKey.make(file));
        assertThat(OwnKey.read(file).open()).isEqualTo(made.open());
    }

    /// RFC 8410, 10.3, and the public key of 10.1.
    @Test
    void aKeyOfTheStandardIsRead() throws IOException {
        Path file = folder.resolve("key");
        Files.writeString(
                file,
                """
                -----BEGIN PRIVATE KEY-----
                MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
                -----END PRIVATE KEY-----
                """);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        assertThat(OwnKey.read(file).open())
                .isEqualTo(new PeerKey("ed25519:Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----"})
    void refusesKeyFileAccessibleByOthers(String mode) throws IOException {
        Path file = folder.resolve("key");
        OwnKey _ = OwnKey.make(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

        assertThatExceptionOfType(UserError.class).isThrownBy(() -> OwnKey.read(file));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0123456789abcdef0123456789abcdef",
                "-----BEGIN PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
            })
    void refusesInvalidKey(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        assertThatExceptionOfType(UserError.class).isThrownBy(() -> OwnKey.read(file));
    }

    @Test
    void acceptsOnlyEd25519Keys() throws Exception {
        var other = KeyPairGenerator.getInstance("Ed448").generateKeyPair();

        assertThatIllegalArgumentException().isThrownBy(() -> PeerKey.of(other.getPublic()));
        for (String text : new String[] {"", "ed25519:", "ed25519:AAAA", "rsa:" + "A".repeat(43)}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new PeerKey(text));
        }
    }

    @Test
    void keepsKnownAgentsAndRefusesBrokenFile() throws IOException {
        Path file = folder.resolve("a/run.key.known");
        PeerKey one = OwnKey.generate().open();
        PeerKey other = OwnKey.generate().open();

        KnownAgents known = KnownAgents.read(file).with("lg1:4711", one).with("[::1]:1", other);

        assertThat(KnownAgents.read(file)).isEqualTo(known);
        assertThat(known.of("lg1:4711")).contains(one);
        assertThat(known.of("lg1:4712")).isEmpty();
        assertThat(mode(file)).isEqualTo("rw-------");
        for (String line : new String[] {"lg1:4711", "a b c", "a:1 " + one + "\na:1 " + other}) {
            Files.writeString(file, line);
            assertThatExceptionOfType(UserError.class).isThrownBy(() -> KnownAgents.read(file));
        }
    }

    private interface Work<T> {
        T of(int number) throws Exception;
    }

    /// Runs this number of tasks at the same time. Each task has begun before the first one
    /// continues.
    private static <T> List<T> atOnce(int count, Work<T> work) throws Exception {
        var all = new CyclicBarrier(count);
        List<Future<T>> begun = new ArrayList<>();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
            for (int i = 0; i < count; i++) {
                int number = i;
                begun.add(
                        threads.submit(() -> {
                            all.await();
                            return work.of(number);
                        }));
            }
        }
        List<T> done = new ArrayList<>();
        for (Future<T> each : begun) {
            done.add(each.get());
        }
        return done;
    }

    @Test
    void processesThatStartAtOnceHaveTheKeyThatIsKept() throws Exception {
        for (int round = 0; round < 10; round++) {
            Path file = folder.resolve("start" + round + "/agent.key");

            List<PeerKey> keys = atOnce(8, _ -> OwnKey.readOrMake(file).open());

            assertThat(keys).containsOnly(OwnKey.read(file).open());
            try (var left = Files.list(file.getParent())) {
                assertThat(left).containsExactly(file);
            }
        }
    }

    @Test
    void keysOfAgentsThatAreAddedAtOnceAreAllKept() throws Exception {
        Path file = folder.resolve("run.key.known");
        KnownAgents before = KnownAgents.read(file);
        PeerKey key = OwnKey.generate().open();

        List<KnownAgents> _ = atOnce(8, i -> before.with("lg" + i + ":1", key));

        assertThat(KnownAgents.read(file).keys()).hasSize(8).containsValue(key);
    }

    @Test
    void keepsKeyWrittenByOtherProcess() {
        Path file = folder.resolve("run.key.known");
        PeerKey ours = OwnKey.generate().open();
        PeerKey theirs = OwnKey.generate().open();
        KnownAgents before = KnownAgents.read(file);
        KnownAgents other = KnownAgents.read(file).with("lg1:1", theirs);

        assertThatExceptionOfType(UserError.class).isThrownBy(() -> before.with("lg1:1", ours));

        assertThat(KnownAgents.read(file)).isEqualTo(other);
        assertThat(before.with("lg1:1", theirs)).isEqualTo(other);
        assertThat(other.with("lg1:1", ours).of("lg1:1")).contains(ours);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw----rw-", "rw--w--w-", "rwxrwxrwx"})
    void keysOfAgentsThatOthersCanWriteAreNotTaken(String mode) throws IOException {
        Path file = folder.resolve("run.key.known");
        KnownAgents _ = KnownAgents.read(file).with("lg1:1", OwnKey.generate().open());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));

        assertThatExceptionOfType(UserError.class).isThrownBy(() -> KnownAgents.read(file));
    }

    /// A line that ends at the maximum length could otherwise be taken for the line of another
    /// agent.
    @Test
    void aFileThatIsTooLongIsRefusedAsAWhole() throws IOException {
        Path known = folder.resolve("run.key.known");
        String line = "lg1:1 " + OwnKey.generate().open() + "\n";
        Files.writeString(known, "#".repeat(4 << 20) + "\n" + line);
        Path key = folder.resolve("run.key");
        OwnKey _ = OwnKey.make(key);
        Files.writeString(key, "\n".repeat(4096), StandardOpenOption.APPEND);

        assertThatExceptionOfType(UserError.class).isThrownBy(() -> KnownAgents.read(known));
        assertThatExceptionOfType(UserError.class).isThrownBy(() -> OwnKey.read(key));
    }
}
