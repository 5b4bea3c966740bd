import type { ExternalReference } from '../formats/pageFindings.ts';
import type { PageSource } from '../formats/format.ts';
import {
  DATA_MENTION,
  addedReferences,
  referencesInJson,
  referencesInStyles,
  referencesInText,
  createReference,
  type ReferenceIndex,
  indexReferences,
} from './externalReferences.ts';

/** All external references in a file that is not a page. */
export const referencesInFile = ({ path, source }: PageSource): ReferenceIndex =>
  indexReferences(referencesInSource(path, source));

/** The external references in a file that its former source did not have. */
export const referencesAddedToFile = (
  { path, source }: PageSource,
  oldSource: string,
): ExternalReference[] =>
  addedReferences(
    referencesInFile({ path, source: oldSource }),
    referencesInFile({ path, source }),
  );

function referencesInSource(path: string, source: string): ExternalReference[] {
  if (/\.css$/i.test(path)) return referencesInStyles(source);
  if (/\.(?:json|webmanifest)$/i.test(path)) return referencesInJson(source).map(toDataReference);
  return referencesInText(source).map(toDataReference);
}

/**
 * Makes an external reference of a data file. Programs read such files, so a URL in them counts as
 * a link.
 */
const toDataReference = ({ kind, value }: ExternalReference) =>
  createReference(kind, value, DATA_MENTION);
