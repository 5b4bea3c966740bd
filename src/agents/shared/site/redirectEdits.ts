import { finalError } from '../../../errors.ts';
import type { PageMethods } from '../../../sites/pages/pages.ts';
import {
  listUrlPaths,
  fileAt,
  readTarget,
  urlPathOf,
} from '../../../sites/pages/urls/servedPaths.ts';
import { createFileFinder } from '../../../sites/pages/urls/servedFiles.ts';
import type { Tree } from '../../../sites/git/repository.ts';
import { HOST_FILE_BYTES, REDIRECTS } from '../../../sites/redirects/hostFileNames.ts';
import type { FileEdits } from './fileEdits.ts';

/**
 * Redirects the URLs of pages that a task moved or deleted. The redirects are written to a file of
 * the site that its host reads, such as `_redirects`.
 */
export interface RedirectEdits {
  /** Redirects the URLs of a page's file to another file. null removes this redirect. */
  redirect(from: string, to: string | null): Promise<void>;
  /** Writes the files with redirects again, for the pages that exist now. */
  write(): Promise<void>;
  /** Sentences on what prevents redirects. */
  problems(): string[];
  /** The files that redirect the URL of a page. */
  filesFor(from: string): string[];
  /** The pages whose URLs redirect, and the pages to which they redirect. Paths of files. */
  listRedirects(): { from: string; to: string }[];
  save(): () => void;
}

interface RedirectSources {
  tree: Tree;
  edits: FileEdits;
  pages: PageMethods;
  /**
   * The file with redirects to create for a site that has none. Absent if none is to be created.
   */
  newHostFile?: string;
}

export function createRedirectEdits({
  tree,
  edits,
  pages,
  newHostFile,
}: RedirectSources): RedirectEdits {
  let redirectTargets = new Map<string, string>();
  let problems: string[] = [];
  let redirectsByPage = new Map<string, { to: string; files: string[] }>();
  const redirectFile = tree.entries.has(REDIRECTS) ? REDIRECTS : newHostFile;
  const files = redirectFile === undefined ? [] : [redirectFile];

  function changeNow() {
    const paths = edits.paths();
    const existingPaths = new Set(paths);
    const findEntry = (path: string) =>
      tree.entries.get(path) ?? { path, id: path, mode: '100644', size: 0 };
    const servedNow = createFileFinder({
      entries: new Map(paths.map((path) => [path, findEntry(path)])),
    });
    const servedBefore = createFileFinder(tree);
    const gonePaths = [...redirectTargets.keys()].filter(
      (path) => tree.entries.has(path) && !existingPaths.has(path),
    );
    const redirects = gonePaths.flatMap((path) => {
      const finalPath = findRedirectEnd(redirectTargets, path, existingPaths);
      const to = finalPath === undefined ? undefined : urlPathOf(servedNow, finalPath);
      if (finalPath === undefined || to === undefined) return [];
      const from = listUrlPaths(servedBefore, path).filter(
        (address) => fileAt(servedNow, readTarget(address)!.path) === undefined,
      );
      return [{ page: path, from, to, path: finalPath }];
    });
    const createdPaths = paths.filter((path) => pages.isPage(path) && !tree.entries.has(path));
    return {
      leads: redirects,
      pages: createdPaths.flatMap((path) => listUrlPaths(servedNow, path)),
    };
  }

  async function writeFile(path: string, change: ReturnType<typeof changeNow>): Promise<void> {
    try {
      const entry = tree.entries.get(path);
      if (entry && !(entry.mode.startsWith('100') && entry.size <= HOST_FILE_BYTES)) {
        problems.push(`${path}: it is not a file of at most ${HOST_FILE_BYTES} bytes`);
        return;
      }
      const sourceBefore = entry ? await edits.original(path) : '';
      const { source, missingRedirects } = await pages.editRedirects(
        { path, source: sourceBefore },
        change,
      );
      await edits.write(path, source === '' && !entry ? null : source);
      for (const { page, from, path: to } of change.leads)
        if (!from.some((address) => missingRedirects.includes(address)))
          redirectsByPage.set(page, {
            to,
            files: [...(redirectsByPage.get(page)?.files ?? []), path],
          });
      if (missingRedirects.length > 0)
        problems.push(`${path}: another rule already redirects ${missingRedirects.join(', ')}`);
    } catch (error) {
      const { message } = finalError(error);
      // a call for a file names it
      problems.push(message.startsWith(`${path}: `) ? message : `${path}: ${message}`);
    }
  }

  async function write(): Promise<void> {
    problems = [];
    redirectsByPage = new Map();
    // most sites have no redirects, and most tasks move no page
    if (redirectTargets.size === 0 && files.every((path) => edits.bytes(path) === 0)) return;
    const change = changeNow();
    for (const path of files) await writeFile(path, change);
    if (change.leads.length === 0) problems = [];
  }

  return {
    redirect: (from, to) => {
      if (to === null) redirectTargets.delete(from);
      else redirectTargets.set(from, to);
      return write();
    },
    write,
    problems: () => problems,
    filesFor: (from) => redirectsByPage.get(from)?.files ?? [],
    listRedirects: () => [...redirectsByPage].map(([from, { to }]) => ({ from, to })),
    save: () => {
      const savedState = [new Map(redirectTargets), problems, new Map(redirectsByPage)] as const;
      return () => {
        redirectTargets = new Map(savedState[0]);
        problems = savedState[1];
        redirectsByPage = new Map(savedState[2]);
      };
    },
  };
}

/**
 * The page to which a page that is gone redirects, after all later moves; undefined if there is
 * none.
 */
function findRedirectEnd(
  redirectTargets: ReadonlyMap<string, string>,
  path: string,
  existingPaths: ReadonlySet<string>,
): string | undefined {
  const seenPaths = new Set<string>();
  let current: string | undefined = path;
  while (current !== undefined && !existingPaths.has(current) && !seenPaths.has(current)) {
    seenPaths.add(current);
    current = redirectTargets.get(current);
  }
  return current !== undefined && existingPaths.has(current) ? current : undefined;
}
