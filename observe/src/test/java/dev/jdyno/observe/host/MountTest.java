package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MountTest {
    private static final List<Mount> MOUNTS =
            Mount.all(
                    Optional.of(
                            """
                            22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
                            31 22 0:27 / /tmp rw,nosuid,nodev - tmpfs tmpfs rw,size=1024k
                            32 22 254:1 / /tmp/with\\040blank rw - xfs /dev/vdb rw
                            33 22 0:40 / /var rw - tmpfs tmpfs rw
                            34 22 254:2 / /var rw - ext4 /dev/vdc rw
                            no line of a mount
                            """));

    private static Optional<String> type(String path) {
        return Mount.holding(path, MOUNTS).map(Mount::type);
    }

    @Test
    void deepestMountHasTheFile() {
        assertThat(type("/tmp")).hasValue("tmpfs");
        assertThat(type("/tmp/jdyno-threads-1.json")).hasValue("tmpfs");
        assertThat(type("/tmpfile")).hasValue("ext4");
        assertThat(type("/tmp/with blank/file")).hasValue("xfs");
    }

    @Test
    void laterMountHidesEarlierMount() {
        assertThat(type("/var/log")).hasValue("ext4");
    }

    @Test
    void mountIsUnknownWithoutMountTable() {
        assertThat(Mount.holding("/tmp", Mount.all(Optional.empty()))).isEmpty();
    }
}
