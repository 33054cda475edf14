package dev.jdyno.report.words;

import dev.jdyno.compare.Drift;
import dev.jdyno.compare.Note;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Texts;
import java.util.List;
import java.util.stream.Collectors;

/// The text of a note.
public final class NoteText {
    private static final String LEAK =
            "old generation grew through the blocks of a start. Where that is a leak, later blocks"
                    + " are slower whatever else differs: find it with jdyno run";

    private static final String ONE_BY_ONE = "; then they were compared one by one";

    private NoteText() {}

    public static List<String> of(List<Note> notes) {
        return notes.stream().map(NoteText::of).toList();
    }

    private static String of(Note note) {
        return switch (note) {
            case Note.Failed n -> n.what() + ": " + n.why();
            case Note.NotDiagnosed n ->
                    "where the difference comes from is not known: " + n.what() + ": " + n.why();
            case Note.FlagIgnored n ->
                    "the JVM of "
                            + n.arm()
                            + " ignores a flag that it does not know: "
                            + n.says()
                            + " (its command has -XX:+IgnoreUnrecognizedVMOptions)";
            case Note.ArchiveUnused n ->
                    n.arm()
                            + " does not use the archive "
                            + n.archive()
                            + ", which its flags name: the JVM has not mapped it. Make it anew"
                            + " with the same JDK, class path and collector; the service's"
                            + " output has the reason";
            case Note.Driven n ->
                    "your load tool ("
                            + n.source()
                            + ") takes a number of users and no rate: p50 and p99 at a fixed rate"
                            + " are missing"
                            + n.missing().stream().map(m -> "; " + m).collect(Collectors.joining());
            case Note.BlocksLengthened n ->
                    "blocks lasted longer than "
                            + Durations.format(n.asked())
                            + ": a run of the load tool lasts four times as long as its start";
            case Note.NotSteady n -> n.arm() + " was not steady after its warm-up: " + n.how();
            case Note.Observed n -> n.says();
            case Note.KeepsMore n -> n.arm() + " keeps more and more: its " + LEAK;
            case Note.NotInterleaved n ->
                    notInterleaved(n.drift())
                            + ". Compare the services themselves for a narrower answer: jdyno"
                            + " compare A.yaml B.yaml";
            case Note.BudgetExceeded n ->
                    Texts.say(
                            "%d starts took %s, longer than the budget of %s: a verdict needs at"
                                    + " least three",
                            n.starts(),
                            CompareText.time(n.seconds()),
                            Durations.format(n.budget()));
            case Note.StartsCut n ->
                    Texts.say(
                            "%d of %d starts fitted into the budget of %s",
                            n.starts(), n.wanted(), Durations.format(n.budget()));
            case Note.RequestsFailed n ->
                    Texts.say(
                            "%s: %,d of %,d requests failed",
                            n.variant(), n.failed(), n.requests());
            case Note.WithoutRatio n ->
                    Texts.say(
                            "%s: %d of %d rounds have no ratio of lost seconds, because one of"
                                    + " their starts lost none: it served at least as many"
                                    + " requests as at full speed",
                            n.variant(), n.rounds(), n.of());
            case Note.OfTuning n -> ofATuning(n);
            case Note.OfDay n -> ofADay(n);
        };
    }

    private static String ofATuning(Note.OfTuning note) {
        return switch (note) {
            case Note.JournalCut n ->
                    "line "
                            + n.line()
                            + " of "
                            + n.journal()
                            + " was unfinished: that measurement is repeated";
            case Note.NoProgram _ ->
                    "the command names no program that can be read here: `--resume` does not"
                            + " see whether the service has changed";
            case Note.FolderTooLarge n ->
                    n.folder()
                            + " has more than "
                            + n.most()
                            + " files: `--resume` does not see whether they have changed";
            case Note.FlagsNotTaken _ ->
                    "the launch command hands no flags on to its JVM, so none was tried: let it"
                            + " pass $JDK_JAVA_OPTIONS on, or give the java command itself";
            case Note.HeapModelNotAsked n ->
                    "the heap model was not asked: " + n.what() + ": " + n.why();
            case Note.LoggingUnread n -> "logging is left alone: " + n.file() + ": " + n.why();
            case Note.NotConfirmed n ->
                    "no change is kept, for the confirmation failed: " + n.why();
            case Note.ConfirmationLeftOut _ ->
                    "the budget had no time for the confirmation of the result";
            case Note.NotBetterTogether n ->
                    "compared together, "
                            + TuneText.changes(n.changes())
                            + n.gain()
                                    .map(g ->
                                            " gave × "
                                                    + TuneText.ratio(g)
                                                    + n.ci95()
                                                            .map(i ->
                                                                    " ("
                                                                            + TuneText.interval(i)
                                                                            + ")")
                                                            .orElse(""))
                                    .orElse(" made the service fail")
                            + ", which proves nothing"
                            + ONE_BY_ONE;
            case Note.OnlyTwoAtOnce n ->
                    "the service failed beside other instances of it, so from then on only two ran"
                            + " at once: "
                            + n.why();
            case Note.FailedWithout n ->
                    "compared together, "
                            + TuneText.changes(n.changes())
                            + " are better, but the service failed without "
                            + TuneText.changes(n.without())
                            + ONE_BY_ONE;
            case Note.NoneNeeded n ->
                    "compared together, "
                            + TuneText.changes(n.changes())
                            + " are better, but without each one the service was not shown to be"
                            + " worse"
                            + ONE_BY_ONE;
            case Note.StartsNotSteady n ->
                    "starts were not steady after a warm-up of "
                            + Durations.format(n.warmup())
                            + ": they still got faster or slower, which makes intervals wide; begin"
                            + " anew with a longer --warmup";
            case Note.ServiceKeepsMore _ -> "the service keeps more and more: its " + LEAK;
        };
    }

    private static String ofADay(Note.OfDay note) {
        return switch (note) {
            case Note.GoodFailed n -> "the good version failed: " + n.what() + ": " + n.why();
            case Note.NotInBudget n ->
                    "the budget of "
                            + Durations.format(n.budget())
                            + switch (n.step()) {
                                case FIRST ->
                                        " is too short for "
                                                + n.starts()
                                                + " starts of each build and a diagnosis";
                                case SECOND -> " had no time to measure a second time";
                                case DIAGNOSIS_BEFORE ->
                                        " had no time to diagnose the pinned build, which shows"
                                                + " what grew";
                            }
                            + ": --budget "
                            + n.enough().toMinutes()
                            + "m has time for all steps, roughly";
            case Note.MoreFail _ -> "more requests fail than on any day before";
            case Note.BlocksSpoilt n ->
                    n.blocks()
                            + " blocks were measured again, for the machine or the load generator"
                            + " had spoilt them"
                            + (n.enough() ? "" : "; a start has no block that counts");
            case Note.BlocksWithNeighbour n ->
                    "other processes used more than 5 % of the machine during "
                            + n.blocks()
                            + " blocks: throughput and response times of those do not count";
        };
    }

    private static String notInterleaved(Drift drift) {
        return drift.runs() == 0
                ? Texts.say(
                        "the two runs were not interleaved: the same code measured minutes apart"
                                + " differs by up to %.2g %% on a shared machine (published, for"
                                + " the history has too few runs of this plan on this machine),"
                                + " and the intervals contain that",
                        drift.share() * 100)
                : Texts.say(
                        "the two runs were not interleaved: consecutive runs of this plan on this"
                                + " machine differ by up to %.2g %% (95 %%, by %d stored runs), and"
                                + " the intervals contain that",
                        drift.share() * 100, drift.runs());
    }
}
