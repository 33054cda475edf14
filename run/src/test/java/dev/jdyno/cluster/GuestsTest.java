package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GuestsTest {
    private static final Member ONE = new Member("one", Cluster.facts(""));

    private final Guests guests = new Guests();
    private final PeerKey key = OwnKey.generate().open();
    private final Identity accepting = Identity.of(OwnKey.generate(), Set.of(key));

    private static Door.Visit visit() {
        return new Door.Visit(ONE.facts(), InetAddress.getLoopbackAddress(), 0, 0);
    }

    private void refused(Member member, PeerKey by) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> guests.expected(member, Optional.of(by)));
    }

    @Test
    void anInvitationIsForOneMember() {
        Member came =
                guests.invite(
                        "one",
                        accepting,
                        () -> {
                            refused(ONE, OwnKey.generate().open());
                            guests.expected(ONE, Optional.of(key)).complete(ONE);
                            refused(ONE, key);
                            return visit();
                        });

        assertThat(came).isEqualTo(ONE);
        refused(ONE, key);
    }

    @Test
    void forgetsRefusedGuest() {
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() ->
                        guests.invite(
                                "one",
                                accepting,
                                () -> {
                                    throw UserError.usage("it is busy", "of a run", "wait");
                                }));

        refused(ONE, key);
    }
}
