package dev.jdyno.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.foreign.PrometheusText;
import dev.jdyno.measure.service.ServicePool;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolGaugeTest {
    private static List<ServicePool> pools(String page) throws Exception {
        PrometheusText text =
                PrometheusText.read(
                        page.getBytes(StandardCharsets.UTF_8),
                        PoolGauge::wants,
                        PrometheusText.Limits.DEFAULT);
        return PoolGauge.between(text, text, 10);
    }

    /// Quarkus has no gauge of idle workers for a pool without a maximum.
    @Test
    void workersInUseAndIdleAreThePool() throws Exception {
        List<ServicePool> pools =
                pools(
                        """
                        worker_pool_active{pool_name="full",pool_type="worker"} 20.0
                        worker_pool_active{pool_name="busy",pool_type="worker"} 19.0
                        worker_pool_active{pool_name="open",pool_type="worker"} 18.0
                        worker_pool_idle{pool_name="full",pool_type="worker"} 0.0
                        worker_pool_idle{pool_name="busy",pool_type="worker"} 1.0
                        worker_pool_ratio{pool_name="open",pool_type="worker"} NaN
                        worker_pool_queue_size{pool_name="full",pool_type="worker"} 7.0
                        worker_pool_queue_size{pool_name="busy",pool_type="worker"} 0.0
                        worker_pool_queue_size{pool_name="open",pool_type="worker"} 0.0
                        """);

        assertThat(pools)
                .extracting(
                        ServicePool::pool, ServicePool::max, ServicePool::use, ServicePool::waiting)
                .containsExactly(
                        tuple("full", Optional.of(20.0), Optional.of(1.0), Optional.of(7.0)),
                        tuple("busy", Optional.of(20.0), Optional.of(0.95), Optional.of(0.0)),
                        tuple("open", Optional.empty(), Optional.empty(), Optional.of(0.0)));
    }

    /// Agroal opens connections up to its maximum, so those that are open are no maximum.
    @Test
    void openConnectionsOfAgroalAreNoMaximum() throws Exception {
        List<ServicePool> pools =
                pools(
                        """
                        agroal_active_count{datasource="default"} 3.0
                        agroal_available_count{datasource="default"} 0.0
                        agroal_max_used_count{datasource="default"} 3.0
                        agroal_awaiting_count{datasource="default"} 1.0
                        """);

        assertThat(pools)
                .extracting(ServicePool::library, ServicePool::max, ServicePool::inUse)
                .containsExactly(tuple("Agroal", Optional.empty(), Optional.of(3.0)));
    }

    /// Negative gauges and those of another pool give no size.
    @Test
    void invalidIdleWorkersGiveNoSize() throws Exception {
        List<ServicePool> pools =
                pools(
                        """
                        worker_pool_active{pool_name="w",pool_type="worker"} 19.0
                        worker_pool_idle{pool_name="w",pool_type="worker"} -1.0
                        worker_pool_idle{pool_name="another",pool_type="worker"} 100.0
                        """);

        assertThat(pools)
                .extracting(ServicePool::pool, ServicePool::max)
                .containsExactly(tuple("w", Optional.empty()));
    }

    /// Micrometer's binder has the available and the leased connections in one gauge.
    @Test
    void leasedConnectionsOfAnHttpClientAreInUse() throws Exception {
        List<ServicePool> pools =
                pools(
                        """
                        httpcomponents_httpclient_pool_total_connections{httpclient="stock",state="available"} 9.0
                        httpcomponents_httpclient_pool_total_connections{httpclient="stock",state="leased"} 3.0
                        httpcomponents_httpclient_pool_total_max{httpclient="stock"} 20.0
                        httpcomponents_httpclient_pool_total_pending{httpclient="stock"} 1.0
                        reactor_netty_connection_provider_active_connections{id="1",name="http",remote_address="10.0.0.7:80"} 4.0
                        reactor_netty_connection_provider_active_connections{id="2",name="http",remote_address="10.0.0.7:80"} 1.0
                        reactor_netty_connection_provider_active_connections{id="1",name="http",remote_address="10.0.0.8:80"} 2.0
                        reactor_netty_connection_provider_max_connections{id="1",name="http",remote_address="10.0.0.7:80"} 500.0
                        reactor_netty_connection_provider_max_connections{id="2",name="http",remote_address="10.0.0.7:80"} 500.0
                        reactor_netty_connection_provider_max_connections{id="1",name="http",remote_address="10.0.0.8:80"} 500.0
                        reactor_netty_connection_provider_pending_connections{id="1",name="http",remote_address="10.0.0.7:80"} 0.0
                        """);

        assertThat(pools)
                .extracting(
                        ServicePool::pool,
                        ServicePool::library,
                        ServicePool::max,
                        ServicePool::inUse)
                .containsExactly(
                        tuple("stock", "Apache-HttpClient", Optional.of(20.0), Optional.of(3.0)),
                        tuple(
                                "10.0.0.7:80",
                                "Reactor-Netty",
                                Optional.of(1000.0),
                                Optional.of(5.0)),
                        tuple(
                                "10.0.0.8:80",
                                "Reactor-Netty",
                                Optional.of(500.0),
                                Optional.of(2.0)));
        assertThat(pools.getFirst().waiting()).contains(1.0);
    }
}
