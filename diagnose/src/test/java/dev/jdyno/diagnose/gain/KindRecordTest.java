package dev.jdyno.diagnose.gain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.measure.verdict.ChangeKind;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KindRecordTest {
    private static Recommendation recommendation(String id) {
        return new RecommendationList()
                .byHand(ChangeName.of(id), "says", "how", Gain.of(2, 0.5, true, "formula"))
                .list()
                .getFirst();
    }

    private static KindRecord record(int pairs, int within) {
        return new KindRecord(
                Map.of(ChangeKind.MORE_PLACES, new KindRecord.Held(pairs, within, 0.25)));
    }

    @Test
    void kindOfChangeWithMostlyWrongPredictionsPredictsNothing() {
        Recommendation withheld = record(10, 4).applied(recommendation("pool-double"));

        assertThat(withheld.predictedQpsRatio()).isEmpty();
        assertThat(withheld.predictedRtRatio()).isEmpty();
        assertThat(withheld.formula()).contains("4 of 10");
    }

    @Test
    void kindOfChangeWithGoodPredictionsIsPredicted() {
        assertThat(record(10, 5).applied(recommendation("pool-double")).predictedQpsRatio())
                .contains(2.0);
        assertThat(record(10, 0).applied(recommendation("cpu-halve")).predictedQpsRatio())
                .contains(2.0);
    }

    @Test
    void fewMeasuredPairsGiveNoRecord() {
        assertThat(record(KindRecord.FEW - 1, 0).withholds(ChangeKind.MORE_PLACES)).isEmpty();
        assertThat(record(KindRecord.FEW, 0).withholds(ChangeKind.MORE_PLACES)).isPresent();
        assertThat(record(KindRecord.FEW - 1, 1).least(ChangeKind.MORE_PLACES)).isZero();
        assertThat(record(KindRecord.FEW, 4).least(ChangeKind.MORE_PLACES)).isEqualTo(0.25);
        assertThat(record(KindRecord.FEW, 4).least(ChangeKind.LESS_CPU)).isZero();
    }

    @Test
    void readsTheRecordOfTheBenchmark() {
        KindRecord read = KindRecord.parse("kind\tpairs\twithin\tleast\nless-cpu\t7\t6\t0.5\n\n");

        assertThat(read.kinds())
                .containsOnly(Map.entry(ChangeKind.LESS_CPU, new KindRecord.Held(7, 6, 0.5)));
        assertThatThrownBy(() -> KindRecord.parse("kind\nno-kind\t1\t1\t0"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KindRecord.parse("kind\nless-cpu\t1"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KindRecord.parse("kind\nless-cpu\t1\t2\t0"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theBuiltInRecordCanBeRead() {
        assertThat(KindRecord.builtIn().kinds().values()).allMatch(h -> h.pairs() > 0);
    }
}
