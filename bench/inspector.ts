import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { LaunchedProcess } from '../test/helpers/launched.ts';

export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  /** For each sample, the id of the node that ran. */
  samples: number[];
  /** For each sample, microseconds since the one before. */
  timeDeltas: number[];
}

/** Bytes of a thread's memory that are in use. */
export interface ThreadMemory {
  heap: number;
  /** The contents of buffers, which are outside of the heap. */
  arrayBuffers: number;
}

/** Queries to a process through its debugging port. */
export interface Inspector {
  /** What the main thread uses after a garbage collection. */
  memoryAfterGc(): Promise<ThreadMemory>;
  /**
   * What the main thread does while the work goes on, as Chrome's developer tools read it from a
   * .cpuprofile.
   */
  profile(work: () => Promise<unknown>): Promise<CpuProfile>;
  close(): void;
}

/** Connects to a process that was started with `--inspect`. */
export async function inspect({ stderr }: LaunchedProcess): Promise<Inspector> {
  const socket = new WebSocket(/ws:\/\/127\.0\.0\.1:\S+/.exec(stderr)![0]);
  await once(socket, 'open');
  let id = 0;
  const call = async <T>(method: string, params: object = {}): Promise<T> => {
    const own = ++id;
    socket.send(JSON.stringify({ id: own, method, params }));
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
      const answer = JSON.parse(data) as { id?: number; result: T };
      if (answer.id === own) return answer.result;
    }
  };
  return {
    async memoryAfterGc() {
      await call('HeapProfiler.collectGarbage');
      const { result } = await call<{ result: { value: NodeJS.MemoryUsage } }>('Runtime.evaluate', {
        expression: '({ ...process.memoryUsage() })',
        returnByValue: true,
      });
      return { heap: result.value.heapUsed, arrayBuffers: result.value.arrayBuffers };
    },
    async profile(work) {
      await call('Profiler.enable');
      await call('Profiler.setSamplingInterval', { interval: 500 });
      await call('Profiler.start');
      await work();
      return (await call<{ profile: CpuProfile }>('Profiler.stop')).profile;
    },
    close: () => socket.close(),
  };
}

/** Bytes of a process's memory that are in RAM now; 0 for one that has just ended. Linux only. */
export function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
