// The reference: plays the rounds or games of one rule set under one policy and prints their tallies.
//
//     reference RULES PLAYERS POLICY rounds|games N SEED [FIRST_GAME]
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "policies.hpp"
#include "rules.hpp"
#include "simulator.hpp"
#include "tally.hpp"

namespace {

using namespace fives;

struct Task {
    Rules rules;
    bool games;
    uint64_t n, seed, first_game;
};

struct Timed {
    Tally tally;
    double seconds;
};

template <class Policy>
Timed run(const Task& task) {
    Simulator<Policy> simulator(task.rules, task.seed);
    const auto play = [&](uint64_t n) {
        return task.games ? simulator.play_games(task.first_game, n)
                          : simulator.play_rounds(task.first_game, n);
    };
    play(task.n / 100);  // warms caches and branch predictors; not counted
    const auto start = std::chrono::steady_clock::now();
    const Tally tally = play(task.n);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return {tally, elapsed.count()};
}

// Runs the policy of this name; false where there is none.
template <class... Policies>
bool run_named(const std::string& name, const Task& task, Timed& timed) {
    return ((name == Policies::NAME && (timed = run<Policies>(task), true)) || ...);
}

// --- output -----------------------------------------------------------------------------------------

void print_field(const char* name, int64_t value) { std::printf("\"%s\": %" PRId64 ", ", name, value); }

void print_by_event(const char* name, const std::array<int64_t, EVENTS>& by_event) {
    std::printf("\"%s\": {\"play\": %" PRId64 ", \"out\": %" PRId64 ", \"block\": %" PRId64 "}, ", name,
                by_event[PLAY_EVENT], by_event[OUT_EVENT], by_event[BLOCK_EVENT]);
}

template <class List>
void print_list(const char* name, const List& list, int length) {
    std::printf("\"%s\": [", name);
    for (int i = 0; i < length; ++i) std::printf("%s%" PRId64, i == 0 ? "" : ", ", list[i]);
    std::printf("]");
}

int trimmed_length(const std::array<int64_t, COUNTS>& counts) {
    int length = COUNTS;
    while (length > 0 && counts[length - 1] == 0) --length;
    return length;
}

void print_tallies(const Tally& tally, const Rules& rules) {
    print_field("games", tally.games);
    print_field("stopped", tally.stopped);
    print_field("rounds", tally.rounds);
    print_field("decided", tally.decided);
    print_field("blocked", tally.blocked);
    print_field("tied", tally.tied);
    print_field("cut", tally.cut);
    print_field("plays", tally.plays);
    print_field("draws", tally.draws);
    print_field("passes", tally.passes);
    print_field("points2", tally.points2);
    print_field("scoring", tally.scoring);
    print_field("settlement2", tally.settlement2);
    print_by_event("events", tally.events);
    print_by_event("rejected", tally.rejected);
    print_field("points_rejected2", tally.points_rejected2);
    print_list("side_wins", tally.side_wins, rules.sides());
    std::printf(", ");
    print_field("opener_share", tally.opener_share);
    print_field("opener_margin2", tally.opener_margin2);
    print_list("counts", tally.counts, trimmed_length(tally.counts));
}

void print_result(const Timed& timed, const Rules& rules) {
    const Tally& tally = timed.tally;
    std::printf("{\"seconds\": %.6f, ", timed.seconds);
    print_field("plays", tally.plays);
    std::printf("\"ns_per_play\": %.3f, ", tally.plays == 0 ? 0 : timed.seconds * 1e9 / tally.plays);
    std::printf("\"rounds_per_second\": %.1f, ", tally.rounds / timed.seconds);
    std::printf("\"tallies\": {");
    print_tallies(tally, rules);
    std::printf("}}\n");
}

// --- input ------------------------------------------------------------------------------------------

[[noreturn]] void refuse(const char* message) {
    std::fprintf(stderr, "reference: %s\n", message);
    std::exit(2);
}

uint64_t whole_number(const char* text) {
    char* end = nullptr;
    const unsigned long long number = std::strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0') refuse("N, SEED and FIRST_GAME must be whole numbers.");
    return number;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 7 || argc > 8) {
        refuse("usage: reference RULES PLAYERS POLICY rounds|games N SEED [FIRST_GAME]");
    }
    const std::string rules_name = argv[1], policy_name = argv[3], mode = argv[4];
    if (mode != "rounds" && mode != "games") refuse("the fourth argument must be rounds or games.");
    Task task{};
    task.games = mode == "games";
    task.n = whole_number(argv[5]);
    if (task.n == 0) refuse("N must be at least 1.");
    task.seed = whole_number(argv[6]);
    task.first_game = argc == 8 ? whole_number(argv[7]) : 0;
    if (!make_rules(rules_name, std::atoi(argv[2]), task.games, task.rules)) {
        refuse("RULES must be exact61, allfives, partout5 or draw, and PLAYERS 2, 3 or 4.");
    }
    Timed timed{};
    const bool known = run_named<Random, Greedy, Careful, Heavy, Doubles, LowCount, Mobile, Defend>(
        policy_name, task, timed);
    if (!known) {
        refuse("POLICY must be random, greedy, careful, heavy, doubles, lowcount, mobile or defend.");
    }
    print_result(timed, task.rules);
    return 0;
}
