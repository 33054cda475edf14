package dev.jdyno.tune;

import dev.jdyno.compare.Note;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Environment;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Identifies what a tuning measures, so that `--resume` rejects measurements of another plan,
/// program or JDK. It holds digests only, because a value may be secret.
///
/// @param plan a digest of each line of the plan, with variables replaced and secrets masked
/// @param secrets number of values that are masked in the written plan
/// @param files digests of the programs that the command names, by path: jars, scripts, class
///   folders
/// @param java digests of the `release` files of the JDKs that the command names, by path
/// @param variables digests of the environment variables that the command or every JVM reads, by
///   name
record Subject(
        List<String> plan,
        int secrets,
        Map<String, String> files,
        Map<String, String> java,
        Map<String, String> variables) {
    private static final int MAX_NAMED = 3;

    Subject {
        plan = List.copyOf(plan);
        files = Map.copyOf(files);
        java = Map.copyOf(java);
        variables = Map.copyOf(variables);
    }

    /// @param notes notes on changes that cannot be detected
    record Seen(Subject subject, List<Note> notes) {}

    /// @param environment environment variables with which the service is started
    /// @param result the folder that jdyno writes into
    static Seen of(Plan plan, Environment environment, Path result) {
        PlanText.Resolved resolved = PlanText.resolved(plan);
        try {
            Programs programs =
                    plan.target() instanceof Plan.TargetPlan.Launch(String command)
                            ? Programs.of(command, environment, result)
                            : Programs.NONE;
            return new Seen(
                    new Subject(
                            resolved.text().lines().map(Digests::of).toList(),
                            resolved.secrets(),
                            programs.files(),
                            programs.java(),
                            programs.variables()),
                    programs.notes());
        } catch (IOException unreadable) {
            throw UserError.usage(
                            "cannot read what the service is started from",
                            String.valueOf(unreadable.getMessage()),
                            "make it readable: a tuning that goes on must know that it is the"
                                    + " same")
                    .causedBy(unreadable);
        }
    }

    /// Returns the files that the service may have rewritten since the tuning began.
    List<String> rewritten(Path result) {
        return new Digests(result).rewritten(files);
    }

    /// @param now the subject as it is now
    /// @param folder folder of the tuning
    /// @param lines the plan's lines as they would be written now
    /// @param rewritten files that the service itself changed during the measurements
    /// @throws UserError if `now` differs from this subject
    void requireSame(Subject now, Path folder, List<String> lines, Set<String> rewritten) {
        if (now.secrets < secrets) {
            throw UserError.usage(
                    "cannot go on in " + folder,
                    (secrets - now.secrets)
                            + " secrets of its plan.yaml stand there as ***, which would be sent",
                    "write each as ${NAME} into plan.yaml, and set that environment variable");
        }
        List<String> different = new ArrayList<>();
        lines(now, lines, different);
        // a new file was not part of the subject at the beginning
        differing(files, now.files, files.keySet(), different);
        different.removeAll(rewritten);
        differing(java, now.java, now.java.keySet(), different);
        differing(variables, now.variables, now.variables.keySet(), different);
        if (!different.isEmpty()) {
            int more = different.size() - MAX_NAMED;
            throw UserError.usage(
                    "cannot go on in " + folder,
                    "since it was begun, there is another "
                            + String.join(
                                    ", another ",
                                    different.subList(0, Math.min(MAX_NAMED, different.size())))
                            + (more > 0 ? " and " + more + " more" : "")
                            + ": what was measured says nothing of that",
                    "put back what it was begun with, or begin anew without --resume");
        }
    }

    private void lines(Subject now, List<String> lines, List<String> different) {
        if (plan.size() != now.plan.size()) {
            different.add("plan.yaml, with " + now.plan.size() + " lines for " + plan.size());
            return;
        }
        for (int i = 0; i < plan.size(); i++) {
            if (!plan.get(i).equals(now.plan.get(i))) {
                different.add(
                        "line in the plan: "
                                + (i < lines.size() ? lines.get(i).strip() : "the last"));
            }
        }
    }

    private static void differing(
            Map<String, String> begun,
            Map<String, String> now,
            Set<String> also,
            List<String> different) {
        var names = new TreeSet<>(begun.keySet());
        names.addAll(also);
        names.stream()
                .filter(n -> !begun.getOrDefault(n, "").equals(now.getOrDefault(n, "")))
                .forEach(different::add);
    }
}
