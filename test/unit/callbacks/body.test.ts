import { expect } from 'chai';
import { batchCallbackBody, callbackBody } from '../../../src/callbacks/callbackBody.ts';
import { type RowCounts, rowStates } from '../../../src/contract/batches/batch.ts';
import type { TaskOutcome, Page } from '../../../src/contract/task.ts';
import { schemaProblems } from '../../helpers/openapi.ts';

const finishedAt = '2026-01-02T03:04:05.678Z';
const page = (slug: string, extra: Partial<Page> = {}): Page => ({
  slug,
  previewUrl: `http://preview${slug}`,
  editUrl: null,
  publishedUrl: null,
  ...extra,
});
const completed = (
  pages: Partial<Record<'pagesCreated' | 'pagesModified' | 'pagesDeleted', Page[]>>,
): TaskOutcome => ({
  status: 'completed',
  finishedAt,
  output: { pagesCreated: [], pagesModified: [], pagesDeleted: [], ...pages },
});

describe('callbackBody', () => {
  it('has taskId, status, pages and timestamp on success: created pages, then modified ones, but no deleted ones', () => {
    const pages = {
      pagesCreated: [page('/b')],
      pagesModified: [page('/a')],
      pagesDeleted: [page('/c')],
    };
    expect(JSON.parse(callbackBody('bg-1', completed(pages)))).to.deep.equal({
      taskId: 'bg-1',
      status: 'succeeded',
      pages: [page('/b'), page('/a')],
      timestamp: finishedAt,
    });
  });

  it('has taskId, status, error and timestamp on failure', () => {
    const failed: TaskOutcome = {
      status: 'failed',
      errorMessage: 'Template page not found: /x',
      finishedAt,
    };
    expect(JSON.parse(callbackBody('bg-1', failed))).to.deep.equal({
      taskId: 'bg-1',
      status: 'failed',
      error: 'Template page not found: /x',
      timestamp: finishedAt,
    });
  });

  it('returns the same bytes for the same view, however it was stored in between', () => {
    const view = completed({ pagesCreated: [page('/b', { externalId: 'x' })] });
    const shuffled = JSON.parse(JSON.stringify(view), (_, value: unknown) =>
      value && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as TaskOutcome;
    expect(callbackBody('bg-1', shuffled)).to.equal(callbackBody('bg-1', view));
  });
});

describe('batchCallbackBody', () => {
  it('matches the OpenAPI document, with the error of a failed batch', () => {
    const rows = Object.fromEntries(rowStates.map((state, n) => [state, n])) as RowCounts;
    const end = { batchId: 'bg-9l00ic0rmn9rfdhuo4s2eo', rows, url: 'http://x/batch', finishedAt };
    for (const more of [{ status: 'waiting' }, { status: 'failed', errorMessage: 'No' }] as const) {
      const body = JSON.parse(batchCallbackBody({ ...end, ...more })) as { error?: string };
      expect(body.error).to.equal(more.status === 'failed' ? 'No' : undefined);
      expect(schemaProblems(['components', 'schemas', 'BatchCallback'], body)).to.equal('');
    }
  });
});
