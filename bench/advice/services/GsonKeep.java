import com.google.gson.Gson;

/** Makes a Gson in each request. */
class GsonKeep {
    record Order(int id, String customer, double total) {}

    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            StringBuilder page = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                page.append(new Gson().toJson(new Order(i, "customer", 1.5)));
            }
            return page.toString();
        });
    }
}
