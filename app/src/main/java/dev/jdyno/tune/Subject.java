package dev.jdyno.tune;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Environment;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Identifies what a tuning measures, so that `--resume` refuses measurements of another plan,
/// program or JDK. It holds digests only: a value may be secret.
///
/// @param plan a digest of each line of the plan, its variables replaced, secrets masked
/// @param secrets so many values of the plan are masked where it is written
/// @param files digests of the programs that the command names, by path: jars, scripts, folders of
///   classes
/// @param java what the JDK that the command names says of itself, by its path
record Subject(
        List<String> plan, int secrets, Map<String, String> files, Map<String, String> java) {
    private static final int MOST_NAMED = 3;

    Subject {
        plan = List.copyOf(plan);
        files = Map.copyOf(files);
        java = Map.copyOf(java);
    }

    /// @param environment that the service is started in
    static Subject of(Plan plan, Environment environment) {
        PlanText.Resolved resolved = PlanText.resolved(plan);
        try {
            Programs programs =
                    plan.target() instanceof Plan.TargetPlan.Launch(String command)
                            ? Programs.of(command, environment)
                            : Programs.NONE;
            return new Subject(
                    resolved.text().lines().map(Subject::digest).toList(),
                    resolved.secrets(),
                    programs.files(),
                    programs.java());
        } catch (IOException unreadable) {
            throw UserError.usage(
                            "cannot read what the service is started from",
                            String.valueOf(unreadable.getMessage()),
                            "make it readable: a tuning that goes on must know that it is the"
                                    + " same")
                    .causedBy(unreadable);
        }
    }

    private static String digest(String line) {
        return Programs.digest(line.getBytes(StandardCharsets.UTF_8));
    }

    /// @param now what would be measured now
    /// @param folder of the tuning
    /// @param lines of the plan as it would be written now
    /// @throws UserError when it is not this
    void requireSame(Subject now, Path folder, List<String> lines) {
        if (now.secrets < secrets) {
            throw UserError.usage(
                    "cannot go on in " + folder,
                    (secrets - now.secrets)
                            + " secrets of its plan.yaml stand there as ***, which would be sent",
                    "write each as ${NAME} into plan.yaml, and set that environment variable");
        }
        List<String> different = new ArrayList<>();
        lines(now, lines, different);
        differing(files, now.files, different);
        differing(java, now.java, different);
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
            Map<String, String> begun, Map<String, String> now, List<String> different) {
        var names = new TreeSet<>(begun.keySet());
        names.addAll(now.keySet());
        names.stream()
                .filter(n -> !begun.getOrDefault(n, "").equals(now.getOrDefault(n, "")))
                .forEach(different::add);
    }
}
