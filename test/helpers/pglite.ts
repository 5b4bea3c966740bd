import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('pgliteProcess.ts', import.meta.url));

export interface PgliteOptions {
  /** Where it keeps its data; '' for a database in memory. */
  folder?: string;
  /** 0 for a free one. */
  port?: number;
  /** Connections at the same time. They share one session. */
  connections?: number;
  /**
   * Whether a copy of this run's migrated database will do. Migrations are still needed: outside of
   * a run it is empty.
   */
  isMigrated?: boolean;
}

export interface PgliteServer {
  url: string;
  port: number;
  stop(): Promise<void>;
}

/**
 * Starts PGlite in a process of its own, which ends with this one. Its memory would make every
 * command that a test starts slow: starting a process takes the longer the more memory the starter
 * has.
 */
export async function startPglite(options: PgliteOptions = {}): Promise<PgliteServer> {
  const settings = { folder: '', port: 0, connections: 1, isMigrated: false, ...options };
  // PGlite is 8 MB of WebAssembly: what V8 spends on optimizing it, a test's few queries never
  // bring back (measured)
  const words = ['--liftoff-only', program, JSON.stringify(settings)];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const port = Number(line);
  child.unref();
  for (const stream of [child.stdin, child.stdout])
    (stream as unknown as { unref(): void }).unref();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}
