package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Each request creates a session that is never removed (E7). At full load, the service runs out of
/// memory within minutes.
final class GcLeak implements Case {
    private static final class Session {
        private final byte[] attributes;

        Session(byte[] attributes) {
            this.attributes = attributes;
        }

        int size() {
            return attributes.length;
        }
    }

    @Override
    public Label label() {
        return Label.of(
                        "gc-leak",
                        "gc-leak",
                        10,
                        "Session",
                        "a session for each request that is never removed")
                .also("gc-live-set")
                .jvm("-XX:+UseG1GC", "-Xms1g", "-Xmx1g", "-Xmn64m");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int bytes = caseSetup.vary().between("sessionBytes", 30_000, 50_000);
        Map<Long, Session> sessions = new ConcurrentHashMap<>();
        AtomicLong ids = new AtomicLong();
        return caseSetup.serve(query -> {
            Session session = new Session(Garbage.array(bytes));
            sessions.put(ids.incrementAndGet(), session);
            caseSetup.burn().millis(2);
            return session.size() + " " + sessions.size() + "\n";
        });
    }
}
