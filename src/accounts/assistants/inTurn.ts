/** Runs work, after what the same key began before. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Work of one key runs one at a time, that of other keys beside it. */
export function createTurns(): InTurn {
  const latest = new Map<string, Promise<void>>();
  return (key, work) => {
    const result = (latest.get(key) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => undefined,
      () => undefined,
    );
    latest.set(key, ended);
    void ended.then(() => {
      if (latest.get(key) === ended) latest.delete(key);
    });
    return result;
  };
}
