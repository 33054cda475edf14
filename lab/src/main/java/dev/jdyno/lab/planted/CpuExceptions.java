package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;

/// Exceptions with deep stack traces, used as return values.
final class CpuExceptions implements Case {
    private static final class NotFound extends Exception {
        private static final long serialVersionUID = 1L;

        NotFound() {
            super("not found");
        }
    }

    @Override
    public Label label() {
        return Label.of(
                "cpu-exceptions",
                "cpu",
                20,
                "Throwable",
                "each request throws exceptions from deep stacks");
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int throwsEach = caseSetup.vary().between("throws", 30, 90);
        int depth = caseSetup.vary().between("depth", 40, 80);
        return caseSetup.serve(query -> {
            int found = 0;
            for (int i = 0; i < throwsEach; i++) {
                try {
                    found += search(depth);
                } catch (NotFound e) {
                    found += e.getStackTrace().length;
                }
            }
            return found + "\n";
        });
    }

    private static int search(int depth) throws NotFound {
        return depth == 0 ? missing() : 1 + search(depth - 1);
    }

    private static int missing() throws NotFound {
        throw new NotFound();
    }
}
