package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.concurrent.ThreadLocalRandom;

/// A cache that nearly fills the old generation and is renewed piece by piece.
final class GcLiveSet implements Case {
    private static final int PIECE = 4096;

    @Override
    public Label label() {
        return Label.of(
                        "gc-live-set",
                        "gc-live-set",
                        20,
                        "",
                        "a cache nearly as large as the heap, renewed piece by piece")
                .jvm("-XX:+UseParallelGC", "-Xms128m", "-Xmx128m", "-Xmn32m");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int megabytes = caseSetup.vary().between("megabytes", 82, 87);
        int renewed = caseSetup.vary().between("renewedPieces", 30, 60);
        byte[][] cache = new byte[megabytes * (1024 * 1024 / PIECE)][];
        for (int i = 0; i < cache.length; i++) {
            cache[i] = Garbage.array(PIECE);
        }
        return caseSetup.serve(query -> {
            for (int i = 0; i < renewed; i++) {
                cache[ThreadLocalRandom.current().nextInt(cache.length)] = Garbage.array(PIECE);
            }
            return "ok\n";
        });
    }
}
