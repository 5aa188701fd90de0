// Rounds and games under one policy: deal, turns, settlement, rounds up to the target.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "deck.hpp"
#include "layout.hpp"
#include "policies.hpp"
#include "rng.hpp"
#include "rules.hpp"
#include "scoring.hpp"
#include "tally.hpp"
#ifdef CHECKS
#include "checks.hpp"
#endif

namespace fives {

// The number of the placement in a row of effects: by a word of the choice stream, uniform over the set.
// Which class it falls in is a coin toss, so it is chosen by masks and not by a branch.
inline unsigned pick(Placements placements, uint64_t word) {
    const unsigned at_ends = popcount(placements.at_ends);
    const unsigned n = static_cast<unsigned>(below(word, at_ends + popcount(placements.at_doubles)));
    const uint64_t at_double = -static_cast<uint64_t>(n >= at_ends);
    const Halves halves = (placements.at_doubles & at_double) | (placements.at_ends & ~at_double);
    return nth_bit(halves, n - (at_ends & at_double)) + (AT_DOUBLE & at_double);
}

template <class Policy>
class Simulator {
  public:
    Simulator(const Rules& rules, uint64_t seed)
        : rules_(rules), effects_(rules.spinner), scores_(rules.plays_score), seed_key_(child(0, seed)) {}

    // Round 0 of each of these games, from 0-0.
    Tally play_rounds(uint64_t first_game, uint64_t games) {
        tally_ = {};
        for (uint64_t game = first_game; game < first_game + games; ++game) {
            scores2_ = {};
            const uint64_t round_key = child(child(seed_key_, game), 0);
            play_round(round_key, opener_by_lot(round_key));
        }
        return finished_tally();
    }

    // Each of these games to its target.
    Tally play_games(uint64_t first_game, uint64_t games) {
        tally_ = {};
        for (uint64_t game = first_game; game < first_game + games; ++game) play_game(game);
        return finished_tally();
    }

  private:
    enum class End { OUT, BLOCKED, TARGET };
    static constexpr int BY_LOT = -1, NOBODY = -1;

    // How the turns of a round ended: who placed last, and the half points of a last tile, not yet credited.
    struct TurnsEnd {
        End end;
        int seat;
        int last_points2;
    };

    Tally finished_tally() const {
        Tally tally = tally_;
        tally.derive_from_counts(scores_);
        return tally;
    }

    // --- games ------------------------------------------------------------------------------------

    void play_game(uint64_t game) {
        const Tally before = tally_;
        const uint64_t game_key = child(seed_key_, game);
        scores2_ = {};
        int opener = BY_LOT;
        for (uint64_t round = 0; round < ROUND_GUARD; ++round) {
            const uint64_t round_key = child(game_key, round);
            opener = play_round(round_key, opener == BY_LOT ? opener_by_lot(round_key) : opener);
            if (winning_sides_ != 0) return count_win();
        }
        tally_ = before;
        ++tally_.stopped;
    }

    void count_win() {
        ++tally_.games;
        const int share = 12 / popcount(winning_sides_);
        for_each_bit(winning_sides_, [&](int side) { tally_.side_wins[side] += share; });
    }

    // --- rounds -----------------------------------------------------------------------------------

    int opener_by_lot(uint64_t round_key) const {
        return static_cast<int>(below(child(child(round_key, OPENER), 0), rules_.players));
    }

    // Plays and settles one round; returns the next opener. Sets winning_sides_ where the game ends.
    int play_round(uint64_t round_key, int opener) {
        const std::array<int, MAX_PLAYERS> before = scores2_;
        winning_sides_ = 0;
        const TurnsEnd turns = play_turns(round_key, opener);
        const End end = turns.end == End::OUT ? settle_out(turns, opener)
                        : turns.end == End::BLOCKED ? settle_block(opener) : End::TARGET;
        ++tally_.rounds;
        tally_.cut += end == End::TARGET;
        int gained = 0;
        for (int side = 0; side < rules_.sides(); ++side) gained += scores2_[side] - before[side];
        const int own = rules_.side_of(opener);
        tally_.opener_margin2 += rules_.sides() * (scores2_[own] - before[own]) - gained;
        return end == End::BLOCKED && rules_.lot_after_block ? BY_LOT : turns.seat;
    }

    void deal(Deck& deck) {
        for (int seat = 0; seat < rules_.players; ++seat) {
            Halves hand = 0;
            for (int i = 0; i < rules_.hand; ++i) hand |= deck.draw();
            hands_[seat] = hand;
        }
    }

    // Half points that an exact target would still accept from this seat's side.
    int room2_of(int seat) const {
        return rules_.exact ? rules_.target2 - scores2_[rules_.side_of(seat)] : NO_TARGET;
    }

    int seat_after(int seat) const { return seat + 1 == rules_.players ? 0 : seat + 1; }

    // All plays of a round. Kept out of line: inlined into its caller, GCC spills the registers of the loop.
    [[gnu::noinline]] TurnsEnd play_turns(uint64_t round_key, int opener) {
        const uint64_t choice_key = child(round_key, CHOICE);
        Deck deck(child(round_key, DEAL));
        deal(deck);

        Layout layout = 0;
        Halves on_layout = 0;
        int count = 0, seat = opener;
        const Effect* row = effects_.row(Effects::NONE_YET) + LEAD;
        const Scoring* scoring = &scores_.leads();
        Placements legal{hands_[seat] & LOWER_HALVES, 0};
        for (uint64_t plays = 0;; ++plays) {
            const Turn turn{legal, hands_[seat], layout, count, row, row + AT_DOUBLE, *scoring,
                            room2_of(seat), on_layout, tiles_in(hands_[seat_after(seat)]), effects_, scores_};
            const Effect& effect = row[pick(Policy::best(turn), child(choice_key, plays))];
            count = turn.count_after(effect);
            layout += effect.layout;
            on_layout |= halves_of(effect.tile);
            hands_[seat] &= ~halves_of(effect.tile);
            row = effects_.row(effect.first);
            scoring = &scores_.from(count);
            ++tally_.counts[count];
#ifdef CHECKS
            check_play(hands_, rules_.players, deck.undrawn(), on_layout, layout, count);
#endif
            const int points2 = scores_.points2(count);
            if (hands_[seat] == 0) return {End::OUT, seat, points2};
            if (gain(rules_.side_of(seat), points2, PLAY_EVENT)) return {End::TARGET, seat, 0};

            const OpenValues open = open_values(layout);
            const int next = next_seat_to_play(deck, seat, JOINING[open.all()]);
            if (next == NOBODY) return {End::BLOCKED, seat, 0};
            seat = next;
            legal = {hands_[seat] & JOINING[open.ends], hands_[seat] & JOINING[open.doubles]};
        }
    }

    // The next seat that holds a playable half, once it has drawn what it must; seats on the way pass.
    int next_seat_to_play(Deck& deck, int seat, Halves playable) {
        for (;;) {
            seat = seat_after(seat);
            if ((hands_[seat] & playable) != 0 || draw_until_playable(deck, seat, playable)) return seat;
            if (!any_hand_has(playable)) return NOBODY;
            ++tally_.passes;
        }
    }

    bool draw_until_playable(Deck& deck, int seat, Halves playable) {
        while (deck.left() > 0) {
            const Halves tile = deck.draw();
            hands_[seat] |= tile;
            ++tally_.draws;
            if (tile & playable) return true;
        }
        return false;
    }

    bool any_hand_has(Halves playable) const {
        Halves held = 0;
        for (int seat = 0; seat < rules_.players; ++seat) held |= hands_[seat];
        return (held & playable) != 0;
    }

    // Credits a gain unless an exact target refuses it; whether it wins the game.
    bool gain(int side, int points2, Event kind) {
        if (__builtin_expect(scores2_[side] + points2 < rules_.target2, 1)) {
            scores2_[side] += points2;
            return false;
        }
        return gain_near_target(side, points2, kind);
    }

    // A gain that lifts its side to the target or beyond; whether it is accepted and so wins.
    bool gain_near_target(int side, int points2, Event kind) {
        if (rules_.exact && scores2_[side] + points2 > rules_.target2) {
            ++tally_.rejected[kind];
            tally_.points_rejected2 += points2;
            return false;
        }
        scores2_[side] += points2;
        winning_sides_ = 1u << side;
        return true;
    }

    // --- settlement -------------------------------------------------------------------------------

    int settled(int pips) const { return rules_.rounded ? round5(pips) : pips; }

    std::array<int, MAX_PLAYERS> pips_of_hands() const {
        std::array<int, MAX_PLAYERS> pips{};
        for (int seat = 0; seat < rules_.players; ++seat) pips[seat] = pips_of(hands_[seat]);
        return pips;
    }

    End settle_out(const TurnsEnd& turns, int opener) {
        const int side = rules_.side_of(turns.seat);
        if (!rules_.exact && gain(side, turns.last_points2, PLAY_EVENT)) return End::TARGET;
        ++tally_.decided;
        if (side == rules_.side_of(opener)) tally_.opener_share += 12;
        int opponents = 0, partner = 0;
        for (int seat = 0; seat < rules_.players; ++seat) {
            (rules_.side_of(seat) == side ? partner : opponents) += pips_of(hands_[seat]);
        }
        const int credit2 = 2 * settled(opponents);
        if (rules_.exact) {
            const int debit2 = rules_.partner_debited ? 2 * settled(partner) : 0;
            tally_.last_plays_with_settlement += turns.last_points2 > 0;
            combined_event(side, turns.last_points2, credit2 - debit2);
        } else {
            credit_event(side, credit2, OUT_EVENT);
            find_winning_sides();
        }
        return End::OUT;
    }

    // An exact set's out: the last play and the settlement are accepted or refused as one.
    void combined_event(int side, int points2, int settlement2) {
        const int net2 = points2 + settlement2, before2 = scores2_[side];
        tally_.events[OUT_EVENT] += net2 > 0;
        gain(side, net2, OUT_EVENT);
        if (scores2_[side] == before2 + net2) tally_.settlement2 += settlement2;
    }

    // A settlement that is accepted whatever the target.
    void credit_event(int side, int points2, Event kind) {
        tally_.events[kind] += points2 > 0;
        tally_.settlement2 += points2;
        scores2_[side] += points2;
    }

    End settle_block(int opener) {
        ++tally_.decided;
        ++tally_.blocked;
#ifdef CHECKS
        check_block(hands_, rules_.players);
#endif
        const std::array<int, MAX_PLAYERS> pips = pips_of_hands();
        if (rules_.hand_differences) {
            count_block_winner(lightest_hands(pips), opener);
            credit_differences(pips);
        } else {
            const std::array<int, MAX_PLAYERS> of_side = pips_of_sides(pips);
            const unsigned lightest = lightest_of(of_side, rules_.sides());
            count_block_winner(lightest, opener);
            credit_lightest(of_side, lightest);
        }
        return End::BLOCKED;
    }

    // The indices, as a set, of the least of the first n numbers.
    static unsigned lightest_of(const std::array<int, MAX_PLAYERS>& pips, int n) {
        const int least = *std::min_element(pips.begin(), pips.begin() + n);
        unsigned lightest = 0;
        for (int i = 0; i < n; ++i) lightest |= static_cast<unsigned>(pips[i] == least) << i;
        return lightest;
    }

    // The sides of the lightest hands.
    unsigned lightest_hands(const std::array<int, MAX_PLAYERS>& pips) const {
        unsigned sides = 0;
        const unsigned seats = lightest_of(pips, rules_.players);
        for_each_bit(seats, [&](int seat) { sides |= 1u << rules_.side_of(seat); });
        return sides;
    }

    std::array<int, MAX_PLAYERS> pips_of_sides(const std::array<int, MAX_PLAYERS>& pips) const {
        std::array<int, MAX_PLAYERS> of_side{};
        for (int seat = 0; seat < rules_.players; ++seat) of_side[rules_.side_of(seat)] += pips[seat];
        return of_side;
    }

    void count_block_winner(unsigned lightest_sides, int opener) {
        const int tied = popcount(lightest_sides);
        tally_.tied += tied > 1;
        if (lightest_sides >> rules_.side_of(opener) & 1) tally_.opener_share += 12 / tied;
    }

    // Each hand in ascending pips is credited what heavier opposing hands hold more than it.
    void credit_differences(const std::array<int, MAX_PLAYERS>& pips) {
        for (unsigned waiting = (1u << rules_.players) - 1; waiting != 0;) {
            const int seat = lightest_seat(pips, waiting), side = rules_.side_of(seat);
            waiting ^= 1u << seat;
            int differences = 0;
            for (int other = 0; other < rules_.players; ++other) {
                if (rules_.side_of(other) != side) differences += std::max(0, pips[other] - pips[seat]);
            }
            const int points2 = 2 * settled(differences);
            if (points2 > 0 && block_event(side, points2)) return;
        }
    }

    // Of these seats the one with the least pips, ties the lower seat.
    static int lightest_seat(const std::array<int, MAX_PLAYERS>& pips, unsigned seats) {
        int lightest = lowest_bit(seats);
        for_each_bit(seats, [&](int seat) { lightest = pips[seat] < pips[lightest] ? seat : lightest; });
        return lightest;
    }

    // One hand's credit in an exact set's block; whether it wins the game.
    bool block_event(int side, int points2) {
        const int before2 = scores2_[side];
        ++tally_.events[BLOCK_EVENT];
        const bool wins = gain(side, points2, BLOCK_EVENT);
        tally_.settlement2 += scores2_[side] - before2;
        return wins;
    }

    void credit_lightest(const std::array<int, MAX_PLAYERS>& of_side, unsigned lightest) {
        int total = 0;
        for (int side = 0; side < rules_.sides(); ++side) total += of_side[side];
        const int tied = popcount(lightest);
        const int opponents = total - tied * of_side[lowest_bit(lightest)];
        if (tied == 1) {
            credit_event(lowest_bit(lightest), 2 * settled(opponents), BLOCK_EVENT);
        } else if (tied == 2 && rules_.split_ties && rules_.sides() > 2) {
            for_each_bit(lightest, [&](int side) { credit_event(side, settled(opponents), BLOCK_EVENT); });
        }
        find_winning_sides();
    }

    // Where a target may be passed: the highest of the sides that reached it.
    void find_winning_sides() {
        const int best = *std::max_element(scores2_.begin(), scores2_.begin() + rules_.sides());
        if (best < rules_.target2) return;
        for (int side = 0; side < rules_.sides(); ++side) {
            winning_sides_ |= static_cast<unsigned>(scores2_[side] == best) << side;
        }
    }

    const Rules rules_;
    const Effects effects_;
    const Scores scores_;
    const uint64_t seed_key_;
    Tally tally_;
    std::array<int, MAX_PLAYERS> scores2_{};  // by side
    std::array<Halves, MAX_PLAYERS> hands_{};
    unsigned winning_sides_ = 0;  // of the game; none while it goes on
};

}  // namespace fives
