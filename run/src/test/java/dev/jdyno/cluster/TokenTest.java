package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.measure.text.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenTest {
    private static final String GOOD = "0123456789abcdef0123456789abcdef";

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "rw-------, 0",
        "r--------, 0",
        "rw-r-----, 0",
        "rw-rw----, 1",
        "rw-r-x---, 1",
        "rw----r--, 1",
        "rw-r--r--, 1",
        "rw--w----, 1",
    })
    void acceptsOnlyFileOfOwnerAndOwnGroup(String mode, int mistakes) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), GOOD + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        var problems = new Problems();

        boolean taken = Token.read("--token-file", file, problems).isPresent();

        assertThat(problems.list()).hasSize(mistakes);
        assertThat(taken).isEqualTo(mistakes == 0);
    }

    @ParameterizedTest
    @CsvSource({"short", "''", "'" + GOOD + "\n" + GOOD + "'"})
    void aTokenIsOneLongLineAndNoMessageShowsIt(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        var problems = new Problems();

        assertThat(Token.read("--token-file", file, problems)).isEmpty();

        assertThat(problems.list()).hasSize(1);
        assertThat(problems.list().toString()).doesNotContain(GOOD);
    }

    /// RFC 8032, 7.1, test 1. A JVM that derived another key from the seed could not connect to the
    /// others.
    @Test
    void aSeedGivesTheKeyOfTheStandard() throws GeneralSecurityException {
        byte[] seed =
                HexFormat.of()
                        .parseHex(
                                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");

        String key = HexFormat.of().formatHex(OwnKey.pair(seed).getPublic().getEncoded());

        assertThat(key)
                .endsWith("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    }
}
