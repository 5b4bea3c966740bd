/** One thing that was measured beside its counterpart on plain Temporal. */
export interface Comparison {
  name: string;
  /** Milliseconds, one for each run. */
  ours: number[];
  raw: number[];
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** @returns milliseconds that the work took */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Measures both in turn, so that other load slows both. The first round is a warm-up and does not count. */
export async function compare(
  name: string,
  runs: number,
  work: { ours: (run: number) => Promise<number>; raw: (run: number) => Promise<number> },
): Promise<Comparison> {
  const found: Comparison = { name, ours: [], raw: [] };
  for (let run = 0; run <= runs; run++) {
    const [ours, raw] = [await work.ours(run), await work.raw(run)];
    if (run === 0) continue;
    found.ours.push(ours);
    found.raw.push(raw);
  }
  return found;
}

export function rowOf({ name, ours, raw }: Comparison): string {
  const [a, b] = [median(ours), median(raw)];
  return `| ${name} | ${(a / b).toFixed(2)} | ${a.toFixed(1)} ms | ${b.toFixed(1)} ms | ${ours.length} |`;
}
