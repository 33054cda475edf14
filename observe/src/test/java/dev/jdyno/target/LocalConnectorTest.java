package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.BadAttributeValueExpException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a hostile JVM may report about its JMX connector, and send over it.
@Timeout(300)
class LocalConnectorTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theConnectorOfARealJvmIsRead(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "sleep")) {
            LocalConnector.start(target);
            try (var jmx = LocalConnector.connect(LocalConnector.address(target).orElseThrow())) {
                var beans = jmx.getMBeanServerConnection();
                ObjectName threads = new ObjectName("java.lang:type=Threading");

                assertThat((Integer) beans.getAttribute(threads, "ThreadCount")).isPositive();
                assertThat(beans.getMBeanInfo(threads).getAttributes()).isNotEmpty();
                assertThat(beans.queryNames(new ObjectName("java.lang:*"), null)).isNotEmpty();
                assertThat(
                                beans.getAttribute(
                                        new ObjectName("java.lang:type=Memory"), "HeapMemoryUsage"))
                        .isInstanceOf(javax.management.openmbean.CompositeData.class);
                assertThatThrownBy(() -> beans.getAttribute(threads, "Nothing"))
                        .isInstanceOf(javax.management.AttributeNotFoundException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "service:jmx:rmi:///jndi/rmi://127.0.0.1:1099/jmxrmi",
                "service:jmx:rmi:///jndi/ldap://127.0.0.1/x",
                "service:jmx:iiop://127.0.0.1/stub/AAAA",
                "service:jmx:rmi://192.0.2.1/stub/AAAA",
                "service:jmx:rmi://127.0.0.1",
                "service:jmx:jmxmp://127.0.0.1:9",
                "no address"
            })
    void refusesAddressOfNoLocalConnector(String address) {
        assertThatThrownBy(() -> LocalConnector.connect(address)).isInstanceOf(IOException.class);
    }

    /// The host in the address is the loopback device. The stub in it has 192.0.2.1, an address
    /// without a host.
    @Test
    void connectsToStubOnlyOnLoopback() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "sleep")) {
            LocalConnector.start(target);
            String address = LocalConnector.address(target).orElseThrow();
            int at = address.indexOf("/stub/") + "/stub/".length();
            String stub =
                    new String(
                            Base64.getDecoder().decode(address.substring(at)),
                            StandardCharsets.ISO_8859_1);
            assumeTrue(stub.contains(LOOPBACK), "the stub names the host by this address");
            byte[] elsewhere =
                    stub.replace(LOOPBACK, "192.0.2.1").getBytes(StandardCharsets.ISO_8859_1);

            String changed =
                    address.substring(0, at) + Base64.getEncoder().encodeToString(elsewhere);

            try (var jmx = LocalConnector.connect(changed)) {
                assertThat(jmx.getMBeanServerConnection().getMBeanCount()).isPositive();
            }
        }
    }

    private static final String LOOPBACK = "127.0.0.1";

    static List<Object> values() throws Exception {
        var type =
                new CompositeType(
                        "t",
                        "t",
                        new String[] {"used"},
                        new String[] {"used"},
                        new OpenType<?>[] {SimpleType.LONG});
        return List.of(
                7,
                "text",
                new long[] {1, 2},
                new ObjectName("a:type=b"),
                new AttributeList(List.of(new Attribute("a", 1))),
                new CompositeDataSupport(type, Map.of("used", 1L)),
                new ArrayList<>(List.of(1.5, true, 'c')),
                new LinkedHashMap<>(Map.of("a", BigDecimal.TEN)),
                new IllegalStateException("as an MBean throws it"),
                new javax.management.AttributeNotFoundException("none"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void mBeansAreReadOverTheConnector(Object value) throws Exception {
        assertThat(read(value)).isInstanceOf(value.getClass());
    }

    private static final class Planted implements Serializable {
        private static final long serialVersionUID = 1;
    }

    static List<Object> gadgets() throws Exception {
        return List.of(
                new Planted(),
                new Object[] {new Planted()},
                new PriorityQueue<>(Comparator.<Integer>naturalOrder()),
                new BadAttributeValueExpException("x"),
                URI.create("http://127.0.0.1/").toURL(),
                new java.io.File("/etc/passwd"),
                java.lang.reflect.Proxy.newProxyInstance(
                        LocalConnectorTest.class.getClassLoader(),
                        new Class<?>[] {Runnable.class},
                        new Handler()),
                nested(100),
                new HashMap<>(Map.of("a", new Planted())));
    }

    private static final class Handler
            implements java.lang.reflect.InvocationHandler, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
            return "";
        }
    }

    private static Object nested(int depth) {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            list = new ArrayList<>(List.of(list));
        }
        return list;
    }

    @ParameterizedTest
    @MethodSource("gadgets")
    void deserialisesOnlyAllowedClasses(Object gadget) {
        assertThatThrownBy(() -> read(gadget)).isInstanceOf(InvalidClassException.class);
    }

    private static Object read(Object value) throws IOException, ClassNotFoundException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            in.setObjectInputFilter(ReadObjects.filter());
            return in.readObject();
        }
    }
}
