import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SiteRepository } from '../contract/site.ts';
import { gitFailure } from '../sites/git/command/gitFailure.ts';
import { createGit } from '../sites/git/command/git.ts';
import type { CommandLauncher } from '../sites/git/launcher/launcher.ts';
import { pathExists } from '../sites/git/clones/createBareRepository.ts';

const PAGES = fileURLToPath(new URL('site/', import.meta.url));
const BRANCH = 'main';
const DRAFT = 'draft-';

/** A fixed date, so that the same pages give the same commit on every machine. */
const DATE = '2026-09-14T09:00:00Z';
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Northwind Studio',
  GIT_AUTHOR_EMAIL: 'hello@northwind.example',
  GIT_AUTHOR_DATE: DATE,
  GIT_COMMITTER_NAME: 'Northwind Studio',
  GIT_COMMITTER_EMAIL: 'hello@northwind.example',
  GIT_COMMITTER_DATE: DATE,
};

/**
 * Creates the bare repository of the demo site, `<dataDir>/demo/site.git`, with its pages in the
 * first commit. Keeps an existing one. Builds it in another folder, which is then renamed, so that
 * a killed process never leaves half a repository.
 * @param dataDir the service's data folder; only one process may use it at a time
 * @param launcher starts git
 * @throws DomainError GIT_FAILED; CONFIGURATION if git is missing
 */
export async function ensureDemoRepository(
  dataDir: string,
  launcher: CommandLauncher,
): Promise<SiteRepository> {
  const folder = join(dataDir, 'demo');
  const path = join(folder, 'site.git');
  await mkdir(folder, { recursive: true });
  await removeDrafts(folder);
  if (!(await pathExists(path))) {
    const draft = await mkdtemp(join(folder, DRAFT));
    await buildRepository(draft, launcher);
    await rename(draft, path);
  }
  return { url: pathToFileURL(path).href, branch: BRANCH, root: '' };
}

async function buildRepository(path: string, launcher: CommandLauncher): Promise<void> {
  const git = createDemoGit(path, launcher);
  await git('init', '--quiet', '--bare', '--template=', `--initial-branch=${BRANCH}`);
  await git('-c', 'core.fileMode=false', 'add', '--all');
  const tree = await git('write-tree');
  const commit = await git('commit-tree', '-m', 'The site of Northwind Studio', tree);
  await git('update-ref', `refs/heads/${BRANCH}`, commit);
  await rm(join(path, 'index'));
}

/** Runs git on one bare repository. Its work tree is the folder with the demo's pages. */
function createDemoGit(
  dir: string,
  launcher: CommandLauncher,
): (...args: string[]) => Promise<string> {
  const git = createGit({ launcher });
  return async (...args) => {
    const workTree = args.includes('add') ? { GIT_WORK_TREE: PAGES } : {};
    const result = await git.run({ args, dir, env: { ...IDENTITY, ...workTree } });
    if (result.code !== 0) throw gitFailure('Creating the repository of the demo site', result);
    return result.stdout.toString().trim();
  };
}

/** Removes the folders of builds that were killed. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(DRAFT));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
