package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.util.concurrent.atomic.AtomicInteger;

/// A JVM one question to which fails.
public final class Faults {
    /// What the JVM has done by then, and how it fails.
    public enum Kind {
        /// It did not get the command.
        REFUSED,
        /// It did what it was asked, and we gave up waiting for its answer.
        ANSWERED_TOO_LATE,
        /// Something of ours fails behind its answer.
        BROKEN
    }

    private final Kind kind;
    private final int failing;
    private final AtomicInteger asked = new AtomicInteger();

    /// @param failing the number of the question, from 1 on
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

    /// Whether there were fewer questions than the one that was to fail.
    public boolean nothingFailed() {
        return asked.get() < failing;
    }
}
