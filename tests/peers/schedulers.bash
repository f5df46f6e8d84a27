# Schedulers that run the judge in shards. Part of tests/peers/run, which defines "say", "skip", "same" and so on.
#
# Each scheduler does the runs below by its script in docs/scale.md. One task of each run is stopped in the middle, and
# continues from its checkpoint. The merged results are compared with those of the run on one machine.

# The runs: their commands and options. Each game of the bot and of the sweep takes a while, so a task that has a few
# results still runs for seconds, in which it can be stopped. The time limit is large, because the tasks share the processors.
slow_bot=$work/bots/slow
scaled_runs=(arena stress sweep)
scaled_run() {
    case $1 in
        arena) echo "--family nim --max-n 30 --pairs 30 --time-limit 20 --bot a=$slow_bot --bot greedy" ;;
        stress) echo "--family nim --max-n 30 --games 60 --keep-going --time-limit 20" ;;
        sweep) echo "--l 2..9 --r 9..16 --to 50000" ;;
    esac
}
# The program and the command of a run; both programs are in PATH.
scaled_command() { [ "$1" = sweep ] && echo "grundy sweep segment" || echo "judge $1"; }
# The bot of a run, after its options.
scaled_bot() { [ "$1" != stress ] || echo "-- $slow_bot"; }

# scaled NAME: makes an empty directory for the runs of a scheduler. Does the runs on one machine if they are missing.
scaled() {
    printf '#!/bin/sh\nsleep 0.5\nexec %q bot\n' "$judge" >"$slow_bot"
    chmod +x "$slow_bot"
    rm -rf "${work:?}/$1"
    mkdir -p "$work/$1"
    [ -e "$work/whole" ] && return
    mkdir -p "$work/whole.part"
    local kind
    for kind in "${scaled_runs[@]}"; do
        # shellcheck disable=SC2046
        $(scaled_command "$kind") $(scaled_run "$kind") --jobs 4 --checkpoint "$work/whole.part/$kind.jsonl" $(scaled_bot "$kind") >/dev/null || return
    done
    mv "$work/whole.part" "$work/whole"
}
# Delete the results of an earlier judge, so that `scaled` repeats the runs on one machine.
rm -rf "$work/whole" "$work/whole.part"

# script NUMBER KIND DIRECTORY: writes the script with this number in docs/scale.md to DIRECTORY/KIND.sh, for a run in
# four shards whose results are in DIRECTORY/results-KIND. The scripts find the judge in PATH.
script() {
    local options
    options="$(scaled_run "$2") $(scaled_bot "$2")"
    awk -v number="$1" '/^```bash$/ {count++; inside = count == number; next} /^```$/ {inside = 0} inside' "$scripts" |
        sed -e "s|judge arena|$(scaled_command "$2")|; s|--bot new=./new --bot old=./old --pairs 10000|$options|" \
            -e "s|results|results-$2|g; s|\\b64\\b|4|g; s|--jobs 2 |--jobs 1 |; s|--cpus-per-task=2|--cpus-per-task=1|; s|--cpus 2|--cpus 1|" \
            >"$3/$2.sh"
    [ -s "$3/$2.sh" ] && chmod +x "$3/$2.sh"
}
# The page with the scripts, and the number of each. Set here because a scheduler's function may have a local "root".
scripts=$root/docs/scale.md slurm_script=1 hyperqueue_script=2 parallel_script=3
export PATH=${judge%/*}:$PATH

# results_of DIRECTORY KIND: prints the directory in which the script writes its results.
results_of() { echo "$1/results-$2"; }

# await SECONDS COMMAND...: waits until the command succeeds.
await() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $deadline ] || return
        sleep 0.2
    done
}

# has_lines FILE COUNT: returns whether FILE has at least COUNT lines.
has_lines() { [ "$(cat "$1" 2>/dev/null | wc -l)" -ge "$2" ]; }

# merged DIRECTORY KIND: merges the results of the shards and compares them with the run on one machine. Prints the
# numbers of results and of equal results, and the difference of the tables if there is one.
merged() {
    local results whole=$work/whole/$2.jsonl
    results=$(results_of "$1" "$2")
    # The second merge fails if two results with the same number differ.
    {
        "$judge" merge "$results"/*.jsonl --output "$1/$2.jsonl"
        "$judge" merge "$1/$2.jsonl" "$whole" --output "$1/both.jsonl"
    } 2>&1 | sed 's/ of the run [0-9a-f]*,/,/'
    if [ "$2" = arena ]; then
        diff <("$judge" arena --rate "$1/arena.jsonl" | grep -v ' p50 ') <("$judge" arena --rate "$whole" | grep -v ' p50 ')
    fi
}
expected_merged() {
    local total
    total=$(wc -l <"$work/whole/$1.jsonl")
    echo "$total of $total results, from 4 files, 0 duplicates
$total of $total results, from 2 files, $total duplicates"
}

# continues FILE COPY: returns whether FILE begins with COPY, an earlier copy of it that is not empty.
continues() { [ -s "$2" ] && cmp -s -n "$(wc -c <"$2")" "$1" "$2"; }

# debs NAME PACKAGE...: unpacks Debian packages below target/peers/NAME. Nothing is installed in the system.
debs() {
    local name=$1 log=$work/$1-debs.log
    shift
    if ! command -v apt-get >/dev/null; then
        skip "$name: there is no apt-get"
        return 1
    fi
    mkdir -p "$work/$name/debs"
    if ! (cd "$work/$name/debs" && { apt-get download "$@" || { apt-get update && apt-get download "$@"; }; } &&
        for deb in *.deb; do dpkg -x "$deb" ../root || exit; done) >"$log" 2>&1; then
        skip "$name: cannot be fetched: $(grep '^E:' "$log" | tail -n 1)"
        return 1
    fi
}

# Slurm: one controller and two nodes on this machine.
slurm() {
    local here=$work/slurm root=$work/slurm/root conf=$work/slurm/etc/slurm.conf libraries pids=() kind job
    scaled slurm || { fail "slurm: the runs on one machine"; return; }
    debs slurm libhwloc15 liblua5.1-0 libmunge2 slurm-client slurm-wlm-basic-plugins slurmctld slurmd || return
    if [ "$(id -u)" != 0 ]; then
        skip "slurm: only root can start its daemons here"
        return
    fi
    libraries=$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || cc -print-multiarch)
    mkdir -p "$here/etc" "$here/state" "$here/spool/n1" "$here/spool/n2" "$here/log"
    # A requeued job starts when its old credential has expired. The ports are below 32768, the first port
    # that Linux assigns to outgoing connections.
    cat >"$conf" <<CONF
ClusterName=peers
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$((20000 + $$ % 4000))
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
AuthInfo=cred_expire=5
PluginDir=$libraries/slurm-wlm
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool/%n
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/slurmd-%n.pid
SlurmctldLogFile=$here/log/slurmctld
SlurmdLogFile=$here/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
ReturnToService=2
KillWait=10
MinJobAge=600
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((24000 + $$ % 4000)) CPUs=2
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((28000 + $$ % 4000)) CPUs=2
PartitionName=peers Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
    (
        export SLURM_CONF=$conf LD_LIBRARY_PATH=$libraries/slurm-wlm:$libraries PATH=$root/usr/bin:$PATH
        # End the daemons, and the processes that they have started, whenever this shell ends.
        trap 'scancel --user root --full; kill "${pids[@]}"; await 15 ended; kill -9 "${pids[@]}"; wait' EXIT
        ended() { ! kill -0 "${pids[@]}"; }
        exec 2>>"$here/log/stderr"
        "$root/usr/sbin/slurmctld-wlm" -D &
        pids+=($!)
        for node in n1 n2; do
            "$root/usr/sbin/slurmd-wlm" -D -N $node -d "$root/usr/sbin/slurmstepd-wlm" &
            pids+=($!)
        done
        await 30 eval '[ "$(sinfo --noheader --states idle --format %D)" = 2 ]' || { echo "no idle nodes"; exit 1; }
        cd "$here" || exit
        for kind in "${scaled_runs[@]}"; do
            script "$slurm_script" "$kind" "$here" || exit
            job=$(sbatch --parsable --output="$here/log/%x-%a" "$here/$kind.sh") || exit
            results=$(results_of "$here" "$kind")
            # Stop the second task when it has some results.
            await 60 has_lines "$results/2.jsonl" 3 || { echo "$kind: no results"; exit 1; }
            scontrol requeue "${job}_2" || exit
            cp "$results/2.jsonl" "$here/before.jsonl"
            if [ "$kind" = arena ]; then
                # Send the signal that Slurm sends a minute before the time limit: the third task requeues itself.
                await 60 has_lines "$results/3.jsonl" 2 && scancel --batch --signal=USR1 "${job}_3" || exit
            fi
            await 240 eval '[ -z "$(squeue --noheader --job "$job")" ] || ! squeue --job "$job" | grep -q "[A-Z]"' ||
                { echo "$kind: the tasks do not end"; squeue; exit 1; }
            scontrol show job "$job" >"$here/log/$kind"
            echo "$kind: on nodes $(sed -n 's/.*BatchHost=\(n[12]\).*/\1/p' "$here/log/$kind" | sort -u | paste -sd ' ')," \
                "started again: $(awk -F '[ =]+' '/ArrayTaskId/ {task = $6} / Restarts=[1-9]/ {print task}' "$here/log/$kind" | sort | paste -sd ' ')"
            continues "$results/2.jsonl" "$here/before.jsonl" || { echo "$kind: task 2 did not continue"; exit 1; }
            merged "$here" "$kind"
        done
    ) >"$here/out" || tail -n 3 "$here/log/stderr" >>"$here/out"
    cat "$here/out"
    same "slurm 22.05: arrays of 4 tasks of arena, stress and sweep on 2 nodes, one task requeued; merged as on one machine" \
        "$(for kind in "${scaled_runs[@]}"; do
            echo "$kind: on nodes n1 n2, started again: $([ "$kind" = arena ] && echo 2 3 || echo 2)"
            expected_merged "$kind"
        done)" "$(cat "$here/out")"
}

# HyperQueue: two workers, one of which is killed.
hyperqueue() {
    local version=0.27.0 here=$work/hyperqueue-runs kind arguments=() log=$work/hyperqueue-runs/log
    scaled hyperqueue-runs || { fail "hyperqueue $version: the runs on one machine"; return; }
    install hyperqueue $version 9 || return
    for kind in "${scaled_runs[@]}"; do
        script "$hyperqueue_script" "$kind" "$here" || { fail "hyperqueue $version: the script of docs/scale.md"; return; }
        arguments+=("$kind=$(results_of "$here" "$kind")")
    done
    # `timeout` also ends the processes of the workers, because they are in its process group.
    timeout --kill-after 10 400 "$work/hyperqueue/bin/python" tests/peers/hyperqueue_cluster.py "$here" "${arguments[@]}" >"$here/out" 2>"$log"
    tail -n 3 "$log"
    for kind in "${scaled_runs[@]}"; do
        continues "$(results_of "$here" "$kind")/2.jsonl" "$here/$kind-before.jsonl" || echo "$kind: task 2 did not continue" >>"$here/out"
        merged "$here" "$kind" >"$here/$kind-merged"
    done
    same "hyperqueue $version: 4 tasks each of arena, stress and sweep on 2 workers, one killed; merged as on one machine" \
        "$(for kind in "${scaled_runs[@]}"; do echo "$kind: task 2 was started 2 times"; done
            for kind in "${scaled_runs[@]}"; do expected_merged "$kind"; done)" \
        "$(grep ' task 2 ' "$here/out"; for kind in "${scaled_runs[@]}"; do cat "$here/$kind-merged"; done)"
}

# GNU parallel: stopped in the middle, and run again with the same joblog.
parallel() {
    local here=$work/parallel kind results log=$work/parallel/log seen="" expected="" process
    scaled parallel || { fail "parallel: the runs on one machine"; return; }
    debs parallel parallel || return
    for kind in "${scaled_runs[@]}"; do
        script "$parallel_script" "$kind" "$here" || { fail "parallel: the script of docs/scale.md"; return; }
        results=$(results_of "$here" "$kind")
        (cd "$here" && PATH=$here/root/usr/bin:$PATH exec timeout --foreground 120 bash "$kind.sh" --jobs 2) >>"$log" 2>&1 &
        process=$!
        await 60 has_lines "$results/2.jsonl" 2
        # The first signal lets the running tasks finish; the second ends them.
        pkill -TERM --parent $process
        pkill -TERM --parent $process
        wait $process
        cp "$results/2.jsonl" "$here/before.jsonl"
        (cd "$here" && PATH=$here/root/usr/bin:$PATH exec timeout --foreground 240 bash "$kind.sh" --jobs 2) >>"$log" 2>&1
        seen+="$kind $? $(continues "$results/2.jsonl" "$here/before.jsonl" && echo "continued") $(awk 'NR > 1 && $7 == 0 {print $NF}' "$results/joblog" | sort -un | paste -sd ' ')"$'\n'
        seen+="$(merged "$here" "$kind")"$'\n'
        expected+="$kind 0 continued 1 2 3 4"$'\n'"$(expected_merged "$kind")"$'\n'
    done
    cat "$log"
    same "parallel 20221122: 4 tasks each of arena, stress and sweep, ended in the middle, --resume; merged as on one machine" "$expected" "$seen"
}
