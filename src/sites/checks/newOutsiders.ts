import type { Doubled, KeptBeside, Outsider, SetupChange } from '../formats/faults.ts';
import type { PageFaults } from '../formats/format.ts';
import { quoted } from '../../text/text.ts';
import type { Tree } from '../git/repository.ts';
import type { Pages } from '../pages/pages.ts';
import { siteKeys } from './newToSite.ts';

/** An outsider that a changed file has and its former version had not, with the file's path. */
export interface GainedOutsider extends Outsider {
  path: string;
}

/** The additions of a change that a person may have to check. */
export interface Gained {
  externalReferences: GainedOutsider[];
  duplicates: GainedDouble[];
  /** What stayed beside new texts. */
  staleDetails: PageKeptBeside[];
  /** What pages lost besides their texts, and those hidden from search engines. */
  setups: PageSetupChange[];
}

/** A link that a change doubled, with the page's path. */
export interface GainedDouble extends Doubled {
  path: string;
}

/** Something that stayed beside a new text, with the page's path. */
export interface PageKeptBeside extends KeptBeside {
  path: string;
}

/** A change of a page's setup, with the page's path. */
export interface PageSetupChange extends SetupChange {
  path: string;
}

/** The additions of one file, with its path. */
export const gainedAt = (
  path: string,
  {
    externalReferences: outsiders,
    duplicates: doubled,
    setup,
    staleDetails: beside,
  }: Pick<PageFaults, 'outsiders' | 'doubled' | 'setup' | 'beside'>,
): Gained => ({
  externalReferences: outsiders.map((outsider) => ({ ...outsider, path })),
  duplicates: doubled.map((one) => ({ ...one, path })),
  staleDetails: beside.map((one) => ({ ...one, path })),
  setups: setup.isUnlisted || setup.removed.length > 0 ? [{ ...setup, path }] : [],
});

export const allGained = (files: Gained[]): Gained => ({
  externalReferences: files.flatMap(({ externalReferences: outsiders }) => outsiders),
  duplicates: files.flatMap(({ duplicates: doubled }) => doubled),
  staleDetails: files.flatMap(({ staleDetails: beside }) => beside),
  setups: files.flatMap(({ setups }) => setups),
});

/** An outsider that nothing in the site led to before. */
export interface NewOutsider {
  value: string;
  /**
   * Description for messages: `a link to the new host "partner.example", which the request names`.
   */
  says: string;
  /** The distinct paths of the files that have it. */
  paths: string[];
}

/**
 * The most keys to search the site for, since each search takes time. Outsiders with other keys
 * count as new.
 */
const MOST_LOOKED_FOR = 2_000;

/**
 * The outsiders that are new to the site and that a person should check: every linked host, and
 * those mailboxes, numbers and hosts in texts that the request does not name.
 * @param site the site before the change
 * @param request loads the caller's request; only called if there are outsiders
 */
export async function newOutsiders(
  site: Tree,
  pages: Pick<Pages, 'isPage' | 'knownKeys' | 'namedOutsiders'>,
  gained: GainedOutsider[],
  request: () => Promise<string>,
): Promise<NewOutsider[]> {
  if (gained.length === 0) return [];
  const named = await pages.namedOutsiders(await request(), gained);
  const asked = gained
    .map((one, i) => ({ ...one, isNamed: named[i]! }))
    .filter((one) => isHost(one) || !one.isNamed);
  const keys = [...new Set(asked.flatMap((one) => one.keys))].slice(0, MOST_LOOKED_FOR);
  const known = await siteKeys(site, pages, keys);
  const found = asked.filter(({ keys }) => !keys.some((key) => known.has(key)));
  const hosts = new Set(found.filter(isHost).map(({ value }) => value));
  const worthNaming = found.filter((one) => isHost(one) || !hosts.has(hostOf(one)));
  const groups = Map.groupBy(
    worthNaming.toSorted(byValue),
    ({ kind, value }) => `${kind} ${value}`,
  );
  return [...groups.values()].map(newOutsider);
}

/** Whether it is a host that a link leads to, and not one that only a text names. */
export const isHost = ({ keys: [key = ''] }: Outsider) => key.startsWith('host ');

const hostOf = ({ value }: Outsider) => value.slice(value.lastIndexOf('@') + 1);

const byValue = (a: GainedOutsider, b: GainedOutsider) =>
  order(a.value, b.value) || order(a.path, b.path);
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const names = { host: 'host', email: 'e-mail address', telephone: 'telephone number' };

function newOutsider(same: (GainedOutsider & { isNamed: boolean })[]): NewOutsider {
  const first = same.find(isHost) ?? same[0]!;
  const { kind, value, what, isNamed } = first;
  const named = isNamed ? 'which the request names' : 'which the request does not name';
  return {
    value,
    says: `${what} the new ${names[kind]} ${quoted(value, 120)}, ${named}`,
    paths: [...new Set(same.map(({ path }) => path))],
  };
}
