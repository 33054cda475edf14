package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Flags that this JDK ignores or that a later JDK will refuse.
///
/// The releases are those of HotSpot's own table (`special_jvm_flags` in arguments.cpp). Warnings
/// that a JVM writes itself are used as they are.
final class ObsoleteFlags implements GcRule {

    /// @param deprecated release that warns about the flag
    /// @param obsolete release that ignores the flag; the next release does not start with the flag
    private record Fate(String flag, int deprecated, int obsolete, String instead) {}

    /// Value for a flag that no release ignores yet.
    private static final int NOT_YET = Integer.MAX_VALUE;

    private static final List<Fate> FATES =
            List.of(
                    new Fate("PermSize", 8, 8, "MetaspaceSize"),
                    new Fate("MaxPermSize", 8, 8, "MaxMetaspaceSize"),
                    new Fate("CMSIncrementalMode", 8, 9, "another collector"),
                    new Fate("MaxGCMinorPauseMillis", 8, NOT_YET, "MaxGCPauseMillis"),
                    new Fate("UseParNewGC", 9, 10, "another collector"),
                    new Fate("UseConcMarkSweepGC", 9, 14, "UseG1GC or UseZGC"),
                    new Fate("CMSInitiatingOccupancyFraction", 9, 14, "another collector"),
                    new Fate("UseCMSInitiatingOccupancyOnly", 9, 14, "another collector"),
                    new Fate("CMSScavengeBeforeRemark", 9, 14, "another collector"),
                    new Fate("CMSParallelRemarkEnabled", 9, 14, "another collector"),
                    new Fate("AggressiveOpts", 11, 12, "nothing: its effects are defaults"),
                    new Fate("UseParallelOldGC", 14, 15, "UseParallelGC, which includes it"),
                    new Fate("UseBiasedLocking", 15, 18, "nothing"),
                    new Fate("BiasedLockingStartupDelay", 15, 18, "nothing"),
                    new Fate("ZGenerational", 23, 24, "nothing: it is the only mode"),
                    new Fate("PrintGC", 9, NOT_YET, "-Xlog:gc"),
                    new Fate("PrintGCDetails", 9, NOT_YET, "-Xlog:gc*"));

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Map<String, String> flags = a.setup().flags();
        List<String> advice = new ArrayList<>();
        List<Evidence> evidence = new ArrayList<>();
        boolean ignored = false;
        int jdk = a.setup().feature().orElse(0);
        for (Fate f : FATES) {
            if (!flags.containsKey(f.flag()) || jdk < f.deprecated()) {
                continue;
            }
            boolean gone = jdk >= f.obsolete();
            ignored |= gone;
            evidence.add(
                    GcRule.evidence(
                            f.flag()
                                    + (gone ? " is ignored since JDK" : " is deprecated since JDK"),
                            gone ? f.obsolete() : f.deprecated(),
                            "",
                            jdk));
            advice.add(GcRule.say("remove -XX:%s; instead: %s", f.flag(), f.instead()));
        }
        for (String warning : a.setup().warnings()) {
            if (isOfAFlag(warning)) {
                ignored |= warning.startsWith("Ignoring") || warning.contains("ignored");
                evidence.add(GcRule.evidence("the JVM says: " + warning, 1L, "", 0));
                advice.add("remove what the JVM warns of: " + warning);
            }
        }
        if (advice.isEmpty()) {
            return flags.isEmpty() && a.setup().warnings().isEmpty()
                    ? notApplicable(
                            "the log has neither flags (JDK 8 heads, -Xlog:arguments) nor warnings")
                    : clear();
        }
        return found(
                ignored ? Severity.WARNING : Severity.INFO,
                GcRule.say(
                        "%s %s by this JDK",
                        GcRule.count(advice.size(), "flag") + (advice.size() == 1 ? " is" : " are"),
                        ignored ? "ignored or deprecated" : "deprecated"),
                "what they were set for does not happen, and a later JDK does not start with them",
                evidence,
                advice,
                "a start without a warning of the JVM");
    }

    private static boolean isOfAFlag(String warning) {
        return warning.startsWith("Ignoring option")
                || warning.startsWith("Option ")
                || warning.startsWith("Options ")
                || warning.contains("was deprecated in version")
                || warning.contains(" is deprecated");
    }
}
