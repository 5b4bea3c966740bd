import { finalError } from '../errors.ts';
import type { Pages } from '../sites/pages/pages.ts';
import { addressesOf, fileAt, readTarget, urlPathOf } from '../sites/pages/servedPaths.ts';
import { servedFiles } from '../sites/pages/servedFiles.ts';
import type { Tree } from '../sites/git/repository.ts';
import { HOST_FILE_BYTES, REDIRECTS } from '../sites/redirects/hostFileNames.ts';
import type { FileEdits } from './fileEdits.ts';

/** Leads the addresses of pages that a task moved or deleted on, in the files of hosts. */
export interface RedirectEdits {
  /** Lets the addresses of a page's file lead to another file; null: to none. */
  redirect(from: string, to: string | null): Promise<void>;
  /** Writes the files of hosts anew for the pages that there are now. */
  write(): Promise<void>;
  /** What keeps addresses from being led on. */
  problems(): string[];
  /** The files in which a page's address is led on. */
  filesFor(from: string): string[];
  /** The pages whose addresses are led on, and the pages to which they lead. Paths of files. */
  listRedirects(): { from: string; to: string }[];
  save(): () => void;
}

interface Site {
  tree: Tree;
  edits: FileEdits;
  pages: Pages;
  /** The file to make for a site that has none; absent: none is made. */
  newHostFile?: string;
}

export function createRedirectEdits({ tree, edits, pages, newHostFile }: Site): RedirectEdits {
  let leads = new Map<string, string>();
  let problems: string[] = [];
  let written = new Map<string, { to: string; files: string[] }>();
  const file = tree.entries.has(REDIRECTS) ? REDIRECTS : newHostFile;
  const files = file === undefined ? [] : [file];

  /** Where a page that is gone leads now, over all that happened to it. */
  function endOf(path: string, isThere: (path: string) => boolean): string | undefined {
    const seen = new Set<string>();
    let at: string | undefined = path;
    while (at !== undefined && !isThere(at) && !seen.has(at)) {
      seen.add(at);
      at = leads.get(at);
    }
    return at !== undefined && isThere(at) ? at : undefined;
  }

  function changeNow() {
    const paths = edits.paths();
    const there = new Set(paths);
    const entry = (path: string) =>
      tree.entries.get(path) ?? { path, id: path, mode: '100644', size: 0 };
    const now = servedFiles({ entries: new Map(paths.map((path) => [path, entry(path)])) });
    const before = servedFiles(tree);
    const gone = [...leads.keys()].filter((path) => tree.entries.has(path) && !there.has(path));
    const found = gone.flatMap((path) => {
      const end = endOf(path, (one) => there.has(one));
      const to = end === undefined ? undefined : urlPathOf(now, end);
      if (end === undefined || to === undefined) return [];
      const from = addressesOf(before, path).filter(
        (address) => fileAt(now, readTarget(address)!.path) === undefined,
      );
      return [{ page: path, from, to, path: end }];
    });
    const made = paths.filter((path) => pages.isPage(path) && !tree.entries.has(path));
    return { leads: found, pages: made.flatMap((path) => addressesOf(now, path)) };
  }

  async function writeFile(path: string, change: ReturnType<typeof changeNow>): Promise<void> {
    try {
      const entry = tree.entries.get(path);
      if (entry && !(entry.mode.startsWith('100') && entry.size <= HOST_FILE_BYTES)) {
        problems.push(`${path}: it is no file of ${HOST_FILE_BYTES} bytes at most`);
        return;
      }
      const before = entry ? await edits.original(path) : '';
      const { source, unresolved: unled } = await pages.editRedirects({ path, source: before }, change);
      await edits.write(path, source === '' && !entry ? null : source);
      for (const { page, from, path: to } of change.leads)
        if (!from.some((address) => unled.includes(address)))
          written.set(page, { to, files: [...(written.get(page)?.files ?? []), path] });
      if (unled.length > 0)
        problems.push(`${path}: another rule leads ${unled.join(', ')} elsewhere`);
    } catch (error) {
      const { message } = finalError(error);
      // a call for a file names it
      problems.push(message.startsWith(`${path}: `) ? message : `${path}: ${message}`);
    }
  }

  async function write(): Promise<void> {
    problems = [];
    written = new Map();
    // most sites have no redirects, and most tasks move no page
    if (leads.size === 0 && files.every((path) => edits.bytes(path) === 0)) return;
    const change = changeNow();
    for (const path of files) await writeFile(path, change);
    if (change.leads.length === 0) problems = [];
  }

  return {
    redirect: (from, to) => {
      if (to === null) leads.delete(from);
      else leads.set(from, to);
      return write();
    },
    write,
    problems: () => problems,
    filesFor: (from) => written.get(from)?.files ?? [],
    listRedirects: () => [...written].map(([from, { to }]) => ({ from, to })),
    save: () => {
      const saved = [new Map(leads), problems, new Map(written)] as const;
      return () => {
        leads = new Map(saved[0]);
        problems = saved[1];
        written = new Map(saved[2]);
      };
    },
  };
}
