import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Child {
  process: ChildProcess;
  /** The next line of its standard output, null after its end. */
  line(): Promise<string | null>;
  /** Ends it at once, as a crash would, and waits until it is gone. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/**
 * Runs an ES module given as text in a Node process of its own.
 * @param code its imports are absolute URLs
 */
export function runModule(code: string): Child {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.add(child);
  const gone = once(child, 'exit').finally(() => running.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    line: async () => {
      const { value, done } = await lines.next();
      return done ? null : value;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Ends what a failed test left behind. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}
