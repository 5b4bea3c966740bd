import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { checkObjectId } from './refNames.ts';
import { anySignal, waitFor } from '../../waiting.ts';
import type { Clone, Remote } from './clone.ts';
import { fetchEnvironment, localUploadPack } from './environment.ts';
import { gitFailure } from './failure.ts';
import { checkPace } from './pace.ts';
import { nameOf } from './push.ts';
import { bytesBelow } from './diskUsage.ts';

const watchInterval = 500;
const LONGEST_FETCH_MS = 60 * 60_000;

interface Refs {
  from: string;
  to: string[];
}

/**
 * Fetches one ref of the remote into local refs, replacing them. Objects arrive in a separate
 * folder until all are there and within the limits. So a fetch that fails or is killed leaves
 * nothing behind.
 * @returns the commit; null if the remote has no such ref
 * @throws DomainError GIT_FAILED; LIMIT_EXCEEDED if the repository, or all of its organization,
 *   exceed the limit
 */
export async function fetchRef(
  clone: Clone,
  refs: Refs,
  signal?: AbortSignal,
): Promise<string | null> {
  const { store, fetching, owned, siteLimits } = clone;
  const fetchOnce = async () => {
    const check = await fetching.sizes.beforeFetch(owned, siteLimits.siteBytes);
    let arrived = 0;
    const checkArrived = (bytes: number) => check((arrived = bytes));
    try {
      return await store.withFolder((folder) =>
        fetchInto(folder, clone, refs, { checkArrived, signal }),
      );
    } finally {
      fetching.sizes.changed(owned.name);
      if (arrived > 0) fetching.onGrowth();
    }
  };
  return fetching.queue.run(owned.organizationId, fetchOnce, signal);
}

const actionOn = (remote: Remote) => `Fetching from ${nameOf(remote)}`;

interface Watching {
  /** Throws LIMIT_EXCEEDED for too many bytes. */
  checkArrived: (bytes: number) => void;
  signal: AbortSignal | undefined;
}

async function fetchInto(
  folder: string,
  clone: Clone,
  { from, to }: Refs,
  watching: Watching,
): Promise<string | null> {
  const { store, remote } = clone;
  const { signal } = watching;
  await mkdir(join(folder, 'pack'));
  const fetching = watched(folder, clone, watching, (ending) =>
    runFetch(clone, from, folder, ending),
  );
  // a first clone may outlast a step's timeout: only its pace is limited
  const result = await waitFor('the remote, which sends', fetching);
  if (result.code !== 0 && /couldn't find remote ref/.test(result.stderr)) return null;
  // git only warns that it takes nothing from a shallow clone
  const isShallow = /shallow roots are not allowed/.test(result.stderr);
  if (result.code !== 0 || isShallow) throw gitFailure(actionOn(remote), result);
  await takeIn(folder, join(store.dir, 'objects'));
  const [id = ''] = (await readFile(join(store.dir, 'FETCH_HEAD'), 'utf8')).split('\t');
  await store.setRefs(Object.fromEntries(to.map((ref) => [ref, checkObjectId(id)])), signal);
  return id;
}

function runFetch(clone: Clone, from: string, objects: string, signal: AbortSignal) {
  const { store, remote, connect, fetching } = clone;
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
  return connect(remote, (means) =>
    store.tryGit({
      args: [
        ...args,
        ...(means.protocol === 'file' ? localUploadPack : []),
        '--',
        remote.url,
        from,
      ],
      ...means,
      env: { ...env, ...means.env },
      timeout: fetching.pace.longest ?? LONGEST_FETCH_MS,
      signal,
    }),
  );
}

/**
 * Runs a fetch, and ends it as soon as too much has arrived, or too little for its time. Checks
 * once more at the end.
 */
async function watched<T>(
  folder: string,
  { fetching, remote }: Clone,
  { checkArrived, signal }: Watching,
  fetch: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const check = async () => {
    const bytes = await bytesBelow(folder);
    checkArrived(bytes);
    return bytes;
  };
  await check();
  const began = performance.now();
  const ending = new AbortController();
  const watch = async () => {
    try {
      const arrived = { bytes: await check(), ms: performance.now() - began };
      checkPace(fetching.pace, arrived, actionOn(remote));
    } catch (error) {
      ending.abort(error);
    }
  };
  let watching: Promise<void> | undefined;
  const timer = setInterval(() => {
    watching = watch();
  }, watchInterval);
  try {
    const result = await fetch(anySignal(ending.signal, signal));
    await check();
    return result;
  } finally {
    clearInterval(timer);
    await watching;
  }
}

/** Moves the arrived packs into the repository. The `.idx` comes last: git finds a pack by it. */
async function takeIn(folder: string, objects: string): Promise<void> {
  const names = await readdir(join(folder, 'pack'));
  await mkdir(join(objects, 'pack'), { recursive: true });
  for (const name of names.sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx'))))
    await rename(join(folder, 'pack', name), join(objects, 'pack', name));
}
