package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;

/// A background thread in a long counted loop that was compiled without a safepoint poll. Every
/// collection, and with it every request, waits until the loop ends.
final class SafepointLoop implements Case {
    /// Garbage per request, which causes frequent collections: at 3000 requests/s, a young
    /// generation of 16 MB is collected 12 times a second.
    private static final int GARBAGE_BYTES = 64 * 1024;

    private static final int TABLE = 1 << 12;

    private long total;

    @Override
    public Label label() {
        return Label.of(
                        "safepoint-loop",
                        "safepoint",
                        20,
                        "SafepointLoop",
                        "a counted loop without safepoint polls, half a second long, beside the"
                                + " requests")
                .jvm("-XX:-UseCountedLoopSafepoints", "-Xmx256m", "-Xmn16m");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int rounds = caseSetup.vary().between("millionSteps", 200, 400) * 1_000_000;
        int[] table = new int[TABLE];
        for (int i = 0; i < TABLE; i++) {
            table[i] = i * 31;
        }
        Lasting.daemon(
                "reckoner",
                () -> {
                    while (!Thread.interrupted()) {
                        total += reckon(table, rounds);
                    }
                });
        return caseSetup.serve(query -> {
            Garbage.allocate(GARBAGE_BYTES, 4096);
            return "done\n";
        });
    }

    private static int reckon(int[] table, int rounds) {
        int sum = 1;
        for (int i = 0; i < rounds; i++) {
            sum = sum * 31 + table[(sum ^ i) & (TABLE - 1)];
        }
        return sum;
    }
}
