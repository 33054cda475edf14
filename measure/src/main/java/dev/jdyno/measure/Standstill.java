package dev.jdyno.measure;

import java.util.Optional;

/// A time in which the target was stopped.
///
/// @param by what stopped it
/// @param fromS first time it was found stopped, in seconds since the run began
/// @param toS time at which it was found running again; empty when it was not
public record Standstill(By by, double fromS, Optional<Double> toS) {
    /// What stopped the target.
    public enum By {
        /// SIGSTOP or another signal of job control: process state T.
        SIGNAL("signal", "a stop signal (SIGSTOP, Ctrl-Z)", "continue it with kill -CONT"),
        /// A debugger or a tracer holds it: process state t.
        DEBUGGER("debugger", "a debugger or tracer", "let the debugger go on, or detach it"),
        /// Its control group, or one above it, is frozen. No process state shows that.
        CGROUP("cgroup", "its frozen control group", "thaw it (docker unpause, cgroup.freeze)");

        private final String key;
        private final String says;
        private final String fix;

        By(String key, String says, String fix) {
            this.key = key;
            this.says = says;
            this.fix = fix;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }

        /// The words for a sentence.
        public String says() {
            return says;
        }

        public String fix() {
            return fix;
        }
    }
}
