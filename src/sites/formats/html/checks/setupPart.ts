/**
 * A script, style sheet or declaration that is in effect on a page: a key that is the same for the
 * same part on two versions of the page, and the part in a sentence for people. With a `use`, its
 * loss counts only if the new version still has this use: the label of a field, for the field's id.
 */
export type SetupPart = readonly [key: string, name: string, use?: string];

/** Parts of one kind, and the uses that the page has. */
export interface UsedParts {
  parts: SetupPart[];
  uses: string[];
}

/** Numbers equal keys: `field name 1`, `field name 2`. So two versions can be compared by sets. */
export function createCounter(): (key: string) => string {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${key} ${count}`;
  };
}
