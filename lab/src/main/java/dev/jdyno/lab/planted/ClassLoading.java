package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;

/// Each request uses new class loaders, which load their class again.
final class ClassLoading implements Case {
    /// The class that is loaded repeatedly.
    public static final class Script implements Callable<String> {
        @Override
        public String call() {
            return "ok\n";
        }
    }

    private static final class OneTime extends ClassLoader {
        OneTime() {
            super(ClassLoading.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(Script.class.getName(), bytes, 0, bytes.length);
        }
    }

    @Override
    public Label label() {
        return Label.of(
                "class-loading",
                "class-loading",
                20,
                "",
                "each request loads its classes into new class loaders");
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        int classes = caseSetup.vary().between("classesEach", 5, 25);
        byte[] bytes = bytesOf(Script.class);
        return caseSetup.serve(query -> {
            String answer = "";
            for (int i = 0; i < classes; i++) {
                answer = run(new OneTime().define(bytes));
            }
            return answer;
        });
    }

    private static String run(Class<?> script) throws IOException {
        try {
            return ((Callable<?>) script.getConstructor().newInstance()).call().toString();
        } catch (Exception e) {
            throw new IOException("the loaded class cannot be run", e);
        }
    }

    private static byte[] bytesOf(Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException("no class file " + file);
            }
            return in.readAllBytes();
        }
    }
}
