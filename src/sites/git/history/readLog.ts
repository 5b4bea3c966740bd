import { randomBytes } from 'node:crypto';
import { type SiteClone, rootPrefix } from '../siteClone.ts';
import { gitFailure } from '../command/gitFailure.ts';
import type { GitCommand } from '../command/git.ts';
import { processMany } from '../command/processMany.ts';

/** A commit of the history, and what it changed in the site's folder. */
export interface LoggedCommit {
  /** The values of the requested fields, in their order. */
  fields: string[];
  files: LoggedFile[];
}

export interface LoggedFile {
  /** In the site's folder. */
  path: string;
  /** The new content's id; null for a deleted file, and if no ids were requested. */
  blob: string | null;
}

interface LogRequest extends Pick<GitCommand, 'maxBytes' | 'timeout'> {
  /** Which commits, as `git log` takes them. */
  commits: string[];
  /** Options for merges. Default: a merge counts as a change of what it brought into the branch. */
  how?: string[];
  /** Placeholders of `--format`. */
  fields?: string[];
  /** Whether to read the ids of the contents. */
  withBlobs?: boolean;
  /** Only changes of this path, from the repository's root. Default: of the site's folder. */
  only?: string;
}

const firstParent = ['--first-parent', '--diff-merges=first-parent'];
const noBlob = /^0+$/;

/** The field with the values of a trailer, with spaces between. */
export const trailerField = (key: string) => `%(trailers:key=${key},valueonly,separator=%x20)`;

/**
 * Reads commits and the files that they changed by one `git log`, the latest first.
 * @throws DomainError GIT_FAILED, LIMIT_EXCEEDED
 */
export async function readLog(
  clone: SiteClone,
  { commits, how = firstParent, fields = [], withBlobs = false, only, ...limits }: LogRequest,
  signal?: AbortSignal,
): Promise<LoggedCommit[]> {
  const mark = `\u0001${randomBytes(8).toString('hex')} `; // no file has this name
  const files = withBlobs ? ['--raw', '--no-abbrev'] : ['--name-only'];
  const format = [
    '--no-show-signature',
    '--no-color',
    `--format=tformat:${mark}${fields.join('%x00')}`,
  ];
  const loggedPath = only ?? clone.root;
  const paths = loggedPath === '' ? [] : ['--', loggedPath];
  const args = ['log', ...how, ...files, '-z', '--no-renames', ...format, ...commits, ...paths];
  const result = await clone.store.tryGit({ args, signal, ...limits });
  if (result.code !== 0) throw gitFailure('Reading the history', result);
  const parser = createParser({ mark, count: fields.length, withBlobs, prefix: rootPrefix(clone) });
  await processMany(splitNulSeparated(result.stdout), parser.take, signal);
  return parser.commits;
}

/**
 * Parses `<mark><field>\0<field>\0\n<path>\0<path>\0<mark>…`, where `<mark>` begins each commit.
 * With blobs, `:<mode> <mode> <blob> <blob> <status>` comes before each path.
 */
function createParser(options: {
  mark: string;
  count: number;
  withBlobs: boolean;
  prefix: string;
}) {
  const { mark, count, withBlobs, prefix } = options;
  const commits: LoggedCommit[] = [];
  let blob: string | null | undefined;
  const take = (text: string) => {
    if (text.startsWith(mark)) {
      commits.push({ fields: [text.slice(mark.length)], files: [] });
      return;
    }
    const { fields, files } = commits.at(-1)!;
    if (fields.length < count) {
      fields.push(text);
      return;
    }
    const entry = text.startsWith('\n') ? text.slice(1) : text;
    if (withBlobs && blob === undefined) {
      const id = entry.split(' ')[3] ?? '';
      blob = noBlob.test(id) ? null : id;
      return;
    }
    if (entry.startsWith(prefix))
      files.push({ path: entry.slice(prefix.length), blob: blob ?? null });
    blob = undefined;
  };
  return { commits, take };
}

/** The texts of an output that git separates by NUL (`-z`). */
function* splitNulSeparated(output: Buffer): Generator<string> {
  for (let position = 0; position < output.length;) {
    const end = output.indexOf(0, position);
    yield output.toString('utf8', position, end < 0 ? output.length : end);
    position = end < 0 ? output.length : end + 1;
  }
}
