/** Builds a long text from nothing. */
class BuilderGrows {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            StringBuilder page = new StringBuilder();
            for (int i = 0; i < 20_000; i++) {
                page.append("<td>a cell of the table</td>");
            }
            return "length " + page.length();
        });
    }
}
