package dev.jdyno.measure;

import java.time.Instant;
import java.util.Optional;

/// A file that was recorded elsewhere, as `diagnose --files` read it.
///
/// @param name as the user gave it, or its path below the folder that was given
/// @param from time of its first record; empty if no record has a time
/// @param to time of its last record; empty if no record has a time
/// @param records number of dumps, events, collections, lines or reports in the file
/// @param used whether the diagnosis uses the file
public record SourceFile(
        String name,
        Kind kind,
        Optional<Instant> from,
        Optional<Instant> to,
        long records,
        boolean used) {
    /// Kind of a file, recognised by its content.
    public enum Kind {
        THREAD_DUMPS("thread-dumps", "thread dumps"),
        THREAD_DUMP_JSON("thread-dump-json", "thread dump (JSON)"),
        FLIGHT_RECORDING("flight-recording", "flight recording"),
        GC_LOG("gc-log", "GC log"),
        ACCESS_LOG("access-log", "access log"),
        THREAD_CPU("thread-cpu", "CPU of threads");

        private final String key;
        private final String says;

        Kind(String key, String says) {
            this.key = key;
            this.says = says;
        }

        /// The name of the kind in JSON.
        public String key() {
            return key;
        }

        public String says() {
            return says;
        }
    }

    /// The same file, marked as used by the diagnosis.
    public SourceFile asUsed() {
        return new SourceFile(name, kind, from, to, records, true);
    }
}
