package dev.jdyno.target;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/// Diagnostic commands of one JVM (`Thread.print`, `VM.flags`, …), as `jcmd` gives them. They need
/// no JDK on the target's side, and do not stop the target while jdyno reads.
public final class Jcmd {
    /// Maximum time for an answer: long enough for a JVM that swaps or collects. A healthy one
    /// answers in a millisecond; the first time, which starts its attach listener, takes 0.2 s.
    public static final Duration LIMIT = Duration.ofSeconds(10);

    /// Maximum time for an answer after the JVM did not answer a command in time, until it answers
    /// again. So a caller with many commands does not wait long for each. A limit that the caller
    /// sets is not shortened: ending a recording, for example, must have enough time.
    static final Duration AFTER_SILENCE = Duration.ofSeconds(2);

    /// Minimum share of a limit for it to count as reached: waits have whole milliseconds.
    private static final double NEARLY_THE_LIMIT = 0.9;

    private final Door door;
    private final NanoClock clock;
    private volatile boolean silent;

    /// Sends a command to the JVM and returns its answer.
    interface Door {
        AttachSocket.Answer execute(String command, List<String> arguments, Duration limit)
                throws InterruptedException;
    }

    public Jcmd(long pid) {
        this(ProcFs.SYSTEM, NanoClock.SYSTEM, pid);
    }

    Jcmd(ProcFs proc, NanoClock clock, long pid) {
        this(new AttachSocket(proc, clock, pid), clock);
    }

    Jcmd(Door door, NanoClock clock) {
        this.door = door;
        this.clock = clock;
    }

    /// The command's answer.
    ///
    /// @throws UserError when the JVM cannot be attached, does not answer in time or refuses
    public String run(String command) throws InterruptedException {
        return run(command, patience());
    }

    public String run(String command, Duration limit) throws InterruptedException {
        AttachSocket.Answer answer = ask("jcmd", List.of(command), limit);
        if (answer.code() != 0) {
            throw UserError.target(
                    "the JVM refused '" + command + "'",
                    answer.text().strip().lines().findFirst().orElse("code " + answer.code()),
                    "its version may not know the command; 'jcmd PID help' lists what it knows");
        }
        return answer.text();
    }

    private Duration patience() {
        return silent ? AFTER_SILENCE : LIMIT;
    }

    private AttachSocket.Answer ask(String operation, List<String> arguments, Duration limit)
            throws InterruptedException {
        long start = clock.nanos();
        try {
            AttachSocket.Answer answer = door.execute(operation, arguments, limit);
            silent = false;
            return answer;
        } catch (UserError none) {
            silent = clock.secondsSince(start) >= NEARLY_THE_LIMIT * Durations.seconds(limit);
            throw none;
        }
    }

    /// Properties that agents in the JVM publish, such as the address of its local JMX connector.
    Map<String, String> agentProperties() throws InterruptedException {
        return properties("agentProperties", "see 'jcmd PID ManagementAgent.status'");
    }

    /// The present system properties of the JVM. A service may have set some since its start.
    public Map<String, String> systemProperties() throws InterruptedException {
        return properties("properties", "see 'jcmd PID VM.system_properties'");
    }

    private Map<String, String> properties(String operation, String fix)
            throws InterruptedException {
        AttachSocket.Answer answer = ask(operation, List.of(), patience());
        var properties = new Properties();
        try {
            properties.load(new StringReader(answer.text()));
        } catch (IOException | IllegalArgumentException garbled) {
            throw UserError.target(
                            "the JVM's " + operation + " cannot be read",
                            String.valueOf(garbled.getMessage()),
                            fix)
                    .causedBy(garbled);
        }
        Map<String, String> found = new HashMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> found.put(name, properties.getProperty(name)));
        return found;
    }

    /// Loads a native agent into the JVM.
    ///
    /// @param library absolute path as the target sees it
    public String load(String library, String options, Duration limit) throws InterruptedException {
        AttachSocket.Answer answer = ask("load", List.of(library, "true", options), limit);
        // "return code: 0" since JDK 9, "0" before
        String text = answer.text().strip();
        if (answer.code() != 0 || !(text.endsWith("return code: 0") || text.equals("0"))) {
            throw UserError.target(
                    "the JVM did not load " + library, text, "see the target's own log");
        }
        return text;
    }
}
