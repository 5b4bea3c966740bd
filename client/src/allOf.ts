interface List<Page, Item> {
  read: (cursor: string | undefined) => Promise<Page>;
  itemsOf: (page: Page) => Item[];
  signal: AbortSignal | undefined;
}

/**
 * Reads a list page by page, and only reads a page when it is needed.
 * @param list.read reads the page after a cursor; the first page has no cursor
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
