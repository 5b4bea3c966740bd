import { decodedXml } from '../files/xmlTexts.ts';
import type { Outsider } from '../formats/faults.ts';
import type { PageSource } from '../formats/format.ts';
import {
  DATA,
  gainedOutsiders,
  inData,
  inStyles,
  inText,
  outsider,
  type Outsiders,
  outsidersBy,
} from './findOutsiders.ts';

/** Everybody outside of the site whom a file that is no page leads to, asks or names. */
export const outsidersInFile = ({ path, source }: PageSource): Outsiders =>
  outsidersBy(inFile(path, source));

/** Those whom its former text did not lead to, ask or name. */
export const outsidersGained = ({ path, source }: PageSource, before: string): Outsider[] =>
  gainedOutsiders(outsidersInFile({ path, source: before }), outsidersInFile({ path, source }));

function inFile(path: string, source: string): Outsider[] {
  if (/\.css$/i.test(path)) return inStyles(source);
  if (/\.(?:json|webmanifest)$/i.test(path)) return inData(source).map(asData);
  const text = /\.xml$/i.test(path) ? (decodedXml(source) ?? source) : source;
  return inText(text).map(asData);
}

/** Such files are read by programs: an address in them leads there. */
const asData = ({ kind, value }: Outsider) => outsider(kind, value, DATA);
