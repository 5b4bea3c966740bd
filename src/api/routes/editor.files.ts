import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { contentType } from 'mime-types';
import type { ApiContext } from '../context.ts';

const folder = new URL('../../editor/browser/', import.meta.url);

/** The editor's own files, read once: only these are served, whatever the path says. */
export function createFiles() {
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))]));

  return function serve(ctx: ApiContext, name: string): void {
    const content = files.get(name);
    if (!content) return;
    ctx.status = 200;
    ctx.type = contentType(name) || 'application/octet-stream';
    ctx.set({ 'Cache-Control': 'no-cache', ETag: `"${createHash('sha256').update(content).digest('base64url')}"` });
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = content;
  };
}
