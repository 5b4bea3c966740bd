import { readdirSync, readFileSync } from 'node:fs';

/** The kernel's unit of time in /proc: a hundredth of a second on every Linux. */
const TICKS_PER_SECOND = 100;

/** One process, as /proc shows it. */
interface ProcessTimes {
  pid: number;
  parent: number;
  /** CPU seconds of the process itself. */
  own: number;
  /** CPU seconds of the processes that it started and waited for, with theirs. */
  waitedFor: number;
}

/** CPU seconds of killed processes whose parent no longer lived to wait for them, by their ids. */
const orphaned = new Map<number, number>();

/**
 * CPU seconds of a process and of everything that it started, ended or not. Without /proc: of this
 * process alone, and 0 for others.
 */
export function cpuSecondsOf(pid: number): number {
  const times = readTimes(pid);
  if (times) return totalOf(times) + cpuSecondsBelow(pid);
  return pid === process.pid ? ownSeconds() : 0;
}

/** CPU seconds of what a process started and has not waited for. */
export function cpuSecondsBelow(pid: number): number {
  const byParent = Map.groupBy(readProcesses(), ({ parent }) => parent);
  const below = (parent: number): number =>
    (byParent.get(parent) ?? []).reduce((sum, one) => sum + totalOf(one) + below(one.pid), 0);
  return below(pid);
}

/** CPU seconds of processes that were killed, which `cpuSecondsOf` cannot know. */
export function orphanedSeconds(): number {
  return [...orphaned.values()].reduce((sum, seconds) => sum + seconds, 0);
}

/**
 * Counts what these processes used, before they are killed together. Only a living parent waits for
 * a child, so the system forgets the time of the others.
 */
export function countOrphans(pids: number[]): void {
  for (const times of pids.map(readTimes)) {
    const isForgotten = times && (times.parent === 1 || pids.includes(times.parent));
    if (isForgotten) orphaned.set(times.pid, totalOf(times));
  }
}

const totalOf = ({ own, waitedFor }: ProcessTimes) => own + waitedFor;

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function readProcesses(): ProcessTimes[] {
  return listPids()
    .map(readTimes)
    .filter((times) => times !== null);
}

function listPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** null for a process that is gone, and without /proc. */
function readTimes(pid: number): ProcessTimes | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // the program's name, which comes before, may hold brackets and spaces
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
  return {
    pid,
    parent: fields[1]!,
    own: (user + system) / TICKS_PER_SECOND,
    waitedFor: (childrenUser + childrenSystem) / TICKS_PER_SECOND,
  };
}
