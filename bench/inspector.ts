import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Launched } from '../test/helpers/launched.ts';

/** Queries to a process through its debugging port. */
export interface Inspector {
  /** Bytes of the main thread's heap that are in use after a garbage collection. */
  heapAfterGc(): Promise<number>;
  close(): void;
}

/** Connects to a process that was started with `--inspect`. */
export async function inspect({ stderr }: Launched): Promise<Inspector> {
  const socket = new WebSocket(/ws:\/\/127\.0\.0\.1:\S+/.exec(stderr)![0]);
  await once(socket, 'open');
  let id = 0;
  const call = async <T>(method: string): Promise<T> => {
    const own = ++id;
    socket.send(JSON.stringify({ id: own, method }));
    for (;;) {
      const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
      const answer = JSON.parse(data) as { id?: number; result: T };
      if (answer.id === own) return answer.result;
    }
  };
  return {
    async heapAfterGc() {
      await call('HeapProfiler.collectGarbage');
      return (await call<{ usedSize: number }>('Runtime.getHeapUsage')).usedSize;
    },
    close: () => socket.close(),
  };
}

/** Bytes of a process's memory that are in RAM now; 0 for one that has just ended. Linux only. */
export function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}
