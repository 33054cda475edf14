package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.concurrent.locks.ReentrantLock;

/// All requests need one [ReentrantLock], which is held while CPU time is used.
final class LockReentrant implements Case {
    @Override
    public Label label() {
        return Label.of(
                "lock-reentrant",
                "lock",
                20,
                "ReentrantLock",
                "one ReentrantLock, held while CPU time is burnt");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int tenths = caseSetup.vary().between("heldTenthsOfMs", 10, 40);
        ReentrantLock turn = new ReentrantLock();
        return caseSetup.serve(query -> {
            turn.lock();
            try {
                caseSetup.burn().millis(tenths / 10.0);
            } finally {
                turn.unlock();
            }
            return "ok\n";
        });
    }
}
