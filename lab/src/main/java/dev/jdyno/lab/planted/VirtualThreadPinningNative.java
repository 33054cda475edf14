package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.Running;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/// Virtual threads that wait with a native frame on their stack, which pins their carriers on any
/// JDK. Here the native frame comes from reflection through native code. The threads only sleep: if
/// pinned threads waited for each other, as in a connection pool, all carriers could be blocked for
/// ever.
final class VirtualThreadPinningNative implements Case {
    /// The class that is called by reflection, and therefore public.
    public static final class Session {
        public void refresh(int millis) throws InterruptedException {
            Thread.sleep(millis);
        }
    }

    @Override
    public Label label() {
        return Label.of(
                        "virtual-thread-pinning-native",
                        "virtual-thread-pinning",
                        60,
                        "",
                        "Tomcat on virtual threads that wait beneath a native frame")
                .jvm("-Djdk.reflect.useNativeAccessorOnly=true")
                .jdkFrom(21);
    }

    @Override
    public Running start(CaseSetup caseSetup) {
        int millis = caseSetup.vary().between("waitMs", 10, 30);
        Session session = new Session();
        Method refresh = method();
        return caseSetup.serve(
                caseSetup.tomcat().onVirtualThreads(),
                query -> {
                    call(refresh, session, millis);
                    return "ok\n";
                });
    }

    private static Method method() {
        try {
            return Session.class.getMethod("refresh", int.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void call(Method refresh, Session session, int millis) throws IOException {
        try {
            refresh.invoke(session, millis);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IOException(e.getCause() == null ? e : e.getCause());
        }
    }
}
