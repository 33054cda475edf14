import java.util.Calendar;

/** Computes dates by Calendar. */
class CalendarToTime {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            long sum = 0;
            for (int i = 0; i < 300; i++) {
                Calendar day = Calendar.getInstance();
                day.add(Calendar.DAY_OF_MONTH, i);
                sum += day.get(Calendar.DAY_OF_WEEK);
            }
            return "sum " + sum;
        });
    }
}
