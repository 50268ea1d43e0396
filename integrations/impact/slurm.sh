#!/bin/bash
# The impact of a change on all nodes: a job array of Slurm, each task of which compares a part of the nodes.
#
#     export REPOSITORY=/shared/control-repo FACTS=/shared/facts PARTS=/shared/parts
#     mkdir -p "$PARTS"
#     array=$(sbatch --parsable --array=1-8 slurm.sh)
#     sbatch --wait --dependency="afterany:$array" --output="$PARTS/merge.log" \
#         --wrap 'marotte impact --output-format html --merge "$PARTS"/part-* > "$PARTS/report.html"'
#
# All machines share the three folders. Parts and logs are not written into the repository, where they would be a change of the
# working tree. The status of the last command is that of `marotte impact`, which names the parts that are missing: with `afterok`, a
# task that fails would keep the last job from running. The log of a task says why; it is repeated by the number of the part:
# `sbatch --export=ALL,SHARD=3/8 slurm.sh`.
#SBATCH --job-name=marotte-impact
#SBATCH --cpus-per-task=1
#SBATCH --output=/dev/null
set -eu
part=${SLURM_ARRAY_TASK_ID:-${SHARD%/*}}
log=$PARTS/log-$part
marotte impact --environment-dir "$REPOSITORY" --facts-dir "$FACTS" --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "${SHARD:-auto}" --output "$PARTS/part-$part" 2> "$log"
