"""An estimate says why it is not to be trusted, and every reason has a sentence."""

from math import nan

from ockham.contracts import Doubt, Evidence


def test_every_reason_for_doubt_has_a_sentence():
    sentences = [flag.reasons for flag in Doubt]
    assert all(len(reasons) == 1 for reasons in sentences)
    assert len(set(sentences)) == len(Doubt)
    assert (Doubt.NOT_MIXED | Doubt.RUNS_DIFFER).reasons == Doubt.RUNS_DIFFER.reasons + Doubt.NOT_MIXED.reasons
    assert Doubt(0).reasons == ()


def test_what_is_doubted_or_unknown_is_not_trusted():
    assert Evidence(-3.0).trusted
    assert not Evidence(nan).trusted
    assert not Evidence(-3.0, doubt=Doubt.NOT_MIXED).trusted
