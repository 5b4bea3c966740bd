import { DomainError } from '../../errors.ts';

/**
 * Shares a number of bytes, of memory or disk, between sites. A site must never have more than what
 * remains free then. So one site gets half at most, and some bytes are always left for another.
 * @param totalBytes bytes for all sites together
 */
export function createSiteBudget(totalBytes: number) {
  const holdersByThing = new Map<unknown, number>();
  const bytesBySite = new Map<string, number>();
  let totalTaken = 0;

  function addBytes(siteId: string, bytes: number): void {
    const siteBytes = (bytesBySite.get(siteId) ?? 0) + bytes;
    totalTaken += bytes;
    if (siteBytes > 0) bytesBySite.set(siteId, siteBytes);
    else bytesBySite.delete(siteId);
  }

  return {
    /**
     * Takes bytes for a site until `endSignal` is aborted. Several holders of the same thing count
     * once.
     * @param thing identifies what the bytes are for, across all sites
     * @param onFree called when the last holder of the thing ends
     * @throws DomainError UNAVAILABLE if the site may not take that much now; the reason of an
     *   aborted `endSignal`
     */
    take(
      { siteId, thing, bytes }: { siteId: string; thing: unknown; bytes: number },
      endSignal: AbortSignal,
      onFree?: () => void,
    ): void {
      endSignal.throwIfAborted();
      const otherHolders = holdersByThing.get(thing) ?? 0;
      if (otherHolders === 0) {
        if ((bytesBySite.get(siteId) ?? 0) + bytes > totalBytes - totalTaken - bytes)
          throw new DomainError('UNAVAILABLE', 'Too many files of the site are being sent', {
            retryable: true,
          });
        addBytes(siteId, bytes);
      }
      holdersByThing.set(thing, otherHolders + 1);
      endSignal.addEventListener('abort', () => {
        const remainingHolders = (holdersByThing.get(thing) ?? 1) - 1;
        if (remainingHolders > 0) holdersByThing.set(thing, remainingHolders);
        else {
          holdersByThing.delete(thing);
          addBytes(siteId, -bytes);
          onFree?.();
        }
      });
    },
  };
}
