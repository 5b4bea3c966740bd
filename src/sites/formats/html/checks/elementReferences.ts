import {
  referencesInJson,
  referencesOfUrl,
  referencesInText,
  indexReferences,
  type ReferenceIndex,
} from '../../../checks/externalReferences.ts';
import type { ExternalReference } from '../../pageFindings.ts';
import { childText, type PageElement, parseDocument } from '../document.ts';
import { strictJson } from '../slots/jsonLd.ts';
import { readJsonLd } from '../slots/plainSlotPlaces.ts';
import { allElements } from '../insideTemplates.ts';
import { dataKind } from '../values/dataValues.ts';
import { isTextAttribute } from './mentions.ts';
import { referencesIn } from './references.ts';

/** All external references that elements link to, load from or name. */
export const referencesInElements = (elements: PageElement[]): ReferenceIndex =>
  indexReferences(
    elements.flatMap((element) => [
      ...referencesIn(element).flatMap(referencesOfUrl),
      ...referencesInElementTexts(element),
    ]),
  );

/** External references in an element's texts and structured data. */
function referencesInElementTexts(element: PageElement): ExternalReference[] {
  const { tagName, attrs } = element;
  const json = readJsonLd(element);
  if (json) return referencesInJson(strictJson(json.text));
  if (dataKind(element)) return referencesInJson(childText(element));
  const words = attrs
    .filter(({ name }) => isTextAttribute(element, name))
    .map(({ value }) => value);
  const text = tagName === 'script' || tagName === 'style' ? '' : childText(element);
  return [...words, text].flatMap(referencesInText);
}

/** All external references that a page links to, loads from or names. */
export const referencesInPage = (source: string): ReferenceIndex =>
  referencesInElements(allElements(parseDocument(source)));
