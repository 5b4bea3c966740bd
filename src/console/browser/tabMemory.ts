/** Prefix of the names in sessionStorage. */
const KEPT = 'kept ';
/** For tabs that may not store anything. */
const here = new Map<string, string>();

/**
 * Values that this tab keeps until it is closed, also through a reload. They may be secrets: no
 * address has them, and no other tab or host gets them.
 */
export const tabMemory = {
  get(name: string): string | undefined {
    return here.get(name) ?? stored((storage) => storage.getItem(KEPT + name)) ?? undefined;
  },
  set(name: string, value: string): void {
    here.set(name, value);
    stored((storage) => storage.setItem(KEPT + name, value));
  },
  remove(name: string): void {
    here.delete(name);
    stored((storage) => storage.removeItem(KEPT + name));
  },
  /** Forgets everything, so that the next person who signs in gets nothing of it. */
  clear(): void {
    here.clear();
    stored((storage) =>
      Object.keys(storage)
        .filter((key) => key.startsWith(KEPT))
        .forEach((key) => storage.removeItem(key)),
    );
  },
};

/** Browsers throw where storing is forbidden, or there is no room. */
function stored<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
