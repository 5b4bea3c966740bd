import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SiteRepository } from '../contract/site.ts';
import { gitFailure } from '../sites/git/command/gitFailure.ts';
import { createGit } from '../sites/git/command/git.ts';
import type { CommandLauncher } from '../sites/git/launcher/launcher.ts';
import { pathExists } from '../sites/git/clones/createBareRepository.ts';

/** The demo sites: the folder of each one beside this file, and the subject of its commit. */
const subjects = {
  site: 'The site of Northwind Studio',
  notes: 'Northwind notes',
};
/** The name of a demo site's folder. */
export type DemoFolder = keyof typeof subjects;
/** The repositories of the demo sites, relative to the data folder. */
export const demoRepositories = Object.keys(subjects).map((name) => join('demo', `${name}.git`));
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
 * Creates the bare repository of a demo site, such as `<dataDir>/demo/site.git`, with its pages in
 * the first commit. Keeps an existing one. Builds it in another folder, which is then renamed, so
 * that a killed process never leaves half a repository.
 * @param deps the service's data folder, which only one process may use at a time, and what starts
 *   git
 * @throws DomainError GIT_FAILED; CONFIGURATION if git is missing
 */
export async function ensureDemoRepository(
  { dataDir, launcher }: { dataDir: string; launcher: CommandLauncher },
  name: DemoFolder,
): Promise<SiteRepository> {
  const folder = join(dataDir, 'demo');
  const path = join(folder, `${name}.git`);
  await mkdir(folder, { recursive: true });
  await removeDrafts(folder);
  if (!(await pathExists(path))) {
    const draft = await mkdtemp(join(folder, DRAFT));
    await buildRepository(draft, name, launcher);
    await rename(draft, path);
  }
  return { url: pathToFileURL(path).href, branch: BRANCH, root: '' };
}

async function buildRepository(
  path: string,
  name: DemoFolder,
  launcher: CommandLauncher,
): Promise<void> {
  const files = fileURLToPath(new URL(`${name}/`, import.meta.url));
  const git = createDemoGit(path, files, launcher);
  await git('init', '--quiet', '--bare', '--template=', `--initial-branch=${BRANCH}`);
  await git('-c', 'core.fileMode=false', 'add', '--all');
  const tree = await git('write-tree');
  const commit = await git('commit-tree', '-m', subjects[name], tree);
  await git('update-ref', `refs/heads/${BRANCH}`, commit);
  await rm(join(path, 'index'));
}

/** Runs git on one bare repository. Its work tree is the folder with the site's files. */
function createDemoGit(
  dir: string,
  files: string,
  launcher: CommandLauncher,
): (...args: string[]) => Promise<string> {
  const git = createGit({ launcher });
  return async (...args) => {
    const workTree = args.includes('add') ? { GIT_WORK_TREE: files } : {};
    const result = await git.run({ args, dir, env: { ...IDENTITY, ...workTree } });
    if (result.code !== 0) throw gitFailure('Creating the repository of a demo site', result);
    return result.stdout.toString().trim();
  };
}

/** Removes the folders of builds that were killed. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(DRAFT));
  await Promise.all(drafts.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
