import type {
  DuplicateLink,
  StaleDetail,
  ExternalReference,
  SetupChange,
} from '../formats/pageFindings.ts';
import type { SideEffects } from '../formats/format.ts';
import { quoteText } from '../../text/text.ts';
import type { Tree } from '../git/repository.ts';
import type { PageMethods } from '../pages/pages.ts';
import { findSiteKeys } from './foreignFeatures.ts';

/** An external reference that a changed file has and its former version lacks, with its path. */
export interface AddedReference extends ExternalReference {
  path: string;
}

/** What a change added to the site, as far as a person may have to check it. */
export interface ChangeAdditions {
  externalReferences: AddedReference[];
  duplicates: AddedDuplicate[];
  /** Details, such as a picture, that stayed the same beside a new text. */
  staleDetails: PageStaleDetail[];
  /** Pages that lost parts such as scripts, or that are hidden from search engines. */
  setups: PageSetupChange[];
}

/** A duplicate link that a change made, with the page's path. */
export interface AddedDuplicate extends DuplicateLink {
  path: string;
}

/** A detail that stayed the same beside a new text, with the page's path. */
export interface PageStaleDetail extends StaleDetail {
  path: string;
}

/** A change of a page's setup, with the page's path. */
export interface PageSetupChange extends SetupChange {
  path: string;
}

/** The additions of one file, with its path. */
export const additionsOfFile = (
  path: string,
  { externalReferences, duplicates, setup, staleDetails }: SideEffects,
): ChangeAdditions => ({
  externalReferences: externalReferences.map((reference) => ({ ...reference, path })),
  duplicates: duplicates.map((addition) => ({ ...addition, path })),
  staleDetails: staleDetails.map((addition) => ({ ...addition, path })),
  setups: setup.isUnlisted || setup.removed.length > 0 ? [{ ...setup, path }] : [],
});

export const mergeAdditions = (files: ChangeAdditions[]): ChangeAdditions => ({
  externalReferences: files.flatMap(({ externalReferences }) => externalReferences),
  duplicates: files.flatMap(({ duplicates }) => duplicates),
  staleDetails: files.flatMap(({ staleDetails }) => staleDetails),
  setups: files.flatMap(({ setups }) => setups),
});

/** One change of the setup for each page. */
export const mergeSetups = (setups: PageSetupChange[]): PageSetupChange[] =>
  [...Map.groupBy(setups, ({ path }) => path)].map(([path, changes]) => ({
    path,
    removed: [...new Set(changes.flatMap(({ removed }) => removed))],
    isUnlisted: changes.some(({ isUnlisted }) => isUnlisted),
  }));

/** An external reference that nothing in the site led to before. */
export interface NewReference {
  value: string;
  /**
   * Description for messages: `a link to the new host "partner.example", which the request names`.
   */
  description: string;
  /** The distinct paths of the files that have it. */
  paths: string[];
}

/**
 * The most keys to search the site for, since each search takes time. External references with
 * other keys count as new.
 */
const MAX_SEARCHED_KEYS = 2_000;

/**
 * Finds the external references that are new to the site and that a person should check: every
 * linked host, and those e-mail addresses, telephone numbers and hosts in texts that the request
 * does not name.
 * @param site the site before the change
 * @param request loads the caller's request; only called if there are external references
 */
export async function findNewReferences(
  site: Tree,
  pages: Pick<PageMethods, 'isPage' | 'knownKeys' | 'areReferencesNamed'>,
  additions: AddedReference[],
  request: () => Promise<string>,
): Promise<NewReference[]> {
  if (additions.length === 0) return [];
  const areNamed = await pages.areReferencesNamed(await request(), additions);
  const candidates = additions
    .map((candidate, i) => ({ ...candidate, isNamed: areNamed[i]! }))
    .filter((candidate) => isLinkedHost(candidate) || !candidate.isNamed);
  const keys = [...new Set(candidates.flatMap((candidate) => candidate.keys))].slice(
    0,
    MAX_SEARCHED_KEYS,
  );
  const keysInSite = await findSiteKeys(site, pages, keys);
  const newReferences = candidates.filter(({ keys }) => !keys.some((key) => keysInSite.has(key)));
  const hosts = new Set(newReferences.filter(isLinkedHost).map(({ value }) => value));
  const notableReferences = newReferences.filter(
    (candidate) => isLinkedHost(candidate) || !hosts.has(referenceHost(candidate)),
  );
  const groups = Map.groupBy(
    notableReferences.toSorted(compareReferences),
    ({ kind, value }) => `${kind} ${value}`,
  );
  return [...groups.values()].map(describeNewReference);
}

/** Whether an external reference is a host that a link leads to, not one that only a text names. */
export const isLinkedHost = ({ keys: [key = ''] }: ExternalReference) => key.startsWith('host ');

const referenceHost = ({ value }: ExternalReference) => value.slice(value.lastIndexOf('@') + 1);

const compareReferences = (first: AddedReference, second: AddedReference) =>
  compareStrings(first.value, second.value) || compareStrings(first.path, second.path);
const compareStrings = (first: string, second: string) =>
  first < second ? -1 : first > second ? 1 : 0;

const kindNames = { host: 'host', email: 'e-mail address', telephone: 'telephone number' };

export const newReferenceSentence = ({
  what,
  kind,
  value,
  isNamed,
}: Pick<ExternalReference, 'what' | 'kind' | 'value'> & { isNamed: boolean }) =>
  `the task added ${what} the new ${kindNames[kind]} ${quoteText(value, 120)}, ${isNamed ? 'which the request names' : 'which the request does not name'}`;

function describeNewReference(
  occurrences: (AddedReference & { isNamed: boolean })[],
): NewReference {
  const mainOccurrence = occurrences.find(isLinkedHost) ?? occurrences[0]!;
  return {
    value: mainOccurrence.value,
    description: newReferenceSentence(mainOccurrence),
    paths: [...new Set(occurrences.map(({ path }) => path))],
  };
}
