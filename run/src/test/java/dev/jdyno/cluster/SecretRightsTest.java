package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.SecretRights;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.measure.text.Problems;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A secret as the kubelet mounts it for a pod with an `fsGroup`, and changes that an attacker
/// could make.
class SecretRightsTest {
    private static final String GOOD = "0123456789abcdef0123456789abcdef";
    private static final int AGENT = 65_532;
    private static final int FS_GROUP = 65_533;
    private static final int OTHER = 1234;
    private static final SecretRights.Reader READER =
            new SecretRights.Reader(AGENT, Set.of(0, FS_GROUP));

    @TempDir private Path folder;

    private Path mount = Path.of("");
    private Path version = Path.of("");
    private Path secret = Path.of("");

    /// `ls -la /etc/jdyno` of a pod: `drwxrwsrwt root 65533 .`, `drwxr-sr-x root 65533
    /// ..2026_11_28_10_00_00.1`, `..data -> ..2026_11_28_10_00_00.1`, `token -> ..data/token`, and
    /// in it `-r--r----- root 65533 token`.
    @BeforeEach
    void asTheKubeletMounts() throws IOException {
        assumeTrue(
                SecretRights.Reader.self().uid() == 0,
                "only root gives files to others, as the kubelet does");
        Files.setAttribute(folder, "unix:mode", 0755);
        mount = Files.createDirectory(folder.resolve("jdyno"));
        version = Files.createDirectory(mount.resolve("..2026_11_28_10_00_00.1"));
        Files.createSymbolicLink(mount.resolve("..data"), version.getFileName());
        Files.createSymbolicLink(mount.resolve("token"), Path.of("..data/token"));
        secret = Files.writeString(version.resolve("token"), GOOD);
        for (Path of : List.of(mount, version, secret)) {
            Files.setAttribute(of, "unix:gid", FS_GROUP);
        }
        Files.setAttribute(secret, "unix:mode", 0440);
        Files.setAttribute(version, "unix:mode", 02755);
        Files.setAttribute(mount, "unix:mode", 03777);
    }

    private Optional<String> mistake() throws IOException {
        return SecretRights.mistake(mount.resolve("token"), READER);
    }

    @Test
    void acceptsMountedSecret() throws IOException {
        assertThat(mistake()).isEmpty();
        Files.setAttribute(secret, "unix:mode", 0640);
        assertThat(mistake()).isEmpty();
    }

    /// A user's own file that a group may read to which all users belong.
    @Test
    void refusesGroupAccessToOwnFileOfReader() throws IOException {
        Files.setAttribute(secret, "unix:uid", AGENT);
        for (int mode : new int[] {0440, 0640}) {
            Files.setAttribute(secret, "unix:mode", mode);
            assertThat(mistake()).as(Integer.toOctalString(mode)).isPresent();
        }
        Files.setAttribute(secret, "unix:mode", 0600);
        assertThat(mistake()).isEmpty();
    }

    @Test
    void refusesFileAccessibleByOthers() throws IOException {
        for (int mode : new int[] {0444, 0460, 0450, 0442, 0441, 0660, 0604, 0404}) {
            Files.setAttribute(secret, "unix:mode", mode);
            assertThat(mistake()).as(Integer.toOctalString(mode)).isPresent();
        }
    }

    @Test
    void refusesGroupWithoutReader() throws IOException {
        Files.setAttribute(secret, "unix:gid", OTHER);
        assertThat(mistake()).isPresent();
    }

    @Test
    void refusesFolderThatOthersCanWrite() throws IOException {
        for (Path of : List.of(version, mount, folder)) {
            int mode = (Integer) Files.getAttribute(of, "unix:mode") & 07777;
            for (int writable : new int[] {0777, 0775, 02775, 0757}) {
                Files.setAttribute(of, "unix:mode", writable);
                assertThat(mistake()).as("%s %o", of, writable).isPresent();
            }
            Files.setAttribute(of, "unix:mode", mode);
            assertThat(mistake()).isEmpty();
        }
    }

    @Test
    void refusesPathThroughFolderOfOtherUser() throws IOException {
        for (Path of :
                List.of(secret, version, mount.resolve("..data"), mount.resolve("token"), mount)) {
            Files.setAttribute(of, "unix:uid", OTHER, LinkOption.NOFOLLOW_LINKS);
            assertThat(mistake()).as("%s", of).isPresent();
            Files.setAttribute(of, "unix:uid", AGENT, LinkOption.NOFOLLOW_LINKS);
            // the file itself must belong to root (refusesGroupAccessToOwnFileOfReader)
            assertThat(mistake().isPresent())
                    .as("%s, the reader's own", of)
                    .isEqualTo(of.equals(secret));
            Files.setAttribute(secret, "unix:uid", 0);
        }
    }

    @Test
    void refusesCircularLinks() throws IOException {
        Path there = Files.createSymbolicLink(folder.resolve("there"), Path.of("back"));
        Files.createSymbolicLink(folder.resolve("back"), Path.of("there"));
        var problems = new Problems();

        assertThat(Token.read("--token-file", there, problems)).isEmpty();

        assertThat(problems.list()).hasSize(1);
    }

    @Test
    void absoluteLinksAndStepsUpAreFollowed() throws IOException {
        Path link =
                Files.createSymbolicLink(
                        folder.resolve("link"), mount.resolve("../jdyno/./..data/../token"));
        assertThat(SecretRights.mistake(link, READER)).isEmpty();
        Files.setAttribute(mount, "unix:mode", 0777);
        assertThat(SecretRights.mistake(link, READER)).isPresent();
    }

    @Test
    void theStatusOfAProcessNamesItsGroups() throws IOException {
        String status =
                "Name:\tjava\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nGroups:\t10 4294967294 \n";
        assertThat(SecretRights.Reader.of(status))
                .isEqualTo(new SecretRights.Reader(2, Set.of(6, 10, -2)));
        assertThat(SecretRights.Reader.of(status.replaceAll("Groups:.*", "Groups:\t")).groups())
                .containsExactly(6);
    }

    /// The agent's user, whose primary group is not the group of the file (`runAsUser` alone gives
    /// group 0).
    @Test
    void agentUserCanReadSecret() throws Exception {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        for (Class<?> one :
                List.of(
                        Token.class,
                        ReadToken.class,
                        OwnKey.class,
                        NotTrusted.class,
                        Problems.class)) {
            copyPackage(one, classes);
        }
        assertThat(read(classes, FS_GROUP)).isEqualTo("taken");
        Files.setAttribute(mount, "unix:mode", 0777);
        assertThat(read(classes, FS_GROUP)).contains("write to");
        assertThat(read(classes, OTHER)).contains("not in it");

        Files.setAttribute(mount, "unix:mode", 03777);
        OwnKey key = OwnKey.generate();
        Files.writeString(secret, key.pem());
        assertThat(read(classes, FS_GROUP)).isEqualTo(key.open().fingerprint());
        assertThat(read(classes, OTHER)).contains("not in it");
        Files.setAttribute(secret, "unix:mode", 0444);
        assertThat(read(classes, FS_GROUP)).doesNotContain(key.open().fingerprint());
    }

    /// A private key that its owner left open to a group is no mounted one, not even if root owns
    /// it.
    @Test
    void refusesGroupAccessToOwnKeyOfReader() throws IOException {
        Path file = mount.resolve("token");
        assertThat(SecretRights.mistakeOfMounted(file, READER)).isEmpty();
        var root = new SecretRights.Reader(0, Set.of(0, FS_GROUP));
        assertThat(SecretRights.mistake(file, root)).isEmpty();
        assertThat(SecretRights.mistakeOfMounted(file, root)).isPresent();
    }

    /// Only root may be able to enter the build's folder. In a build of all modules, the classes of
    /// other modules are in a jar.
    private static void copyPackage(Class<?> one, Path to) throws Exception {
        Path from = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isRegularFile(from)) {
            try (FileSystem jar = FileSystems.newFileSystem(from)) {
                copyPackage(jar.getPath("/"), one, to);
            }
        } else {
            copyPackage(from, one, to);
        }
    }

    private static void copyPackage(Path from, Class<?> one, Path to) throws IOException {
        String name = one.getPackageName().replace('.', '/');
        Files.createDirectories(to.resolve(name));
        try (Stream<Path> files = Files.list(from.resolve(name))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                Files.copy(file, to.resolve(name).resolve(file.getFileName().toString()));
            }
        }
    }

    private String read(Path classes, int group) throws IOException {
        Process agent =
                new ProcessBuilder(
                                "setpriv",
                                "--reuid=" + AGENT,
                                "--regid=" + OTHER,
                                "--groups=" + group,
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                classes.toString(),
                                ReadToken.class.getName(),
                                mount.resolve("token").toString())
                        .redirectErrorStream(true)
                        .start();
        try (var out = agent.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
        } finally {
            agent.destroyForcibly();
        }
    }
}
