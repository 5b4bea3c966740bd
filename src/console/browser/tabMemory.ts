/** Before the names of what is kept, among those of other parts of the console. */
const KEPT = 'kept ';
/** For tabs that may not store anything. */
const here = new Map<string, string>();

/**
 * What this tab knows until it is closed, a reload included. Secrets may be in it: it is in no
 * address, no other tab and no other host has it.
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
  /** Forgets all: what one person had is not the next one's. */
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
