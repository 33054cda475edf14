package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;

/// One planted bottleneck.
interface Case {
    /// What a right answer says.
    Label label();

    /// Starts the service; its only path is `/`.
    Running start(CaseSetup ground) throws IOException;
}
