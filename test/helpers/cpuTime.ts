/** Milliseconds of this thread's CPU time that the work takes: a busy machine does not change them. */
export function cpuTime(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** The longest that this thread's event loop was held up by the work, in milliseconds of the thread's CPU time. */
export async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  await work().finally(() => clearInterval(timer));
  look();
  return longest;
}
