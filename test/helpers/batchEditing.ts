import { expect } from 'chai';
import type { BatchRowResponse } from '../../src/contract/responses.ts';
import type { RowCounts } from '../../src/contract/batches/batch.ts';
import type { Service } from './service.ts';
import { until } from './until.ts';

const batches = '/api/v1/agent/batches';

export interface BatchAnswer {
  batchId: string;
  status: string;
  errorMessage?: string;
  rows: RowCounts;
}

/** A program with an API key that makes batches of a service, and people who edit their pages. */
export class BatchEditing {
  readonly service: () => Service;
  constructor(service: () => Service) {
    this.service = service;
  }

  send = (method: string, url: string, body?: object, headers = {}) =>
    this.service().request(method, url, {
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });

  /** Makes a batch of pages for cities. @returns its id */
  async create(siteId: string, cities: string[], more: object = {}): Promise<string> {
    const rows = cities.map((city) => ({
      targetPageSlug: `/locations/${city.toLowerCase()}`,
      context: `City: ${city}\nHeadline: Web design in ${city} that works`,
    }));
    const body = { siteId, templatePageSlug: '/locations/austin', rows, ...more };
    const reply = await this.send('POST', batches, body);
    expect(reply.status, reply.text).to.equal(200);
    return (reply.json as { batchId: string }).batchId;
  }

  command = async (batchId: string, name: string, body?: object) => {
    const reply = await this.send('POST', `${batches}/${batchId}/${name}`, body);
    expect(reply.status, reply.text).to.equal(200);
  };

  read = async (batchId: string) =>
    (await this.send('GET', `${batches}/${batchId}`)).json as unknown as BatchAnswer;

  rows = async (batchId: string) =>
    (
      (await this.send('GET', `${batches}/${batchId}/rows`)).json as unknown as {
        rows: BatchRowResponse[];
      }
    ).rows;

  reaches = (batchId: string, ...statuses: string[]) =>
    until(
      `${batchId} to be ${statuses.join()}`,
      async () => {
        const view = await this.read(batchId);
        return statuses.includes(view.status) && view;
      },
      150_000,
    );

  link = (batchId: string, slug: string) =>
    this.send('POST', `${batches}/${batchId}/edit-link`, { slug });

  /** Opens a page by a link. `save` saves a headline. */
  async open(batchId: string, slug: string) {
    const link = await this.link(batchId, slug);
    expect(link.status, link.text).to.equal(200);
    const url = new URL((link.json as { url: string }).url);
    const headers = { origin: url.origin };
    const key = url.hash.slice('#key='.length);
    const session = await this.send('POST', `/edit/${batchId}/.session`, { key }, headers);
    const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
    const at = `/edit/${batchId}/.page?slug=${slug}`;
    const read = () => this.send('GET', at, undefined, { cookie });
    const opened = await read();
    expect(opened.status, opened.text).to.equal(200);
    const page = opened.json as unknown as {
      digest: string;
      source: string;
      state: string;
      texts: { id: string; level?: number }[];
      notes: { id: string; text: string; state: string }[];
      pages: string[];
      mayPublish: boolean;
    };
    const headline = page.texts.find(({ level }) => level === 1)!.id;
    const put = (change: object) => this.send('PUT', at, change, { ...headers, cookie });
    const save = (text: string) => put({ digest: page.digest, texts: { [headline]: [text] } });
    return { page, put, save, read, cookie };
  }

  /** Saves a headline by hand. @returns the page's source */
  async edit(batchId: string, slug: string, text: string): Promise<string> {
    const saved = await (await this.open(batchId, slug)).save(text);
    expect(saved.status, saved.text).to.equal(200);
    return (saved.json as { source: string }).source;
  }

  textOf = async (url: string | null) => (await this.service().request('GET', url!)).text;
}
