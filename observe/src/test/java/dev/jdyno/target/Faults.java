package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.util.concurrent.atomic.AtomicInteger;

/// A JVM of which one request fails.
public final class Faults {
    /// How the request fails, and what the JVM has done before.
    public enum Kind {
        /// The JVM did not receive the command.
        REFUSED,
        /// The JVM executed the command, but its answer came after the time limit.
        ANSWERED_TOO_LATE,
        /// jdyno's own processing fails after the JVM's answer.
        BROKEN
    }

    private final Kind kind;
    private final int failing;
    private final AtomicInteger asked = new AtomicInteger();

    /// @param failing number of the failing request, from 1
    public Faults(Kind kind, int failing) {
        this.kind = kind;
        this.failing = failing;
    }

    public static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    public Target target(long pid) {
        Jcmd.Door real = new AttachSocket(ProcFs.SYSTEM, NanoClock.SYSTEM, pid);
        Jcmd.Door faulty =
                (command, arguments, limit) -> {
                    boolean fails = asked.incrementAndGet() == failing;
                    if (fails && kind == Kind.REFUSED) {
                        throw UserError.target("planted", "refused", "none");
                    }
                    AttachSocket.Answer answer = real.execute(command, arguments, limit);
                    if (fails && kind == Kind.ANSWERED_TOO_LATE) {
                        throw UserError.target("planted", "no answer in time", "none");
                    }
                    if (fails) {
                        throw new Broken();
                    }
                    return answer;
                };
        return Target.attach(pid, new Jcmd(faulty, NanoClock.SYSTEM));
    }

    /// True if there were fewer requests than the number of the failing one.
    public boolean nothingFailed() {
        return asked.get() < failing;
    }
}
