import type { Page } from 'playwright-core';

/**
 * Holds a browser's requests, as a slow service does.
 * @param isHeld which requests, by their method and URL
 * @returns a function that lets them go, and holds none any more
 */
export async function holdRequests(
  page: Page,
  isHeld: (method: string, url: string) => boolean,
): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const everything = '**/*';
  await page.route(everything, async (route) => {
    const request = route.request();
    if (isHeld(request.method(), request.url())) await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.unroute(everything);
  };
}
