import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** A new DateTimeFormatter for each date. */
class DateFormatterKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            StringBuilder page = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                page.append(
                        DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss")
                                .format(LocalDateTime.of(2024, 1, 1 + i % 28, 1, 2)));
            }
            return page.toString();
        });
    }
}
