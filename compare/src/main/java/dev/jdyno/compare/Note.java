package dev.jdyno.compare;

import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Change;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A note for the reader of a comparison, a tuning, a warm-up study or a guarded day. The module
/// `report` makes its text.
public sealed interface Note {
    /// The measurement ended early.
    ///
    /// @param what name of the failed action
    record Failed(String what, String why) implements Note {
        public Failed(UserError failure) {
            this(failure.what(), failure.why());
        }
    }

    /// jdyno could not search for the source of the difference.
    record NotDiagnosed(String what, String why) implements Note {
        public NotDiagnosed(UserError failure) {
            this(failure.what(), failure.why());
        }
    }

    /// A JVM did not map a class archive that its flags name.
    record ArchiveUnused(Arm arm, Path archive) implements Note {}

    /// A load tool of the user sent the load.
    ///
    /// @param source source of requests and response times, such as `wrk`
    /// @param missing names of the figures that it does not give
    record Driven(String source, List<String> missing) implements Note {
        public Driven {
            missing = List.copyOf(missing);
        }

        public Driven(DriverFacts tool) {
            this(tool.source(), tool.missing());
        }
    }

    /// Blocks lasted longer than asked for, because a run of the load tool takes longer.
    record BlocksLengthened(Duration asked) implements Note {}

    /// A JVM ignores a flag of its command that it does not know.
    ///
    /// @param says the JVM's message about the flag
    record FlagIgnored(Arm arm, String says) implements Note {}

    /// The variant was still getting faster or slower at the end of its warm-up.
    ///
    /// @param how the warm-up's own description
    record NotSteady(Arm arm, String how) implements Note {}

    /// A warning about the observation of a service on another host.
    ///
    /// @param says a text that names the service and the uncertainty
    record Observed(String says) implements Note {}

    /// The variant's old generation grew during the blocks of a start.
    record KeepsMore(Arm arm) implements Note {}

    /// Two stored runs were measured one after the other, not in turns.
    record NotInterleaved(Drift drift) implements Note {}

    /// The minimum number of starts took longer than the budget.
    ///
    /// @param seconds duration of the comparison
    record BudgetExceeded(int starts, Duration budget, double seconds) implements Note {}

    /// The budget allowed fewer starts than wanted.
    record StartsCut(int starts, int wanted, Duration budget) implements Note {}

    /// Requests of one variant failed.
    record RequestsFailed(String variant, long failed, long requests) implements Note {}

    /// Some rounds of a variant have no ratio of lost seconds, because one of the two values is 0.
    record WithoutRatio(String variant, int rounds, int of) implements Note {}

    /// A note of a tuning only.
    sealed interface OfTuning extends Note {}

    /// A note of a guarded day only.
    sealed interface OfDay extends Note {}

    /// The journal of an interrupted tuning ends with an incomplete line.
    record JournalCut(String journal, int line) implements OfTuning {}

    /// The command names no program whose change jdyno could detect.
    record NoProgram() implements OfTuning {}

    /// A folder has too many files for jdyno to detect a change in it.
    ///
    /// @param most number of files that are checked
    record FolderTooLarge(Path folder, int most) implements OfTuning {}

    /// The launch command does not pass flags on to its JVM.
    record FlagsNotTaken() implements OfTuning {}

    record HeapModelNotAsked(String what, String why) implements OfTuning {}

    /// A logging configuration could not be read.
    record LoggingUnread(String file, String why) implements OfTuning {}

    /// The confirmation failed: all changes of a tuning were measured again without success.
    record NotConfirmed(String why) implements OfTuning {}

    /// The budget had no time for a comparison of the service as it was with all changes.
    record ConfirmationLeftOut() implements OfTuning {}

    /// Several promising candidates were compared together, and were not proved better.
    ///
    /// @param changes changes of all these candidates
    /// @param gain gain with all of these changes; empty if the service failed with them
    /// @param ci95 of the gain
    record NotBetterTogether(
            List<Change.Launch> changes, Optional<Double> gain, Optional<Interval> ci95)
            implements OfTuning {
        public NotBetterTogether {
            changes = List.copyOf(changes);
        }
    }

    /// The service as it is failed while several variants of it ran, so only two run at once from
    /// then on.
    record OnlyTwoAtOnce(String why) implements OfTuning {}

    /// All of several candidates together were better, but the service failed without some.
    ///
    /// @param changes changes of all these candidates
    /// @param without the changes without each of which it failed
    record FailedWithout(List<Change.Launch> changes, List<Change.Launch> without)
            implements OfTuning {
        public FailedWithout {
            changes = List.copyOf(changes);
            without = List.copyOf(without);
        }
    }

    /// All of several candidates together were better, but not worse without any one of them.
    ///
    /// @param changes changes of all these candidates
    record NoneNeeded(List<Change.Launch> changes) implements OfTuning {
        public NoneNeeded {
            changes = List.copyOf(changes);
        }
    }

    /// Some starts of a tuning were still getting faster or slower after their warm-up.
    record StartsNotSteady(Duration warmup) implements OfTuning {}

    /// The old generation grew during the blocks of a tuning's start.
    record ServiceKeepsMore() implements OfTuning {}

    /// The good version of a bisection could not be measured.
    record GoodFailed(String what, String why) implements OfDay {
        public GoodFailed(UserError failure) {
            this(failure.what(), failure.why());
        }
    }

    /// The budget of a guarded run had no time for a step.
    ///
    /// @param starts minimum number of starts of each build in a measurement
    /// @param enough a budget that has time for all steps, roughly
    record NotInBudget(Step step, int starts, Duration budget, Duration enough) implements OfDay {
        /// The steps of a guarded run that a budget may have no time for.
        public enum Step {
            /// The minimum number of starts: nothing was judged.
            FIRST,
            /// The second measurement, which confirms a figure that looks worse.
            SECOND,
            /// The diagnosis of the pinned build, which shows what grew.
            DIAGNOSIS_BEFORE
        }
    }

    /// More requests fail than on any day before.
    record MoreFail() implements OfDay {}

    /// The machine or the load generator disturbed some blocks.
    ///
    /// @param enough whether each start still has a valid block
    record BlocksSpoilt(int blocks, boolean enough) implements OfDay {}

    /// Other processes used the machine during some blocks.
    record BlocksWithNeighbour(int blocks) implements OfDay {}
}
