"""An entropy is a stream: how a request is split never matters, and nothing of it is shared or repeated."""

from __future__ import annotations

import copy
import json
import os
import pickle
import threading
from collections.abc import Callable
from itertools import count, repeat
from typing import Any

import numpy as np
import pytest

from discreet.entropy import Entropy, ScriptedEntropy, SeededEntropy, SystemEntropy, from_seed

BITS = "".join(map(str, np.random.default_rng(5).integers(0, 2, 400_000).tolist()))
STREAMS: dict[str, Callable[[], Entropy]] = {
    "seeded": lambda: SeededEntropy(11),
    "scripted": lambda: ScriptedEntropy(BITS),
}
streams = pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS.keys())


@streams
@pytest.mark.parametrize("bits", [16, 32, 64])
def test_three_and_then_five_are_eight(make: Callable[[], Entropy], bits: int) -> None:
    split, whole = make(), make()
    parts = [split.numbers(n, bits) for n in (3, 5)]
    assert np.concatenate(parts).tolist() == whole.numbers(8, bits).tolist()
    assert split.numbers(1, 64).tolist() == whole.numbers(1, 64).tolist()


@streams
def test_numbers_of_mixed_widths_use_the_same_bytes_however_they_are_asked_for(make: Callable[[], Entropy]) -> None:
    random = np.random.default_rng(2)
    mixed, plain = make(), make()
    taken = b""
    order = ">" if isinstance(mixed, ScriptedEntropy) else "<"
    while len(taken) < 40_000:  # several fetched blocks
        n, bits = int(random.choice([0, 1, 2, 3, 7, 900])), int(random.choice([16, 32, 64]))
        if random.random() < 0.2:
            taken += mixed.word().to_bytes(8, "big" if order == ">" else "little")
        else:
            taken += mixed.numbers(n, bits).astype(f"{order}u{bits // 8}").tobytes()
    assert taken == plain.numbers(len(taken) // 2, 16).astype(f"{order}u2").tobytes()


@pytest.mark.parametrize("make", [SystemEntropy, *STREAMS.values()])
def test_numbers_have_their_width_and_no_numbers_are_an_empty_array(make: Callable[[], Entropy]) -> None:
    for bits in (16, 32, 64):
        drawn = make().numbers(300, bits)
        assert drawn.dtype.kind == "u"
        assert drawn.dtype.itemsize * 8 == bits
        assert drawn.max() > 2 ** (bits - 2)  # misses with probability 4^-300
        assert make().numbers(0, bits).shape == (0,)


def test_seeds_repeat_and_differ() -> None:
    def first(seed: int) -> list[int]:
        return list(SeededEntropy(seed).numbers(4, 64).tolist())

    assert first(3) == first(3)
    assert first(3) != first(4)


@pytest.mark.parametrize("start", range(17))
def test_a_seeded_stream_goes_on_from_every_position(start: int) -> None:
    bits = {0: 64, 2: 16, 4: 32, 6: 16}
    entropy = SeededEntropy(9)
    entropy._take(start)  # bytes: odd positions too
    assert entropy.position == start
    state = json.loads(json.dumps(entropy.state_dict()))
    resumed = SeededEntropy(9)
    resumed.numbers(100, 32)
    resumed.load_state_dict(state)
    assert resumed.position == start
    width = bits.get(start % 8, 16)
    assert resumed.numbers(7000, width).tolist() == entropy.numbers(7000, width).tolist()
    assert resumed.position == entropy.position == start + 7000 * width // 8
    assert resumed.word() == entropy.word()


def test_a_seeded_stream_goes_on_across_fetched_blocks() -> None:
    random = np.random.default_rng(3)
    entropy, resumed = SeededEntropy(9), SeededEntropy(9)
    for _ in range(200):
        n = int(random.integers(1, 3000))
        resumed.load_state_dict(entropy.state_dict())
        assert resumed.numbers(n, 16).tolist() == entropy.numbers(n, 16).tolist()
        assert resumed.position == entropy.position
    with_sequence = SeededEntropy(np.random.SeedSequence(4))
    with_sequence.numbers(9, 16)
    again = SeededEntropy(np.random.SeedSequence(4))
    again.load_state_dict(with_sequence.state_dict())
    assert again.word() == with_sequence.word()


def test_a_seeded_stream_is_copied_and_pickled_with_its_position() -> None:
    entropy = SeededEntropy(9)
    entropy.numbers(3, 16)
    twins = [copy.deepcopy(entropy), pickle.loads(pickle.dumps(entropy))]
    words = [entropy.word() for _ in range(50)]
    assert all([twin.word() for _ in range(50)] == words for twin in twins)


def test_a_script_is_read_first_bit_first() -> None:
    script = ScriptedEntropy("0000000000000101" + "1" * 16 + "10" * 16 + "0" * 63 + "1")
    assert script.numbers(2, 16).tolist() == [5, 65535]
    assert script.numbers(1, 32).tolist() == [0xAAAAAAAA]
    assert script.word() == 1


def test_a_script_that_has_run_out_says_so() -> None:
    script = ScriptedEntropy([1] * 70)
    assert script.word() == 2**64 - 1
    with pytest.raises(EOFError, match="10 more were asked for"):
        script.numbers(1, 16)
    with pytest.raises(EOFError, match="16 more"):
        ScriptedEntropy("").numbers(1, 16)


@pytest.mark.parametrize("bad", [[0, 1, 2] * 30, "012" * 30])
def test_a_script_holds_only_bits(bad: Any) -> None:
    with pytest.raises(ValueError, match="only 0 and 1"):
        ScriptedEntropy(bad).word()


def test_a_script_may_be_endless_and_is_read_no_further_than_needed() -> None:
    assert ScriptedEntropy(repeat(1)).numbers(3, 16).tolist() == [65535] * 3
    read = count()
    script = ScriptedEntropy(next(read) * 0 for _ in repeat(None))
    script.word()
    assert next(read) == 64


SHARES: dict[str, Callable[[SystemEntropy], SystemEntropy]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda entropy: pickle.loads(pickle.dumps(entropy)),
}


@pytest.mark.parametrize("share", SHARES.values(), ids=SHARES.keys())
def test_copies_of_system_entropy_never_draw_the_same(share: Callable[[SystemEntropy], SystemEntropy]) -> None:
    entropy = SystemEntropy()
    before = entropy.numbers(10, 64).tolist()
    twin = share(entropy)
    assert isinstance(twin, SystemEntropy)
    drawn = [*before, *twin.numbers(500, 64).tolist(), *entropy.numbers(500, 64).tolist()]
    assert len(set(drawn)) == 1010  # equal by accident with probability 1010^2 / 2^65


def test_a_forked_child_never_repeats_what_its_parent_will_draw() -> None:
    original = SystemEntropy()
    original.word()  # a block is in store now
    kept = [original, copy.copy(original)]
    kept[1].word()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, b"".join(entropy.numbers(20, 64).tobytes() for entropy in kept))
        os._exit(0)
    os.close(writing)
    theirs = b"".join(iter(lambda: os.read(reading, 4096), b""))
    os.close(reading)
    os.waitpid(child, 0)
    assert len(theirs) == 320
    ours = [word for entropy in kept for word in entropy.numbers(20, 64).tolist()]
    assert len(set(np.frombuffer(theirs, "u8").tolist()) | set(ours)) == 80


def test_only_system_entropy_is_private_and_it_has_no_state_to_keep() -> None:
    assert SystemEntropy().private
    assert not SeededEntropy(1).private
    assert not ScriptedEntropy("").private
    assert SystemEntropy().state_dict() == {}


def test_a_seed_makes_an_entropy() -> None:
    assert isinstance(from_seed(None), SystemEntropy)
    script = ScriptedEntropy("01")
    assert from_seed(script) is script
    assert from_seed(7).word() == from_seed(int(np.int64(7))).word() == SeededEntropy(7).word()
    assert from_seed(0).word() != from_seed(1).word()
    assert from_seed(2**200).word() == SeededEntropy(2**200).word()


@pytest.mark.parametrize("bad", [True, False, np.True_, -1, np.int64(-3), 1.0, 1.5, float("nan"), "1", b"1", [1], {}])
def test_what_is_not_a_seed_is_refused_in_one_sentence(bad: Any) -> None:
    with pytest.raises(ValueError, match="seed is") as caught:
        from_seed(bad)
    assert "\n" not in str(caught.value)


def test_reprs_say_what_they_are() -> None:
    assert repr(SeededEntropy(3)) == "SeededEntropy(3)"
    assert repr(SystemEntropy()) == "SystemEntropy()"


def test_system_entropy_is_not_a_short_cycle() -> None:
    words = SystemEntropy().numbers(20_000, 64)
    assert len(set(words.tolist())) == len(words)  # a repeat by accident: 4e8 / 2^65


def test_threads_that_share_system_entropy_never_draw_the_same_bytes() -> None:
    entropy = SystemEntropy()
    drawn: list[int] = []

    def draw() -> None:
        drawn.extend(entropy.word() for _ in range(5000))

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # 40,000 words of 64 bits: two are equal by chance once in 2 * 10^10 tries.
    assert len(set(drawn)) == len(drawn) == 40_000
