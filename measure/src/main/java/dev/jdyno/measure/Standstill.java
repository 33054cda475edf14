package dev.jdyno.measure;

import java.util.Optional;

/// A time in which the target did not run, because it was stopped.
///
/// @param fromS when it was first seen so, in seconds since the run began
/// @param toS when it was seen to run again; empty when it was not
public record Standstill(By by, double fromS, Optional<Double> toS) {
    /// What stopped it.
    public enum By {
        /// SIGSTOP or another signal of job control: process state T.
        SIGNAL("signal", "a stop signal (SIGSTOP, Ctrl-Z)", "continue it with kill -CONT"),
        /// A debugger or a tracer holds it: process state t.
        DEBUGGER("debugger", "a debugger or tracer", "let the debugger go on, or detach it"),
        /// Its control group is frozen, or one above it: no process state shows that.
        CGROUP("cgroup", "its frozen control group", "thaw it (docker unpause, cgroup.freeze)");

        private final String key;
        private final String says;
        private final String fix;

        By(String key, String says, String fix) {
            this.key = key;
            this.says = says;
            this.fix = fix;
        }

        /// As in JSON.
        public String key() {
            return key;
        }

        /// As in a sentence.
        public String says() {
            return says;
        }

        public String fix() {
            return fix;
        }
    }
}
