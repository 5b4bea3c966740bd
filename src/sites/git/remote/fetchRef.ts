import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { checkObjectId } from '../refNames.ts';
import { anySignal, waitFor } from '../../../waitCounters.ts';
import type { SiteClone, Remote } from '../siteClone.ts';
import { fetchEnvironment, localUploadPack } from '../command/gitEnvironment.ts';
import { gitFailure } from '../command/gitFailure.ts';
import { checkThroughput } from './throughput.ts';
import { remoteName } from './push.ts';
import { bytesBelow } from '../clones/cloneSizes.ts';

const watchInterval = 500;
const MAX_FETCH_MS = 60 * 60_000;

/** The ref at the remote (`from`), and the refs of the clone that are set to its commit (`to`). */
interface RefMapping {
  from: string;
  to: string[];
}

/**
 * Fetches one ref of the remote into refs of the clone, and replaces them:
 * `{ from: 'refs/heads/main', to: ['refs/remotes/origin/main'] }`. Objects arrive in a separate
 * folder until all of them are there and within the limits, so a fetch that fails or is killed
 * leaves nothing behind.
 * @returns the commit; null if the remote has no such ref
 * @throws DomainError GIT_FAILED; LIMIT_EXCEEDED if the repository, or all of its organization,
 *   exceed the limit
 */
export async function fetchRef(
  clone: SiteClone,
  refs: RefMapping,
  signal?: AbortSignal,
): Promise<string | null> {
  const { store, fetchContext, owned, siteLimits } = clone;
  const fetchOnce = async () => {
    const checkBytes = await fetchContext.sizes.beforeFetch(owned, siteLimits.siteBytes);
    let arrivedBytes = 0;
    const checkArrived = (bytes: number) => checkBytes((arrivedBytes = bytes));
    try {
      return await store.withFolder((folder) =>
        fetchInto(folder, clone, refs, { checkArrived, signal }),
      );
    } finally {
      fetchContext.sizes.changed(owned.name);
      if (arrivedBytes > 0) fetchContext.onGrowth();
    }
  };
  return fetchContext.queue.run(owned.organizationId, fetchOnce, signal);
}

const fetchAction = (remote: Remote) => `Fetching from ${remoteName(remote)}`;

interface FetchWatch {
  /** Throws LIMIT_EXCEEDED for too many bytes. */
  checkArrived: (bytes: number) => void;
  signal: AbortSignal | undefined;
}

async function fetchInto(
  folder: string,
  clone: SiteClone,
  { from, to }: RefMapping,
  fetchWatch: FetchWatch,
): Promise<string | null> {
  const { store, remote } = clone;
  const { signal } = fetchWatch;
  await mkdir(join(folder, 'pack'));
  const fetchRun = watchFetch(folder, clone, fetchWatch, (endSignal) =>
    runFetch(clone, from, folder, endSignal),
  );
  // a first fetch may outlast an activity's timeout: only its throughput is limited
  const result = await waitFor('the remote, which sends', fetchRun);
  if (result.code !== 0 && /couldn't find remote ref/.test(result.stderr)) return null;
  // git only warns that it takes nothing from a shallow clone
  const isShallow = /shallow roots are not allowed/.test(result.stderr);
  if (result.code !== 0 || isShallow) throw gitFailure(fetchAction(remote), result);
  await moveArrivedPacks(folder, join(store.dir, 'objects'));
  const [id = ''] = (await readFile(join(store.dir, 'FETCH_HEAD'), 'utf8')).split('\t');
  await store.setRefs(Object.fromEntries(to.map((ref) => [ref, checkObjectId(id)])), signal);
  return id;
}

function runFetch(clone: SiteClone, from: string, objects: string, signal: AbortSignal) {
  const { store, remote, connect, fetchContext } = clone;
  const args = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-auto-maintenance',
  ];
  const env = {
    ...fetchEnvironment,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(store.dir, 'objects'),
  };
  return connect(remote, (transport) =>
    store.tryGit({
      args: [
        ...args,
        ...(transport.protocol === 'file' ? localUploadPack : []),
        '--',
        remote.url,
        from,
      ],
      ...transport,
      env: { ...env, ...transport.env },
      timeout: fetchContext.minThroughput.longest ?? MAX_FETCH_MS,
      signal,
    }),
  );
}

/**
 * Runs a fetch, and measures what has arrived every half second. Ends the fetch when that is too
 * much, or too little for the time it took. Measures once more at the end.
 */
async function watchFetch<T>(
  folder: string,
  { fetchContext, remote }: SiteClone,
  { checkArrived, signal }: FetchWatch,
  fetch: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const measureArrived = async () => {
    const bytes = await bytesBelow(folder);
    checkArrived(bytes);
    return bytes;
  };
  await measureArrived();
  const startedAt = performance.now();
  const endController = new AbortController();
  const checkOnce = async () => {
    try {
      const arrived = { bytes: await measureArrived(), ms: performance.now() - startedAt };
      checkThroughput(fetchContext.minThroughput, arrived, fetchAction(remote));
    } catch (error) {
      endController.abort(error);
    }
  };
  let lastCheck: Promise<void> | undefined;
  const timer = setInterval(() => {
    lastCheck = checkOnce();
  }, watchInterval);
  try {
    const result = await fetch(anySignal(endController.signal, signal));
    await measureArrived();
    return result;
  } finally {
    clearInterval(timer);
    await lastCheck;
  }
}

/** Moves the arrived packs into the repository. The `.idx` comes last: git finds a pack by it. */
async function moveArrivedPacks(folder: string, objects: string): Promise<void> {
  const names = await readdir(join(folder, 'pack'));
  await mkdir(join(objects, 'pack'), { recursive: true });
  for (const name of names.sort(
    (first, second) => Number(first.endsWith('.idx')) - Number(second.endsWith('.idx')),
  ))
    await rename(join(folder, 'pack', name), join(objects, 'pack', name));
}
