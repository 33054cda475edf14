package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.Burn;
import java.util.concurrent.atomic.AtomicBoolean;

/// A home-made lock that spins instead of blocking: the more concurrent requests, the busier the
/// cores.
final class CpuSpin implements Case {
    @Override
    public Label label() {
        return Label.of(
                        "cpu-spin",
                        "cpu",
                        20,
                        "CpuSpin",
                        "requests spin on a flag until it is their turn")
                .also("lock");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int tenths = caseSetup.vary().between("heldTenthsOfMs", 10, 30);
        AtomicBoolean taken = new AtomicBoolean();
        return caseSetup.serve(query -> {
            takeTurn(taken, caseSetup.burn(), tenths / 10.0);
            return "ok\n";
        });
    }

    private static void takeTurn(AtomicBoolean taken, Burn burn, double millis) {
        while (!taken.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        try {
            burn.millis(millis);
        } finally {
            taken.set(false);
        }
    }
}
