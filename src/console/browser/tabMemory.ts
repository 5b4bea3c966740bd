/** Prefix of the keys in sessionStorage. */
const KEPT = 'kept ';
/** Keeps the values in tabs that may not store anything. */
const here = new Map<string, string>();

/**
 * Values that this tab keeps until it is closed, even when it is reloaded. They may be secrets:
 * they are in no address, and no other tab or host gets them.
 */
export const tabMemory = {
  get(name: string): string | undefined {
    return here.get(name) ?? stored((storage) => storage.getItem(KEPT + name)) ?? undefined;
  },
  set(name: string, value: string | undefined): void {
    here.delete(name);
    stored((storage) => storage.removeItem(KEPT + name));
    if (value === undefined) return;
    here.set(name, value);
    stored((storage) => storage.setItem(KEPT + name, value));
  },
  /** Forgets all values, so that the next person who signs in gets none of them. */
  clear(): void {
    here.clear();
    stored((storage) =>
      Object.keys(storage)
        .filter((key) => key.startsWith(KEPT))
        .forEach((key) => storage.removeItem(key)),
    );
  },
};

/** Uses the tab's storage; undefined if the browser forbids it, or the storage is full. */
function stored<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
