package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// A limiter that schedules each request and lets it sleep until then.
final class RateLimitSleep implements Case {
    @Override
    public Label label() {
        return Label.of(
                "rate-limit-sleep",
                "rate-limit",
                20,
                "",
                "a limiter that gives turns at a fixed rate; requests sleep until theirs");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int perSecond = caseSetup.vary().between("perSecond", 150, 500);
        long gapNanos = 1_000_000_000L / perSecond;
        AtomicLong lastTurn = new AtomicLong(System.nanoTime());
        return caseSetup.serve(query -> {
            long now = System.nanoTime();
            long turn = lastTurn.updateAndGet(last -> Math.max(last - now, 0) + now + gapNanos);
            TimeUnit.NANOSECONDS.sleep(turn - System.nanoTime());
            return "ok\n";
        });
    }
}
