package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.Burn;

/// A code cache that is full before the service's own code was compiled.
final class JitCodeCache implements Case {
    @Override
    public Label label() {
        return Label.of("jit-code-cache", "jit", 10, "code cache", "a code cache too small")
                .also("cpu")
                .jvm("-XX:ReservedCodeCacheSize=2560k", "-XX:InitialCodeCacheSize=2560k");
    }

    @Override
    public Running start(Ground ground) {
        int steps = ground.vary().between("thousandSteps", 100, 300) * 1000;
        return ground.serve(query -> {
            Burn.steps(steps);
            return "ok\n";
        });
    }
}
