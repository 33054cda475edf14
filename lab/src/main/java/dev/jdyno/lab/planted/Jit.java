package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.Burn;

/// A fixed amount of work without JIT compilers.
final class Jit implements Case {
    @Override
    public Label label() {
        return Label.of("jit", "jit", 10, "", "the JVM runs without its compilers")
                .also("cpu")
                .jvm("-Xint");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int steps = caseSetup.vary().between("thousandSteps", 100, 300) * 1000;
        return caseSetup.serve(query -> {
            Burn.steps(steps);
            return "ok\n";
        });
    }
}
