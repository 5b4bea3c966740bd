import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { SiteRepository } from '../contract/site.ts';
import { DomainError } from '../errors.ts';

const PAGES = fileURLToPath(new URL('site/', import.meta.url));
const BRANCH = 'main';
const DRAFT = 'draft-';
/** Milliseconds. */
const TIME_LIMIT = 30_000;

/** Fixed, so that the same pages are the same commit on every machine. */
const AUTHOR = { name: 'Northwind Studio', email: 'hello@northwind.example', date: '2026-09-14T09:00:00Z' };

/**
 * Makes the demo site's repository, `<dataDir>/demo/site.git`, bare, its pages in the first commit. One that is there is kept as it is.
 * It is built aside and then renamed, so that a kill never leaves half of it.
 * @param dataDir folder of everything that is kept; one process at a time
 * @throws DomainError GIT_FAILED
 */
export async function ensureDemoRepository(dataDir: string): Promise<SiteRepository> {
  const folder = join(dataDir, 'demo');
  const path = join(folder, 'site.git');
  await mkdir(folder, { recursive: true });
  await removeDrafts(folder);
  if (!(await exists(path))) {
    const draft = await mkdtemp(join(folder, DRAFT));
    await build(draft);
    await rename(draft, path);
  }
  return { url: pathToFileURL(path).href, branch: BRANCH, root: '' };
}

async function build(path: string): Promise<void> {
  const git = gitIn(path);
  await git('init', '--quiet', '--bare', `--initial-branch=${BRANCH}`, '--template=');
  await git('-c', 'core.fileMode=false', `--work-tree=${PAGES}`, 'add', '--all', '--', '.');
  const tree = await git('write-tree');
  const commit = await git('commit-tree', '-m', 'The site of Northwind Studio', tree);
  await git('update-ref', `refs/heads/${BRANCH}`, commit);
  await rm(join(path, 'index'));
}

/** What a kill in the middle of `build` left. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(DRAFT));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** System git on one bare repository, without a shell and without the user's or the machine's settings. */
function gitIn(path: string): (...args: string[]) => Promise<string> {
  const env = {
    PATH: process.env.PATH,
    GIT_DIR: path,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_AUTHOR_DATE: AUTHOR.date,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
    GIT_COMMITTER_DATE: AUTHOR.date,
  };
  return async (...args) => {
    const run = promisify(execFile)('git', args, { cwd: PAGES, env, timeout: TIME_LIMIT });
    const { stdout } = await run.catch((error: Error & { stderr?: string }) => {
      const reason = error.stderr?.trim() || error.message;
      throw new DomainError('GIT_FAILED', `The demo site's repository could not be made: ${reason}`, { cause: error });
    });
    return stdout.trim();
  };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
