import { decodedXml } from '../files/xmlTexts.ts';
import { parseDocument } from '../formats/html/document.ts';
import { htmlFormat } from '../formats/html/htmlFormat.ts';
import type { PageSource } from '../pages/pages.ts';
import { insideTemplates } from '../formats/html/checks/elements.ts';
import {
  gainedOutsiders,
  inData,
  inStyles,
  inText,
  type Outsider,
  type Outsiders,
  outsidersBy,
  outsidersIn,
} from './outsiders.ts';

/** Everybody outside of the site whom one of its files leads to, asks or names. */
export function outsidersInFile({ path, source }: PageSource): Outsiders {
  if (!htmlFormat.handles(path)) return outsidersBy(inOtherFile(path, source));
  const page = parseDocument(source);
  return outsidersIn([...page.numbers.keys(), ...insideTemplates(page)]);
}

/** Those whom its former text did not lead to, ask or name. */
export const outsidersGained = ({ path, source }: PageSource, before: string): Outsider[] =>
  gainedOutsiders(outsidersInFile({ path, source: before }), outsidersInFile({ path, source }));

function inOtherFile(path: string, source: string): Outsider[] {
  if (/\.css$/i.test(path)) return inStyles(source);
  if (/\.(?:json|webmanifest)$/i.test(path)) return inData(source).map(asData);
  const text = /\.xml$/i.test(path) ? (decodedXml(source) ?? source) : source;
  return inText(text).map(asData);
}

/** Such files are read by programs: an address in them leads there. */
const asData = ({ kind, value }: Outsider): Outsider => ({
  ...{ kind, value, what: 'data with', keys: [`${kind} ${value}`] },
});
