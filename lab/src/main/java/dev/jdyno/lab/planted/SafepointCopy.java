package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.Arrays;

/// A background thread that copies and clears hundreds of megabytes in one call. The JVM cannot
/// stop it in the middle, so every collection, and with it every request, waits for the end of the
/// call.
final class SafepointCopy implements Case {
    private static final int GARBAGE_BYTES = 64 * 1024;
    private static final int MEGABYTE = 1 << 20;

    @Override
    public Label label() {
        return Label.of(
                        "safepoint-copy",
                        "safepoint",
                        20,
                        "SafepointCopy",
                        "a snapshot of hundreds of megabytes, copied in one call beside the requests")
                .jvm("-Xms1g", "-Xmx1g", "-Xmn16m");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int longs =
                caseSetup.vary().between("snapshotMegabytes", 250, 350) * (MEGABYTE / Long.BYTES);
        long[] prices = new long[longs];
        long[] snapshot = new long[longs];
        Lasting.daemon(
                "snapshots",
                () -> {
                    while (!Thread.interrupted()) {
                        take(prices, snapshot);
                    }
                });
        return caseSetup.serve(query -> {
            Garbage.allocate(GARBAGE_BYTES, 4096);
            return "done\n";
        });
    }

    private static void take(long[] prices, long[] snapshot) {
        System.arraycopy(prices, 0, snapshot, 0, prices.length);
        Arrays.fill(prices, snapshot[0] + 1);
    }
}
