package dev.jdyno.measure;

import java.util.Optional;

/// A time in which the target was stopped.
///
/// @param by the cause of the stop
/// @param fromS time at which the target was first found stopped, in seconds since the run began
/// @param toS time at which the target was found running again; empty if it never was
public record Standstill(By by, double fromS, Optional<Double> toS) {
    /// The cause that stopped the target.
    public enum By {
        /// SIGSTOP or another signal of job control: process state T.
        SIGNAL("signal", "a stop signal (SIGSTOP, Ctrl-Z)", "continue it with kill -CONT"),
        /// A debugger or a tracer stopped the target: process state t.
        DEBUGGER("debugger", "a debugger or tracer", "let the debugger go on, or detach it"),
        /// The control group of the target, or a parent group, is frozen. No process state shows
        /// that.
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
