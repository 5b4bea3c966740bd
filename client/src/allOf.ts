interface List<Page, Item> {
  read: (cursor: string | undefined) => Promise<Page>;
  itemsOf: (page: Page) => Item[];
  signal: AbortSignal | undefined;
}

/**
 * Yields the items of a list that the service sends in pages. It requests a page only when its
 * items are needed.
 * @param list.read requests the page after a cursor, or the first page without a cursor
 * @throws the signal's reason, also between two items
 */
export async function* allOf<Page extends { nextCursor: string | null }, Item>({
  read,
  itemsOf,
  signal,
}: List<Page, Item>): AsyncGenerator<Item, void> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Page = await read(cursor);
    for (const item of itemsOf(page)) {
      signal?.throwIfAborted();
      yield item;
    }
    cursor = page.nextCursor;
  }
}
