/** Puts its rows together by String.format. */
class FormatLess {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            StringBuilder page = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                page.append(String.format("%05d;%s;%.2f%n", i, "name", i * 0.1));
            }
            return page.toString();
        });
    }
}
