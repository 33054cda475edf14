package dev.jdyno.watch;

import dev.jdyno.inside.RunningJvms;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.target.ProcFs;
import dev.jdyno.trial.watch.LiveDiagnosis.Seen;
import dev.jdyno.trial.watch.MinuteWatch;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The JVMs of a host, as the watch of a service finds and observes them.
interface HostJvms {
    List<RunningJvm> running();

    /// Attaches to a JVM.
    ///
    /// @throws dev.jdyno.measure.text.UserError if there is no such JVM, or if it may not be
    ///   observed
    Observed attach(long pid) throws InterruptedException;

    /// A JVM that is observed.
    interface Observed extends AutoCloseable {
        /// True if the JVM still runs.
        boolean isAlive();

        /// Observes the JVM for a minute. It ends early if the JVM ends.
        ///
        /// @param dumps number of thread dumps, spread over the minute
        Seen minute(double seconds, int dumps) throws InterruptedException;

        @Override
        void close();
    }

    /// The JVMs of this host.
    ///
    /// @param metrics place of the service's own metrics
    /// @param stop true ends a minute early
    static HostJvms system(MetricsPlan metrics, NanoClock clock, BooleanSupplier stop) {
        var jvms = new RunningJvms(ProcFs.SYSTEM);
        return new HostJvms() {
            @Override
            public List<RunningJvm> running() {
                return jvms.all();
            }

            @Override
            public Observed attach(long pid) throws InterruptedException {
                return new OfMinutes(
                        MinuteWatch.attach(new MinuteWatch.Settings(pid, metrics), clock, stop));
            }
        };
    }

    /// A JVM of this host.
    record OfMinutes(MinuteWatch watch) implements Observed {
        @Override
        public boolean isAlive() {
            return watch.isAlive();
        }

        @Override
        public Seen minute(double seconds, int dumps) throws InterruptedException {
            return watch.observe(seconds, dumps);
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
