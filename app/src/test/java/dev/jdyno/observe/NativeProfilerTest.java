package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The target runs what the library's file holds: whoever can write it is the target's user.
class NativeProfilerTest {
    private static final byte[] LIBRARY = {1, 2, 3};
    private static final int STRANGER = 12345;

    @TempDir Path tmp;
    private Object ours = 0;

    @BeforeEach
    void whoWeAre() throws IOException {
        ours = Files.getAttribute(tmp, "unix:uid");
    }

    @Test
    void oursIsUsedAgain() throws IOException {
        Path file = NativeProfiler.written(tmp, LIBRARY);

        assertThat(file.getParent()).isEqualTo(tmp);
        assertThat(NativeProfiler.trusted(tmp, ours, LIBRARY)).contains(file);
        assertThat(NativeProfiler.trusted(tmp, ours, new byte[] {1, 2, 4})).isEmpty();
    }

    @Test
    void oneThatOthersCanWriteIsNotUsedThoughItHoldsTheRightBytes() throws IOException {
        Path planted = NativeProfiler.written(tmp, LIBRARY);
        for (String open : new String[] {"rw-rw-r--", "rw-r--rw-"}) {
            Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString(open));

            assertThat(NativeProfiler.trusted(tmp, ours, LIBRARY)).as(open).isEmpty();
        }

        Path own = NativeProfiler.written(tmp, LIBRARY);

        assertThat(own).isNotEqualTo(planted);
        assertThat(Files.getPosixFilePermissions(own.getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(NativeProfiler.trusted(tmp, ours, LIBRARY)).contains(own);
    }

    @Test
    void oneOfAnotherUserIsNotUsedUnlessHeIsTheTargets() throws IOException {
        Path planted = NativeProfiler.written(tmp, LIBRARY);
        assumeTrue(ours.equals(0), "only root can give files away");
        Files.setAttribute(planted, "unix:uid", STRANGER);

        assertThat(NativeProfiler.trusted(tmp, ours, LIBRARY)).isEmpty();
        assertThat(NativeProfiler.trusted(tmp, STRANGER, LIBRARY)).contains(planted);
    }

    @Test
    void aFolderThatOthersCanWriteIsNotLookedInto() throws IOException {
        Files.createFile(tmp.resolve("jdyno-async-profiler-4.6.so"));
        Path file = NativeProfiler.written(tmp, LIBRARY);
        assertThat(NativeProfiler.trusted(tmp, ours, LIBRARY)).contains(file);

        Files.setPosixFilePermissions(
                file.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(NativeProfiler.trusted(tmp, ours, LIBRARY)).isEmpty();
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path elsewhere = Files.write(tmp.resolve("elsewhere.so"), LIBRARY);
        Files.createSymbolicLink(tmp.resolve("jdyno-async-profiler-4.6.so"), elsewhere);

        assertThat(NativeProfiler.trusted(tmp, ours, LIBRARY)).isEmpty();
        assertThat(NativeProfiler.written(tmp, LIBRARY).getParent()).isNotEqualTo(tmp);
    }
}
