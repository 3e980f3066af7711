#!/usr/bin/env bash
# A Slurm of one node on this machine, for tests, without systemd: `slurm.sh up FOLDER` and `slurm.sh down FOLDER`, and
# `slurm.sh clear` for what is left of one whose tests were killed before they took it down.
# Everything is in FOLDER, but for a link to its configuration: Snakemake's jobs start `srun` without SLURM_CONF. Needs
# root and Debian's packages slurmctld, slurmd, slurm-client and munge.
set -euo pipefail

folder=${2:-}
host=$(hostname -s)
link=/etc/slurm/slurm.conf

up() {
    if [ -e $link ]; then
        echo "This machine has a Slurm of its own ($link); not starting another." >&2
        exit 1
    fi
    mkdir -p "$folder"/{state,spool}
    chmod 755 "$folder"
    echo $PPID >"$folder/owner.pid"
    dd if=/dev/urandom of="$folder/munge.key" bs=128 count=1 status=none
    chmod 600 "$folder/munge.key"
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
        --log-file="$folder/munged.log" --seed-file="$folder/munge.seed" 2>"$folder/munged.err"
    cat >"$folder/slurm.conf" <<EOF
ClusterName=ockham
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0
EnforcePartLimits=ALL
MinJobAge=3600
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(awk '/MemTotal/ {print int($2 / 1024)}' /proc/meminfo)
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
    ln -sf "$folder/slurm.conf" $link
    slurmctld
    slurmd
    for _ in $(seq 100); do
        sinfo --noheader --format=%T 2>/dev/null | grep -q idle && exit 0
        sleep 0.2
    done
    echo "Slurm did not come up within 20 s:" >&2
    tail "$folder"/*.log >&2
    exit 1
}

down() {
    for daemon in slurmctld slurmd munged; do
        [ -s "$folder/$daemon.pid" ] || continue
        process=$(cat "$folder/$daemon.pid")
        kill "$process" 2>/dev/null || continue
        for _ in $(seq 100); do
            kill -0 "$process" 2>/dev/null || continue 2
            sleep 0.1
        done
        kill -KILL "$process"
    done
    [ "$(readlink $link)" != "$folder/slurm.conf" ] || rm $link
}

clear() {
    folder=$(dirname "$(readlink $link || true)")
    [ -s "$folder/owner.pid" ] && ! kill -0 "$(cat "$folder/owner.pid")" 2>/dev/null || return 0
    down
    rm -r "$folder"
}

"$1"
