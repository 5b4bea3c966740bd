import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DomainError } from '../../../src/errors.ts';
import type { Tree } from '../../../src/sites/git/repository.ts';

/** A commit's tree held in memory: files by path. */
export function memoryTree(files: Record<string, string>): Tree {
  const idOf = (content: string) => createHash('sha1').update(content).digest('hex');
  const entries = Object.entries(files).map(([path, content]) => {
    const entry = { path, id: idOf(content), mode: '100644', size: Buffer.byteLength(content) };
    return [path, entry] as const;
  });
  return {
    commit: idOf(JSON.stringify(files)),
    entries: new Map(entries),
    read: (path) =>
      path in files ? Promise.resolve(files[path]!) : Promise.reject(new DomainError('NOT_FOUND', `No file ${path}`)),
  };
}

/** The text files of a folder as a tree. */
export function folderTree(folder: string): Tree {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return memoryTree(Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])));
}
