import java.text.SimpleDateFormat;
import java.util.Date;

/** A new SimpleDateFormat for each date. */
class DateFormatKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            StringBuilder page = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                page.append(
                        new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss")
                                .format(new Date(i * 86_400_000L)));
            }
            return page.toString();
        });
    }
}
