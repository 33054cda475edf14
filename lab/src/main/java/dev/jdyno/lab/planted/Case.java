package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// One planted bottleneck.
interface Case {
    /// The correct answer, and how to run the case.
    Label label();

    /// Starts the service; its only path is `/`.
    Running start(CaseSetup caseSetup) throws IOException;
}
