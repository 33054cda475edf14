import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/** Opens a database connection in each request. */
class ConnectionEach {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            int sum = 0;
            for (int i = 0; i < 20; i++) {
                try (Connection c =
                                DriverManager.getConnection(
                                        "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1", "sa", "");
                        Statement statement = c.createStatement();
                        ResultSet rows = statement.executeQuery("SELECT 1")) {
                    rows.next();
                    sum += rows.getInt(1);
                }
            }
            return "sum " + sum;
        });
    }
}
