package dev.jdyno.compare;

import dev.jdyno.measure.text.UserError;
import java.nio.file.Path;
import java.time.Duration;

/// What the reader of a comparison, a tuning, a study of starts or a guarded day must know besides
/// its figures. The module `report` words it.
public sealed interface Note {
    /// It ended before its time.
    ///
    /// @param what failed
    record Failed(String what, String why) implements Note {
        public Failed(UserError failure) {
            this(failure.what(), failure.why());
        }
    }

    /// Where the difference comes from could not be looked for.
    record NotLookedInto(String what, String why) implements Note {
        public NotLookedInto(UserError failure) {
            this(failure.what(), failure.why());
        }
    }

    /// A JVM has not mapped an archive of classes that its flags name.
    record ArchiveUnused(Arm arm, Path archive) implements Note {}

    /// It still got faster or slower when its warm-up was over.
    ///
    /// @param how as the warm-up saw it
    record NotSteady(Arm arm, String how) implements Note {}

    /// Its old generation grew through the blocks of a start.
    record KeepsMore(Arm arm) implements Note {}

    /// Two stored runs were measured one after the other.
    record NotInterleaved(Drift drift) implements Note {}

    /// The budget had room for fewer starts.
    record StartsCut(int starts, int wanted, Duration budget) implements Note {}

    /// Requests of one variant failed.
    record RequestsFailed(String variant, long failed, long requests) implements Note {}

    /// Rounds of a way whose ratio of lost seconds has a zero in it.
    record WithoutRatio(String variant, int rounds, int of) implements Note {}

    /// Of a tuning alone.
    sealed interface OfTuning extends Note {}

    /// Of a guarded day alone.
    sealed interface OfDay extends Note {}

    /// The journal of an interrupted tuning ends in half a line.
    record JournalCut(String journal, int line) implements OfTuning {}

    /// The command names no program whose change could be seen.
    record NoProgram() implements OfTuning {}

    /// A folder with so many files that a change of them is not seen.
    ///
    /// @param most files that are looked at
    record FolderTooLarge(Path folder, int most) implements OfTuning {}

    /// The launch command hands no flags on to its JVM.
    record FlagsNotTaken() implements OfTuning {}

    record HeapModelNotAsked(String what, String why) implements OfTuning {}

    /// A logging configuration that cannot be read.
    record LoggingUnread(String file, String why) implements OfTuning {}

    /// The changes of a tuning failed when all of them were measured again.
    record NotConfirmed(String why) implements OfTuning {}

    /// Starts of a tuning still got faster or slower after their warm-up.
    record StartsNotSteady(Duration warmup) implements OfTuning {}

    /// The old generation grew through the blocks of a tuning's start.
    record ServiceKeepsMore() implements OfTuning {}

    /// The version of a bisection that is good could not be measured.
    record GoodFailed(String what, String why) implements OfDay {
        public GoodFailed(UserError failure) {
            this(failure.what(), failure.why());
        }
    }

    /// More requests fail than on any day before.
    record MoreFail() implements OfDay {}

    /// Blocks that the machine or the load generator had spoilt.
    ///
    /// @param enough whether each start has a block that counts
    record BlocksSpoilt(int blocks, boolean enough) implements OfDay {}

    /// Blocks during which other processes used the machine.
    record BlocksCrowded(int blocks) implements OfDay {}
}
