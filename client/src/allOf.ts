/**
 * Reads a list page by page, each when it is needed.
 * @param read reads the page after a cursor; the first one has none
 */
export async function* allOf<Page extends { nextCursor: string | null }, Item>(
  read: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => Item[],
): AsyncGenerator<Item, void> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page = await read(cursor);
    yield* itemsOf(page);
    cursor = page.nextCursor;
  }
}
