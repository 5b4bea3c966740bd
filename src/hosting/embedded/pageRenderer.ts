import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { OpenableSite } from '../../contract/site.ts';
import { limits } from '../../contract/task.ts';
import { hasErrorCode } from '../../errors.ts';
import { createSharedCache } from '../../singleFlight.ts';
import type { GitRepository, TreeEntry } from '../../sites/git/repository.ts';
import { formatAt } from '../../sites/formats/paths.ts';
import type { PagesPool } from '../../sites/pages/pages.ts';
import { answerFile, answerText, type FileAnswer, type FileRequest } from './fileAnswer.ts';
import type { createFileContents } from './fileContents.ts';

/** The memory for rendered pages of all sites together. */
const KEPT_BYTES = 32 * 1024 ** 2;
/** A rendered page runs no scripts, also if its renderer has a bug. */
const RENDERED_POLICY =
  "default-src 'none'; img-src * data:; style-src 'unsafe-inline'; form-action 'none'";

interface RenderedFile {
  site: OpenableSite;
  repository: Pick<GitRepository, 'blob'>;
  file: TreeEntry;
  readContent: ReturnType<typeof createFileContents>;
}

/**
 * Whether a path gets the rendering of a page in Markdown. Its own name gets the file itself, which
 * scripts of a site may load.
 */
export const isRendered = (requestedPath: string, { path }: TreeEntry) =>
  formatAt(path) === 'markdown' && requestedPath !== path;

/**
 * Answers requests for pages in Markdown with their plain rendering, because the service runs no
 * generator. Pages are rendered in threads, and those that were requested recently are kept.
 */
export function createPageRenderer(pages: Pick<PagesPool, 'for'>) {
  const cache = createSharedCache<Buffer>({
    maxSize: KEPT_BYTES,
    sizeOf: ({ length }) => length + 1,
  });

  return {
    /** Answers 404 for a page that cannot be rendered. Throws as `readContent`. */
    async answer(
      fileRequest: FileRequest,
      { site, repository, file, readContent }: RenderedFile,
      endSignal: AbortSignal,
    ): Promise<FileAnswer> {
      const { siteId, organizationId } = site;
      if (file.size > limits.pageBytes) return answerText(404, 'The page is too large to render.');
      const id = renderingId(file);
      const render = async (signal: AbortSignal) => {
        const source = String(await repository.blob(file.id));
        const page = { path: file.path, source };
        const settings = { url: '', head: '', attribute: 'data-text' };
        return Buffer.from(await pages.for({ organizationId, signal }).frame(page, settings));
      };
      const rendering = await cache
        .read(`${siteId} ${id}`, render, endSignal)
        .catch(unreadablePage);
      if (typeof rendering === 'string') return answerText(404, rendering);
      const renderedFile = { ...file, id, path: 'page.html', size: rendering.length };
      const renderedContent = {
        blob: () => Promise.resolve(rendering),
        writeBlob: (_id: string, copy: string) => writeFile(copy, rendering),
      };
      const answer = await answerFile(fileRequest, renderedFile, (_file, range) =>
        readContent({ siteId, file: renderedFile, repository: renderedContent }, range, endSignal),
      );
      return {
        ...answer,
        headers: { ...answer.headers, 'Content-Security-Policy': RENDERED_POLICY },
      };
    },
  };
}

/** The same content at another path has another title and other links. */
const renderingId = ({ id, path }: TreeEntry) =>
  `${id}-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;

function unreadablePage(error: unknown): string {
  if (hasErrorCode(error, 'PAGE_UNREADABLE', 'LIMIT_EXCEEDED'))
    return `The page cannot be rendered. ${error.message}`;
  throw error;
}
