package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;

/// Virtual threads that wait inside `synchronized`, each with its own monitor. Before JDK 24, this
/// pins their carriers.
final class VirtualThreadPinningMonitor implements Case {
    private static final class Session {
        private int refreshed;

        synchronized int refresh(int millis) throws InterruptedException {
            Thread.sleep(millis);
            return ++refreshed;
        }
    }

    @Override
    public Label label() {
        return Label.of(
                        "virtual-thread-pinning-monitor",
                        "virtual-thread-pinning",
                        60,
                        "Session",
                        "Tomcat on virtual threads that wait inside synchronized")
                .jdk(21, 23);
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int millis = caseSetup.vary().between("waitMs", 10, 30);
        return caseSetup.serve(
                caseSetup.tomcat().onVirtualThreads(),
                query -> new Session().refresh(millis) + "\n");
    }
}
