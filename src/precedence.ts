import { waitFor } from './waiting.ts';

/** Milliseconds that work waits at most: what goes first can't stop it for long. */
const LONGEST_MS = 500;

/** Lets work that people wait for go before work that begins meanwhile. */
export interface Precedence {
  /** Runs work that goes first. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing that goes first is under way, after half a second at the latest. */
  free(): Promise<void>;
}

/** @param what goes first, for people: `a creation` */
export function createPrecedence(what: string, longestMs = LONGEST_MS): Precedence {
  let underWay = 0;
  let over = Promise.withResolvers<void>();

  function end(): void {
    if (--underWay > 0) return;
    over.resolve();
    over = Promise.withResolvers();
  }

  async function soon(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, longestMs);
    await Promise.race([over.promise, late.promise]).finally(() => clearTimeout(timer));
  }

  return {
    async first(work) {
      underWay++;
      try {
        return await work();
      } finally {
        end();
      }
    },
    async free() {
      if (underWay > 0) await waitFor(what, soon());
    },
  };
}
