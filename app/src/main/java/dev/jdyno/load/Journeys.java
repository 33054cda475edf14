package dev.jdyno.load;

import dev.jdyno.load.LoadSpec.Header;
import dev.jdyno.measure.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A workload made ready for one session: templates read, constant requests encoded once. Gives
/// each user a script of its own.
final class Journeys {
    /// A step; `constant` is its whole request when it has no holes.
    private record Ready(
            Workload.Step step,
            int number,
            Template method,
            Template path,
            Map<String, Template> headers,
            Template body,
            Optional<Body> constant) {}

    private final LoadSpec spec;
    private final Workload workload;
    private final List<List<Ready>> journeys = new ArrayList<>();
    private final List<String> stepNames = new ArrayList<>();
    private final AtomicInteger nextRow = new AtomicInteger();
    private final double totalWeight;

    Journeys(LoadSpec spec, Workload workload) {
        this.spec = spec;
        this.workload = workload;
        for (Workload.Journey journey : workload.journeys()) {
            List<Ready> steps = new ArrayList<>();
            for (Workload.Step step : journey.steps()) {
                steps.add(ready(step));
            }
            journeys.add(steps);
        }
        this.totalWeight = workload.journeys().stream().mapToDouble(Workload.Journey::weight).sum();
    }

    /// The names of all steps, by their number.
    List<String> stepNames() {
        return stepNames;
    }

    private Ready ready(Workload.Step step) {
        Map<String, Template> headers = new HashMap<>();
        step.headers().forEach((k, v) -> headers.put(k, new Template(v)));
        var r =
                new Ready(
                        step,
                        stepNames.size(),
                        new Template(step.method()),
                        new Template(step.path()),
                        headers,
                        new Template(step.body()),
                        Optional.empty());
        stepNames.add(step.name());
        boolean constant =
                r.method.isConstant()
                        && r.path.isConstant()
                        && r.body.isConstant()
                        && headers.values().stream().allMatch(Template::isConstant);
        return constant
                ? new Ready(
                        step,
                        r.number,
                        r.method,
                        r.path,
                        headers,
                        r.body,
                        Optional.of(Body.of(encode(r, Map.of()))))
                : r;
    }

    private byte[] encode(Ready r, Map<String, String> values) {
        List<Header> headers = new ArrayList<>(spec.headers());
        r.headers.forEach((k, v) -> headers.add(new Header(k, v.fill(values))));
        return RequestText.encode(
                spec,
                r.method.fill(values),
                r.path.fill(values),
                headers,
                Body.of(r.body.fill(values)));
    }

    /// The script of one user.
    Script script(int user, RandomGenerator random) {
        return new UserScript(user, random);
    }

    private final class UserScript implements Script {
        private final int user;
        private final RandomGenerator random;
        private final ReplyText reply = new ReplyText();
        private final Map<String, String> values = new HashMap<>();
        private List<Ready> journey = List.of();
        private int at;
        private Ready current;

        UserScript(int user, RandomGenerator random) {
            this.user = user;
            this.random = random;
            this.current = journeys.getFirst().getFirst();
        }

        @Override
        public byte[] next() {
            if (at == journey.size()) {
                startJourney();
            }
            current = journey.get(at++);
            return current.constant.isPresent()
                    ? current.constant.get().shared()
                    : encode(current, values);
        }

        private void startJourney() {
            double drawn = random.nextDouble() * totalWeight;
            int chosen = 0;
            while (chosen < journeys.size() - 1
                    && (drawn -= workload.journeys().get(chosen).weight()) >= 0) {
                chosen++;
            }
            journey = journeys.get(chosen);
            at = 0;
            values.clear();
            values.put("user", Integer.toString(user));
            List<Map<String, String>> rows = workload.rows();
            if (!rows.isEmpty()) {
                int row =
                        switch (workload.order()) {
                            case SEQUENTIAL ->
                                    Math.floorMod(nextRow.getAndIncrement(), rows.size());
                            case RANDOM -> random.nextInt(rows.size());
                            case UNIQUE -> user % rows.size();
                        };
                values.putAll(rows.get(row));
            }
        }

        @Override
        public boolean isHead() {
            return current.step.method().equals("HEAD");
        }

        @Override
        public @Nullable ReplyText reply() {
            boolean looked = !current.step.checks().isEmpty() || !current.step.takes().isEmpty();
            return looked ? reply : null;
        }

        @Override
        public int step() {
            return current.number;
        }

        @Override
        public Judgement judge(int status) {
            Judgement judgement = ReplyChecks.judge(current.step, status, reply, values);
            if (judgement != Judgement.GOOD) {
                failed();
            }
            return judgement;
        }

        /// The rest of the journey makes no sense without this step: the user starts another.
        @Override
        public void failed() {
            at = journey.size();
        }
    }
}
