# Leagues that run the judge for each pair of games, see docs/arena.md. Part of tests/peers/run, which defines "same",
# "skip" and so on. The players are bundled opponents of the judge, and a bot that crashes.

# psyleague runs the judge by its setting cmd_play_game.
psyleague() {
    local version=0.4.1 league=$work/league log=$work/psyleague.out bot
    install psyleague $version 8 || return
    rm -rf "$league"
    mkdir -p "$league"
    printf '[bots]\ncrashes = "sh -c '\''exit 3'\''"\n' >"$league/judge.toml"
    local run="$work/psyleague/bin/psyleague"
    (
        cd "$league" || exit
        $run config
        sed -i -e 's/^cmd_bot_setup = .*/cmd_bot_setup = "true"/' \
            -e "s|^cmd_play_game = .*|cmd_play_game = \"$judge match --format psyleague --family nim --max-n 30 --seed \$(date +%N) %P1% %P2%\"|" \
            psyleague.cfg
        for bot in perfect greedy random crashes; do $run bot add $bot; done
        timeout 300 $run run --games 60 --silent
        $run show
    ) >"$log" 2>&1
    cat "$log"
    same "psyleague $version: 60 games, the perfect bot is first; the bot that crashes is last, and only this bot has errors" "60
perfect
crashes
crashes" "$(wc -l <"$league/psyleague.games")
$(awk '$1 == 1 {print $2}' "$log")
$(awk '$1 == 4 {print $2}' "$log")
$(awk -F' : ' '$6 > 0 {print $1}' "$league/psyleague.db")"
}

# cgarena, a workbench with its own server, runs the judge as its referee command.
cgarena() {
    local version=1.4.2 log=$work/cgarena.log python
    if ! python=$(python 8); then
        skip "cgarena $version: there is no Python 3.8 or newer"
        return
    fi
    # An optimized build would not play faster, but would take minutes longer to compile.
    if ! cargo install --quiet --locked --debug --root "$work/cgarena" "cgarena@$version" >"$log" 2>&1; then
        skip "cgarena $version: cannot be installed: $(grep -i error "$log" | tail -n 1)"
        return
    fi
    rm -rf "$work/workbench"
    "$python" tests/peers/cgarena_league.py "$work/cgarena/bin/cgarena" "$judge" "$work/workbench" >"$log" 2>&1
    cat "$log"
    same "cgarena $version: all games played and recorded, the perfect bot is before the random one" "perfect random" "$(tail -n 1 "$log")"
}
