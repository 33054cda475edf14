package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.statistics.Throughput.Source;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.DynamicMBean;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class RequestCountsTest {
    private static final String HTTP = "Tomcat:type=GlobalRequestProcessor,name=\"http-nio-8080\"";
    private static final String HTTPS = "Tomcat:type=GlobalRequestProcessor,name=\"https-8443\"";
    private static final String JETTY =
            "org.eclipse.jetty.server.handler:type=statisticshandler,id=0";

    private final MBeanServer beans = MBeanServerFactory.newMBeanServer();

    @Test
    void theConnectorsOfTomcatAreAddedUp() throws Exception {
        Bean http = register(HTTP).tomcat(100, 1000);
        Bean https = register(HTTPS).tomcat(7, 0);
        RequestCounts before = counts();
        http.tomcat(130, 1600);
        https.tomcat(17, 200);

        Throughput x = since(before, 4).orElseThrow();

        assertThat(x.source()).isEqualTo(Source.TOMCAT);
        assertThat(x.perS()).isEqualTo(10);
        assertThat(x.containerRtMs()).hasValue(20.0);
    }

    @Test
    void newConnectorStartsAtZero() throws Exception {
        register(HTTP).tomcat(100, 1000);
        RequestCounts before = counts();
        register(HTTPS).tomcat(8, 80);

        assertThat(since(before, 4).orElseThrow().perS()).isEqualTo(2);
    }

    @Test
    void counterOf32BitsMayOverflow() throws Exception {
        Bean http = register(HTTP).tomcat(Integer.MAX_VALUE - 4, 1000);
        RequestCounts before = counts();
        http.tomcat(Integer.MIN_VALUE + 5, 1100);

        assertThat(since(before, 1).orElseThrow().perS()).isEqualTo(10);
    }

    @Test
    void ignoresCounterThatWasResetOrIsMissing() throws Exception {
        Bean http = register(HTTP).tomcat(100, 1000);
        Bean https = register(HTTPS).tomcat(100, 1000);
        RequestCounts before = counts();

        https.tomcat(20, 2000);
        assertThat(since(before, 1)).isEmpty();
        https.tomcat(100, 20);
        assertThat(since(before, 1)).isEmpty();
        http.tomcat(200, 2000);
        beans.unregisterMBean(new ObjectName(HTTPS));
        assertThat(since(before, 1)).isEmpty();
    }

    @Test
    void zeroRequestsHaveNoTime() throws Exception {
        register(HTTP).tomcat(100, 1000);
        Throughput x = since(counts(), 4).orElseThrow();

        assertThat(x.perS()).isZero();
        assertThat(x.containerRtMs()).isEmpty();
    }

    @Test
    void readsMillisecondsUpToJetty11AndNanosecondsLater() throws Exception {
        Bean eleven = register(JETTY).has("requests", 10).has("requestTimeTotal", 500L);
        RequestCounts before = counts();
        eleven.has("requests", 20).has("requestTimeTotal", 700L);
        Throughput old = since(before, 2).orElseThrow();

        eleven.has("requestTotal", 20).has("requestTimeTotal", 700_000_000L);
        before = counts();
        eleven.has("requestTotal", 30).has("requestTimeTotal", 900_000_000L);
        Throughput since = since(before, 2).orElseThrow();

        assertThat(old.source()).isEqualTo(Source.JETTY);
        assertThat(old.perS()).isEqualTo(5);
        assertThat(old.containerRtMs()).hasValue(20.0);
        assertThat(since.source()).isEqualTo(Source.JETTY);
        assertThat(since.perS()).isEqualTo(5);
        assertThat(since.containerRtMs().orElseThrow()).isCloseTo(20.0, within(1e-9));
    }

    @Test
    void ignoresOtherMBeans() throws Exception {
        // the MBean of an upgraded protocol has the same type, but no count
        register(HTTP + ",Upgrade=chat").has("bytesSent", 1L);
        register("Tomcat:type=ThreadPool,name=http").tomcat(1, 1);
        register(JETTY).has("requests", "many").has("requestTimeTotal", 1L);

        assertThat(RequestCounts.read(beans)).isEmpty();
    }

    private RequestCounts counts() throws Exception {
        return RequestCounts.read(beans).orElseThrow();
    }

    private Optional<Throughput> since(RequestCounts before, double seconds) throws Exception {
        return before.again(beans).since(before, seconds);
    }

    private Bean register(String name) throws Exception {
        Bean bean = new Bean();
        beans.registerMBean(bean, new ObjectName(name));
        return bean;
    }

    private static final class Bean implements DynamicMBean {
        private final Map<String, Object> values = new HashMap<>();

        Bean has(String name, Object value) {
            values.put(name, value);
            return this;
        }

        Bean tomcat(int requests, long ms) {
            return has("requestCount", requests).has("processingTime", ms);
        }

        @Override
        public Object getAttribute(String name) {
            return Objects.requireNonNull(values.get(name), name);
        }

        @Override
        public AttributeList getAttributes(String[] names) {
            AttributeList all = new AttributeList();
            for (String name : names) {
                if (values.containsKey(name)) {
                    all.add(new Attribute(name, values.get(name)));
                }
            }
            return all;
        }

        @Override
        public void setAttribute(Attribute attribute) {
            throw new UnsupportedOperationException(attribute.getName());
        }

        @Override
        public AttributeList setAttributes(AttributeList attributes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object invoke(String name, Object[] arguments, String[] types) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public MBeanInfo getMBeanInfo() {
            return new MBeanInfo(Bean.class.getName(), "", null, null, null, null);
        }
    }
}
