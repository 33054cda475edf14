package orders;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Three requests: one computes, one computes four times as much and allocates, one holds a database
/// connection while it waits for another service (here a sleep of 15 to 35 ms).
@SpringBootApplication
@RestController
public class Orders {
    private static final int HASHES = 400;

    private final DataSource database;

    Orders(DataSource database) {
        this.database = database;
    }

    public static void main(String[] args) {
        SpringApplication.run(Orders.class, args);
    }

    @GetMapping("/price")
    String price() throws NoSuchAlgorithmException {
        return hashed(HASHES);
    }

    @GetMapping("/report")
    String report() throws NoSuchAlgorithmException {
        byte[][] rows = new byte[200][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new byte[5_000];
        }
        return hashed(4 * HASHES) + rows.length;
    }

    @GetMapping("/order")
    String order() throws Exception {
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement("select 1");
                var row = statement.executeQuery()) {
            row.next();
            Thread.sleep(ThreadLocalRandom.current().nextInt(15, 36));
            return hashed(HASHES / 4) + row.getInt(1);
        }
    }

    private static String hashed(int times) throws NoSuchAlgorithmException {
        var digest = MessageDigest.getInstance("SHA-256");
        byte[] value = new byte[1_000];
        for (int i = 0; i < times; i++) {
            byte[] hash = digest.digest(value);
            System.arraycopy(hash, 0, value, 0, hash.length);
        }
        return Byte.toString(value[0]);
    }
}
