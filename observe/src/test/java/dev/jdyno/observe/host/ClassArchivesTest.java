package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassArchivesTest {
    private static final String MAPS =
            """
            7f0000000000-7f0000001000 r--p 00000000 08:01 1 /usr/lib/jvm/jdk/lib/server/libjvm.so
            7f0000002000-7f0000003000 r--p 00000000 08:01 2 /srv/shop/app.aot
            7f0000004000-7f0000005000 rw-p 00000000 00:00 0
            7f0000006000-7f0000007000 r--p 00000000 08:01 3 /srv/shop/top.jsa (deleted)
            """;

    @TempDir Path root;

    private List<Path> unmapped(String flags) throws IOException {
        Files.createDirectories(root.resolve("7"));
        Files.writeString(root.resolve("7/maps"), MAPS);
        return ClassArchives.unmapped(new ProcFs(root), 7, Arrays.asList(flags.split(" ")));
    }

    @ParameterizedTest
    @CsvSource({
        "-XX:AOTCache=/srv/shop/app.aot, ''",
        "-XX:AOTCache=app.aot, ''",
        "-XX:AOTCache=other.aot, other.aot",
        "-XX:SharedArchiveFile=/srv/shop/top.jsa, ''",
        "-XX:SharedArchiveFile=base.jsa:top.jsa, base.jsa",
        "-XX:SharedArchiveFile=p.aot, p.aot",
        "-Xshare:off -XX:SharedArchiveFile=base.jsa, ''",
        "-XX:AOTMode=create -XX:AOTCache=new.aot, ''",
        "-Xmx1g, ''"
    })
    void namesUnmappedArchive(String flags, String named) throws IOException {
        assertThat(unmapped(flags))
                .isEqualTo(named.isEmpty() ? List.of() : List.of(Path.of(named)));
    }

    @Test
    void ignoresProcessThatCannotBeRead() {
        assertThat(
                        ClassArchives.unmapped(
                                new ProcFs(root), 8, List.of("-XX:AOTCache=/srv/shop/x.aot")))
                .isEmpty();
    }
}
