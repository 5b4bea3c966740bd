import { DomainError } from '../../errors.ts';

/**
 * Shares bytes between sites: a site never takes more than what remains free. So one site gets half
 * at most, and there is always something left for another.
 * @param total bytes for all sites together
 */
export function createBudget(total: number) {
  const holders = new Map<unknown, number>();
  const bytesOf = new Map<string, number>();
  let all = 0;

  function add(siteId: string, bytes: number): void {
    const own = (bytesOf.get(siteId) ?? 0) + bytes;
    all += bytes;
    if (own > 0) bytesOf.set(siteId, own);
    else bytesOf.delete(siteId);
  }

  return {
    /**
     * Takes bytes for a site until `end` is aborted. Several holders of the same thing count once.
     * @param thing identifies what the bytes are for, across all sites
     * @param onFree called when the last holder of the thing ends
     * @throws DomainError UNAVAILABLE if the site may not take that much now; the reason of an
     *   aborted `end`
     */
    take(
      { siteId, thing, bytes }: { siteId: string; thing: unknown; bytes: number },
      end: AbortSignal,
      onFree?: () => void,
    ): void {
      end.throwIfAborted();
      const others = holders.get(thing) ?? 0;
      if (others === 0) {
        if ((bytesOf.get(siteId) ?? 0) + bytes > total - all - bytes)
          throw new DomainError('UNAVAILABLE', 'Too much of the site is being sent', {
            retryable: true,
          });
        add(siteId, bytes);
      }
      holders.set(thing, others + 1);
      end.addEventListener('abort', () => {
        const left = (holders.get(thing) ?? 1) - 1;
        if (left > 0) holders.set(thing, left);
        else {
          holders.delete(thing);
          add(siteId, -bytes);
          onFree?.();
        }
      });
    },
  };
}
