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

/// Identifies what a tuning measures, so that `--resume` refuses measurements of another plan,
/// program or JDK. It holds digests only: a value may be secret.
///
/// @param plan a digest of each line of the plan, its variables replaced, secrets masked
/// @param secrets so many values of the plan are masked where it is written
/// @param files digests of the programs that the command names, by path: jars, scripts, folders of
///   classes
/// @param java what the JDK that the command names says of itself, by its path
/// @param variables digests of the environment that the command or every JVM reads, by name
record Subject(
        List<String> plan,
        int secrets,
        Map<String, String> files,
        Map<String, String> java,
        Map<String, String> variables) {
    private static final int MOST_NAMED = 3;

    Subject {
        plan = List.copyOf(plan);
        files = Map.copyOf(files);
        java = Map.copyOf(java);
        variables = Map.copyOf(variables);
    }

    /// @param notes what of it cannot be seen to change
    record Seen(Subject subject, List<Note> notes) {}

    /// @param environment that the service is started in
    /// @param result the folder that we write into
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

    /// Of its files, those that the service may have rewritten since it was begun.
    List<String> rewritten(Path result) {
        return new Digests(result).rewritten(files);
    }

    /// @param now what would be measured now
    /// @param folder of the tuning
    /// @param lines of the plan as it would be written now
    /// @param rewritten files that changed while it was measured: the service's own
    /// @throws UserError when it is not this
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
        // a file that is new was no part of what was begun
        differing(files, now.files, files.keySet(), different);
        different.removeAll(rewritten);
        differing(java, now.java, now.java.keySet(), different);
        differing(variables, now.variables, now.variables.keySet(), different);
        if (!different.isEmpty()) {
            int more = different.size() - MOST_NAMED;
            throw UserError.usage(
                    "cannot go on in " + folder,
                    "since it was begun, there is another "
                            + String.join(
                                    ", another ",
                                    different.subList(0, Math.min(MOST_NAMED, different.size())))
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
