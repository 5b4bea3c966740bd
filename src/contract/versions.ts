/*
 * Versions of a result. A task or a batch has one result. Everything that happens to it afterwards
 * is a version of it: a commit on its hidden ref, after the result's own commit.
 */

/**
 * How a version was made: by hand in the editor (`edit`), by removing the facts of notes
 * (`removal`), by typing a text in their place or giving unused values a place (`replacement`), by
 * leaving pages out (`omission`), by writing failed rows of a batch again (`repair`), by going back
 * to the version before (`undo`), or by taking over what happened elsewhere (`update`).
 */
export const versionKinds = [
  'edit',
  'removal',
  'replacement',
  'omission',
  'repair',
  'undo',
  'update',
] as const;
export type VersionKind = (typeof versionKinds)[number];

/** What a commit says about its version, besides its files: the trailer `Agent-Task-Version`. */
export interface VersionDetails {
  kind: VersionKind;
  /** For a removal or a replacement: the ids of the resolved notes, by the files of their pages. */
  notes?: Record<string, string[]>;
  /** For `undo`: the commit that is current again. */
  restored?: string;
  /** The API key that asked for it, if no person did. */
  keyId?: string;
}

/** A version of a result, as its commit says. */
export interface VersionCommit extends VersionDetails {
  commit: string;
  /** The version before. */
  parent: string;
  /** ISO 8601. */
  at: string;
  /** The first line of the commit's message. */
  message: string;
  /** The id of the person who made it, if known. */
  editor?: string;
  /** The files that it changed. */
  paths: string[];
}

/**
 * The versions that the current one consists of, the latest first: an undone version and its undo
 * are left out.
 * @param versions all versions, the latest first
 */
export function versionsInEffect(versions: readonly VersionCommit[]): VersionCommit[] {
  const effective: VersionCommit[] = [];
  for (let index = 0; index < versions.length; index++) {
    const version = versions[index]!;
    if (version.kind !== 'undo') {
      effective.push(version);
      continue;
    }
    const undone = versions.findIndex(({ parent }) => parent === version.restored);
    index = undone < 0 ? versions.length : undone;
  }
  return effective;
}

const longestText = 64;
const mostNotes = 1_000;

/** Parses the trailer's value. Anybody who can push may have written it. */
export function parseVersionDetails(trailer: string): VersionDetails {
  try {
    const { kind, notes, restored, keyId } = JSON.parse(trailer) as Partial<VersionDetails>;
    if (kind === undefined || !versionKinds.includes(kind)) return { kind: 'edit' };
    return {
      kind,
      ...(isObject(notes) && { notes: parseNotes(notes) }),
      ...(isShortText(restored) && { restored }),
      ...(isShortText(keyId) && { keyId }),
    };
  } catch {
    return { kind: 'edit' };
  }
}

const parseNotes = (notes: object) =>
  Object.fromEntries(
    Object.entries(notes).map(([path, ids]: [string, unknown]) => [
      path,
      Array.isArray(ids) ? ids.slice(0, mostNotes).filter(isShortText) : [],
    ]),
  );

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isShortText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longestText;
