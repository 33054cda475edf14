package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.Burn;

/// All requests call one `synchronized` method that uses CPU time.
final class LockSynchronized implements Case {
    private static final class Ledger {
        private long entries;

        synchronized long post(Burn burn, double millis) {
            burn.millis(millis);
            return ++entries;
        }
    }

    @Override
    public Label label() {
        return Label.of(
                "lock-synchronized",
                "lock",
                20,
                "Ledger",
                "one synchronized method, held while it burns CPU time");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int tenths = caseSetup.vary().between("heldTenthsOfMs", 10, 40);
        Ledger ledger = new Ledger();
        return caseSetup.serve(query -> ledger.post(caseSetup.burn(), tenths / 10.0) + "\n");
    }
}
