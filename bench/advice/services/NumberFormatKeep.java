import java.text.DecimalFormat;

/** A new DecimalFormat for each number. */
class NumberFormatKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            StringBuilder page = new StringBuilder();
            for (int i = 0; i < 100; i++) {
                page.append(new DecimalFormat("#,##0.00").format(i * 1.5));
            }
            return page.toString();
        });
    }
}
