package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiskLinesTest {
    private static DiskUse disk(String device, boolean ofTarget, double utilisation) {
        return new DiskUse(
                device,
                ofTarget,
                10,
                240,
                40_960,
                983_040,
                utilisation,
                Optional.of(4.1),
                1.2,
                Optional.of(new DiskUse.Flushes(120, Optional.of(3.5))));
    }

    private static EvidenceFixture waiting() {
        return plateau().busy(Cause.DISK, "FileChannelImpl.force", 19).rounds(r -> r.cores(0.1));
    }

    @Test
    void verdictShowsFiguresOfDevice() {
        var verdict =
                waiting().disk(disk("vdb", false, 0.2)).disk(disk("vda", true, 0.97)).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.DISK);
        assertThat(verdict.evidence())
                .extracting(EvidenceLine::id)
                .contains("disk-utilisation", "disk-wait", "disk-flushes")
                .doesNotContain("disk-others");
        assertThat(verdict.evidence())
                .filteredOn(e -> e.id().equals("disk-utilisation"))
                .singleElement()
                .satisfies(e -> {
                    assertThat(e.says()).startsWith("vda, the disk with the service's files");
                    assertThat(e.value()).isEqualTo(0.97);
                    assertThat(e.unit()).isEqualTo("share");
                    assertThat(e.limit()).isEqualTo(0.9);
                });
    }

    @Test
    void namesProcessesThatUseBusyDisk() {
        var evidence =
                waiting()
                        .disk(disk("vda", true, 1))
                        .sign(Sign.DISK_READ_BYTES_PER_S, 0)
                        .sign(Sign.DISK_WRITE_BYTES_PER_S, 50_000)
                        .sign(Sign.NEIGHBOUR_DISK_BYTES_PER_S, 9e5, "dd (pid 7) 879 KiB/s");

        assertThat(DiskLines.others(evidence.build()).orElseThrow().says())
                .contains("vda", "100 %", "other processes keep it busy, most: dd (pid 7)");
    }

    @Test
    void diskBusyWithTargetIsNoNeighbourDisk() {
        var evidence =
                waiting()
                        .disk(disk("vda", true, 1))
                        .sign(Sign.DISK_READ_BYTES_PER_S, 0)
                        .sign(Sign.DISK_WRITE_BYTES_PER_S, 400_000);

        assertThat(DiskLines.others(evidence.build())).isEmpty();
    }

    @Test
    void reportsDiskBusyWithOtherProcessesWithoutWaiters() {
        Finding finding =
                new DiskRule()
                        .evaluate(
                                plateau()
                                        .busy(Cause.LOCK, "a lock", 19)
                                        .disk(disk("vda", true, 1))
                                        .sign(Sign.DISK_READ_BYTES_PER_S, 0)
                                        .sign(Sign.DISK_WRITE_BYTES_PER_S, 0)
                                        .build());

        assertThat(((Finding.Cleared) finding).whyNot()).contains("other processes keep it busy");
    }
}
