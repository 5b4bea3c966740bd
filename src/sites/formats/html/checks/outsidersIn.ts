import {
  inData,
  inReference,
  inText,
  outsidersBy,
  type Outsiders,
} from '../../../checks/findOutsiders.ts';
import type { Outsider } from '../../faults.ts';
import { childText, type Element, parseDocument } from '../document.ts';
import { strictJson } from '../slots/jsonLd.ts';
import { jsonOf } from '../slots/plainSlotPlaces.ts';
import { allElements } from '../insideTemplates.ts';
import { dataKind } from '../values/dataValues.ts';
import { holdsWords } from './mentions.ts';
import { referencesIn } from './references.ts';

/** All outsiders that elements link to, load from or name. */
export const outsidersIn = (elements: Element[]): Outsiders =>
  outsidersBy(
    elements.flatMap((element) => [
      ...referencesIn(element).flatMap(inReference),
      ...inWords(element),
    ]),
  );

/** Outsiders in an element's texts and structured data. */
function inWords(element: Element): Outsider[] {
  const { tagName, attrs } = element;
  const json = jsonOf(element);
  if (json) return inData(strictJson(json.text));
  if (dataKind(element)) return inData(childText(element));
  const words = attrs.filter(({ name }) => holdsWords(element, name)).map(({ value }) => value);
  const text = tagName === 'script' || tagName === 'style' ? '' : childText(element);
  return [...words, text].flatMap(inText);
}

/** All outsiders that a page links to, loads from or names. */
export const outsidersOf = (source: string): Outsiders =>
  outsidersIn(allElements(parseDocument(source)));
