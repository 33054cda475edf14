package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.concurrent.locks.ReentrantLock;

/// Virtual threads wait for one lock, which is held while CPU time is used.
final class LockVirtual implements Case {
    private record Ledger(ReentrantLock lock) {
        void book(Runnable entry) {
            lock.lock();
            try {
                entry.run();
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public Label label() {
        return Label.of(
                        "lock-virtual",
                        "lock",
                        20,
                        "Ledger",
                        "Tomcat on virtual threads that wait for one ReentrantLock")
                .jdkFrom(21);
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int tenths = caseSetup.vary().between("tenthsOfMs", 15, 50);
        Ledger ledger = new Ledger(new ReentrantLock());
        return caseSetup.serve(
                caseSetup.tomcat().onVirtualThreads(),
                query -> {
                    ledger.book(() -> caseSetup.burn().millis(tenths / 10.0));
                    return "ok\n";
                });
    }
}
