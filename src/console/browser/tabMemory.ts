/** Prefix of the keys in sessionStorage. */
const KEY_PREFIX = 'kept ';
/** The same values in memory, for tabs whose browser forbids storage. */
const tabValues = new Map<string, string>();

/**
 * Values that this tab keeps until it is closed, even if it is reloaded. They may be secrets,
 * because they are not in any URL, and no other tab or host can read them.
 */
export const tabMemory = {
  get(name: string): string | undefined {
    return (
      tabValues.get(name) ??
      withStorage((storage) => storage.getItem(KEY_PREFIX + name)) ??
      undefined
    );
  },
  set(name: string, value: string | undefined): void {
    tabValues.delete(name);
    withStorage((storage) => storage.removeItem(KEY_PREFIX + name));
    if (value === undefined) return;
    tabValues.set(name, value);
    withStorage((storage) => storage.setItem(KEY_PREFIX + name, value));
  },
  /** Removes all values, so that the next person who signs in gets none of them. */
  clear(): void {
    tabValues.clear();
    withStorage((storage) =>
      Object.keys(storage)
        .filter((key) => key.startsWith(KEY_PREFIX))
        .forEach((key) => storage.removeItem(key)),
    );
  },
};

/** Uses the tab's storage; undefined if the browser forbids it, or the storage is full. */
function withStorage<T>(useStorage: (storage: Storage) => T): T | undefined {
  try {
    return useStorage(sessionStorage);
  } catch {
    return undefined;
  }
}
