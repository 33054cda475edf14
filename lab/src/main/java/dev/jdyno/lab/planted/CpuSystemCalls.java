package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.FileInputStream;
import java.io.FileOutputStream;

/// Unbuffered reads and writes of single bytes: the kernel uses the CPU time.
final class CpuSystemCalls implements Case {
    @Override
    public Label label() {
        return Label.of(
                "cpu-system-calls",
                "cpu",
                20,
                "",
                "each request reads and writes single bytes through the kernel");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int bytes = caseSetup.vary().between("bytes", 1500, 5000);
        return caseSetup.serve(query -> {
            try (FileInputStream in = new FileInputStream("/dev/zero");
                    FileOutputStream out = new FileOutputStream("/dev/null")) {
                for (int i = 0; i < bytes; i++) {
                    out.write(in.read());
                }
            }
            return "ok\n";
        });
    }
}
