import java.lang.reflect.Proxy;

/** Makes its proxies in each request. */
class ProxiesKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 2_000; i++) {
                Runnable proxy =
                        (Runnable)
                                Proxy.newProxyInstance(
                                        ProxiesKeep.class.getClassLoader(),
                                        new Class<?>[] {Runnable.class},
                                        (p, m, a) -> null);
                proxy.run();
                sum += proxy.getClass().getModifiers();
            }
            return "sum " + sum;
        });
    }
}
