package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;

/// A background thread in a long counted loop that the compiler left without a safepoint poll:
/// every collection, and so every request, waits until the loop has ended.
final class SafepointLoop implements Case {
    /// What a collection needs often: 12 of a young generation of 16 MB a second at 3000 requests.
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
    public Running start(CaseSetup ground) {
        int rounds = ground.vary().between("millionSteps", 200, 400) * 1_000_000;
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
        return ground.serve(query -> {
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
