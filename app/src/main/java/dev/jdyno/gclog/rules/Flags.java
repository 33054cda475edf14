package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Collector;
import dev.jdyno.gclog.Diagnosis.Severity;
import dev.jdyno.gclog.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Flags that undo what the collector does by itself, or do nothing.
final class Flags implements Rule {

    @Override
    public String id() {
        return "flags";
    }

    @Override
    public Finding evaluate(Analysis a, Given given) {
        if (a.setup().flags().isEmpty()) {
            return notApplicable("flags are printed by JDK 8 only");
        }
        Map<String, String> flags = a.setup().flags();
        List<String> advice = new ArrayList<>();
        if (a.collector() == Collector.G1
                && (flags.containsKey("NewSize") || flags.containsKey("NewRatio"))) {
            advice.add(
                    "remove -Xmn, NewSize and NewRatio: with G1 they switch its pause control off");
        }
        if (a.setup().feature().orElse(0) >= 8
                && (flags.containsKey("MaxPermSize") || flags.containsKey("PermSize"))) {
            advice.add(
                    "remove PermSize and MaxPermSize: ignored since JDK 8; see MaxMetaspaceSize");
        }
        if (flags.containsKey("CMSIncrementalMode")) {
            advice.add("remove CMSIncrementalMode: made for single cores, it slows others");
        }
        if ("0".equals(flags.get("MaxTenuringThreshold"))) {
            advice.add("remove MaxTenuringThreshold=0: it promotes every survivor at once");
        }
        if (advice.isEmpty()) {
            return clear();
        }
        return found(
                Severity.WARNING,
                advice.size() + " flags work against the collector",
                "settings of another collector or release outlive their reason",
                List.of(Rule.evidence("flags", advice.size(), "", 0)),
                advice,
                "the same load without them, side by side: jdyno gc BEFORE AFTER");
    }
}
