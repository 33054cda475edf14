package dev.jdyno.tune;

import dev.jdyno.measure.verdict.Change;
import dev.jdyno.trial.Session;
import dev.jdyno.tune.Race.Doubt;
import dev.jdyno.tune.Race.Kind;
import dev.jdyno.tune.Race.Raced;
import dev.jdyno.tune.RaceAtOnce.Joint;
import dev.jdyno.tune.RaceAtOnce.TakenOut;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The comparisons of a tuning: each is measured, or taken from the journal of an earlier run.
final class Races {
    private static final String TOGETHER = "TOGETHER";
    private static final String GIVES = "GIVES";
    private static final String OTHERS = "OTHERS";
    private static final String FAILED_BESIDE = "FAILED BESIDE ";

    private final Race race;
    private final RaceAtOnce atOnce;
    private final Journal journal;
    private final Session session;
    private final Watch watch;
    private final Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    private int proofs;

    Races(Race race, RaceAtOnce atOnce, Journal journal, Session session, Watch watch) {
        this.race = race;
        this.atOnce = atOnce;
        this.journal = journal;
        this.session = session;
        this.watch = watch;
    }

    /// Returns the reasons why the figures may be wrong.
    Set<Doubt> doubts() {
        return doubts;
    }

    /// Number of comparisons so far; looks do not count. The first comparison's result is not the
    /// best of several, so a clear one needs no confirmation.
    int proofs() {
        return proofs;
    }

    /// Compares two sets of changes.
    ///
    /// @param most time limit, which applies after the minimum number of starts
    /// @return empty if it was stopped
    Optional<Raced> race(
            List<Change.Launch> a,
            List<Change.Launch> b,
            Kind kind,
            int concurrency,
            Duration most,
            Step about)
            throws InterruptedException {
        proofs += kind == Kind.LOOK ? 0 : 1;
        String step = step(kind.name(), concurrency, a, b);
        Optional<Raced> known = known(step);
        if (known.isPresent()) {
            return known;
        }
        long start = session.clock().nanos();
        Optional<Raced> raced = race.run(a, b, kind, concurrency, most, about, watch);
        if (raced.isPresent()) {
            write(step, about, session.clock().secondsSince(start), raced.get());
        }
        return raced;
    }

    /// True if the service can run with all these sets of changes at once.
    boolean fits(List<List<Change.Launch>> sets) {
        return atOnce.fits(sets);
    }

    /// Gives several candidates at once a look: one start of each.
    ///
    /// @param incumbent the accepted changes
    /// @return one result for each candidate, in their order. A candidate that failed while the
    ///   others ran is started again alone. Fewer results if it was stopped
    List<Raced> looks(List<Change.Launch> incumbent, List<Candidate> candidates, int concurrency)
            throws InterruptedException {
        List<Candidate> open = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (known(look(incumbent, candidate, concurrency)).isEmpty()) {
                open.add(candidate);
            }
        }
        boolean failedBeside = failedBeside(looksStep(incumbent, candidates, concurrency));
        if (open.size() > 1 && !failedBeside) {
            lookAtOnce(incumbent, candidates, open, concurrency);
        }
        List<Raced> all = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (session.isStopped()) {
                break;
            }
            Optional<Raced> one =
                    race(
                            incumbent,
                            Changes.with(incumbent, candidate.changes()),
                            Kind.LOOK,
                            concurrency,
                            Duration.ZERO,
                            new Step.Look(candidate));
            if (one.isEmpty()) {
                break;
            }
            all.add(one.get());
        }
        return all;
    }

    /// True if the service as it is failed in this step, in an earlier run of the tuning. Then the
    /// step is not measured again, and what is decided from it is the same.
    private boolean failedBeside(String step) {
        Optional<Raced> failed = journal.of(FAILED_BESIDE + step).flatMap(Journal.Entry::raced);
        failed.ifPresent(atOnce::limitToTwo);
        return failed.isPresent();
    }

    /// Writes that the service as it is failed in this step, if it did.
    private void writeFailedBeside(String step, Step about, double seconds) {
        atOnce.failedBeside()
                .ifPresent(f -> journal.raced(FAILED_BESIDE + step, about.about(), seconds, f));
    }

    /// @param candidates all candidates of the step
    /// @param open those that have had no look in an earlier run of the tuning
    private void lookAtOnce(
            List<Change.Launch> incumbent,
            List<Candidate> candidates,
            List<Candidate> open,
            int concurrency)
            throws InterruptedException {
        var about = new Step.LookAtOnce(open);
        watch.begins(about);
        long start = session.clock().nanos();
        Optional<List<Optional<Raced>>> looks =
                atOnce.looks(
                        incumbent,
                        open.stream().map(c -> Changes.with(incumbent, c.changes())).toList(),
                        concurrency);
        writeFailedBeside(
                looksStep(incumbent, candidates, concurrency),
                about,
                session.clock().secondsSince(start));
        double each = session.clock().secondsSince(start) / open.size();
        for (int i = 0; i < looks.map(List::size).orElse(0); i++) {
            Candidate candidate = open.get(i);
            Optional<Raced> look = looks.get().get(i);
            if (look.isPresent()) {
                write(
                        look(incumbent, candidate, concurrency),
                        new Step.Look(candidate),
                        each,
                        look.get());
            }
        }
    }

    /// Compares all candidates together with the control, and with all but each of them.
    ///
    /// @param pairs number of blocks of each variant in a start
    /// @return empty if it was stopped
    Optional<Joint> prove(
            List<Change.Launch> incumbent,
            List<Candidate> candidates,
            int concurrency,
            int pairs,
            Duration most)
            throws InterruptedException {
        proofs++;
        List<List<Change.Launch>> sets = candidates.stream().map(Candidate::changes).toList();
        List<Change.Launch> all = incumbent;
        for (List<Change.Launch> set : sets) {
            all = Changes.with(all, set);
        }
        var about = new Step.ProveTogether(candidates);
        String together = step(TOGETHER, concurrency, incumbent, all);
        Optional<Raced> known = known(together);
        if (known.isPresent()) {
            List<Optional<TakenOut>> each = new ArrayList<>();
            for (List<Change.Launch> set : sets) {
                Optional<Raced> gives = known(beside(GIVES, concurrency, incumbent, set, all));
                Optional<Raced> others = known(beside(OTHERS, concurrency, incumbent, set, all));
                each.add(gives.flatMap(g -> others.map(o -> new TakenOut(g, o))));
            }
            return Optional.of(new Joint(known.get(), each));
        }
        if (failedBeside(together)) {
            return Optional.empty();
        }
        long start = session.clock().nanos();
        Optional<Joint> joint = atOnce.prove(incumbent, sets, concurrency, pairs, most, about);
        writeFailedBeside(together, about, session.clock().secondsSince(start));
        if (joint.isPresent()) {
            double seconds = session.clock().secondsSince(start);
            for (int i = 0; i < joint.get().each().size(); i++) {
                Optional<TakenOut> one = joint.get().each().get(i);
                if (one.isPresent()) {
                    List<Change.Launch> set = sets.get(i);
                    var proved = new Step.Prove(candidates.get(i));
                    write(
                            beside(GIVES, concurrency, incumbent, set, all),
                            proved,
                            0,
                            one.get().gives());
                    write(
                            beside(OTHERS, concurrency, incumbent, set, all),
                            proved,
                            0,
                            one.get().others());
                }
            }
            // this line is written last: if an interruption comes before it, the other lines are
            // not used
            write(together, about, seconds, joint.get().all());
        }
        return joint;
    }

    private Optional<Raced> known(String step) {
        Optional<Raced> raced = journal.of(step).flatMap(Journal.Entry::raced);
        raced.ifPresent(this::learn);
        return raced;
    }

    private void write(String step, Step about, double seconds, Raced raced) {
        learn(raced);
        journal.raced(step, about.about(), seconds, raced);
    }

    private void learn(Raced raced) {
        doubts.addAll(raced.doubts());
        race.learn(raced);
    }

    /// The key of a question about one set of a joint comparison. It has the control, because the
    /// same sets may be compared again with another one.
    private static String beside(
            String kind,
            int concurrency,
            List<Change.Launch> control,
            List<Change.Launch> set,
            List<Change.Launch> all) {
        return step(kind, concurrency, set, all) + "\nto\n" + Changes.ids(control);
    }

    /// The key of looks at several candidates at once.
    private static String looksStep(
            List<Change.Launch> incumbent, List<Candidate> candidates, int concurrency) {
        return candidates.stream()
                .map(c -> look(incumbent, c, concurrency))
                .collect(Collectors.joining("\nand\n"));
    }

    private static String look(
            List<Change.Launch> incumbent, Candidate candidate, int concurrency) {
        return step(
                Kind.LOOK.name(),
                concurrency,
                incumbent,
                Changes.with(incumbent, candidate.changes()));
    }

    private static String step(
            String kind, int concurrency, List<Change.Launch> a, List<Change.Launch> b) {
        return kind + " " + concurrency + "\n" + Changes.ids(a) + "\nor\n" + Changes.ids(b);
    }
}
