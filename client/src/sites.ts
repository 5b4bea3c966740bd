import { allOf } from './allOf.ts';
import type { CallOptions, Requests } from './requests.ts';
import { segmentOf } from './segmentOf.ts';
import type { EditLink, SiteList, SitePage, SitePages, SiteSummary } from './types.ts';

/** The sites of your organization. */
export class Sites {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  list({ signal }: CallOptions = {}): AsyncGenerator<SiteSummary, void> {
    return allOf({
      read: (cursor) => this.#read<SiteList>('', cursor, signal),
      itemsOf: ({ sites }) => sites,
      signal,
    });
  }

  /** Lists the pages on the production branch of a site. */
  pages(siteId: string, { signal }: CallOptions = {}): AsyncGenerator<SitePage, void> {
    const path = `/${segmentOf(siteId)}/pages`;
    return allOf({
      read: (cursor) => this.#read<SitePages>(path, cursor, signal),
      itemsOf: ({ pages }) => pages,
      signal,
    });
  }

  /** Creates a link with which a person can edit a page of a site. The first save starts a task. */
  async editLink(siteId: string, slug: string, { signal }: CallOptions = {}): Promise<EditLink> {
    const path = `/sites/${segmentOf(siteId)}/edit-link`;
    const request = { method: 'POST' as const, path, body: { slug }, signal };
    return (await this.#requests.read<EditLink>(request)).body;
  }

  async #read<T>(path: string, cursor: string | undefined, signal: AbortSignal | undefined) {
    const request = { path: `/sites${path}`, query: { cursor }, signal };
    return (await this.#requests.read<T>(request)).body;
  }
}
