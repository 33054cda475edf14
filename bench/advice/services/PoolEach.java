import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;

/** Makes a connection pool in each request. */
class PoolEach {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
            config.setMaximumPoolSize(2);
            try (HikariDataSource pool = new HikariDataSource(config);
                    Connection c = pool.getConnection()) {
                return "valid " + c.isValid(1);
            }
        });
    }
}
