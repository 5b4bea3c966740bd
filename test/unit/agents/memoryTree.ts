import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DomainError } from '../../../src/errors.ts';
import type { Tree } from '../../../src/sites/git/repository.ts';

/** A commit's tree held in memory: files by path. */
export function memoryTree(files: Record<string, string>): Tree {
  const idOf = (content: string) => hash('sha1', content);
  const entries = Object.entries(files).map(([path, content]) => {
    const entry = { path, id: idOf(content), mode: '100644', size: Buffer.byteLength(content) };
    return [path, entry] as const;
  });
  return {
    commit: idOf(JSON.stringify(entries)),
    entries: new Map(entries),
    read: (path) =>
      path in files
        ? Promise.resolve(files[path]!)
        : Promise.reject(new DomainError('NOT_FOUND', `No file ${path}`)),
  };
}

/** The files of a folder as a tree, read once: nobody changes it. Pictures and fonts are empty. */
export function folderTree(folder: string): Tree {
  const known = trees.get(folder) ?? readTree(folder);
  trees.set(folder, known);
  return known;
}

const trees = new Map<string, Tree>();

function readTree(folder: string): Tree {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = found.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return memoryTree(
    Object.fromEntries(
      paths.map((path) => [path, isText(path) ? readFileSync(join(folder, path), 'utf8') : '']),
    ),
  );
}

const isText = (path: string) => !/\.(png|jpe?g|gif|ico|webp|eot|ttf|woff2?|map)$/.test(path);
