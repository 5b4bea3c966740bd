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

/** All outsiders in a file that is no page. */
export const outsidersInFile = ({ path, source }: PageSource): Outsiders =>
  outsidersBy(inFile(path, source));

/** The outsiders in a file that its former source did not have. */
export const outsidersGained = ({ path, source }: PageSource, before: string): Outsider[] =>
  gainedOutsiders(outsidersInFile({ path, source: before }), outsidersInFile({ path, source }));

function inFile(path: string, source: string): Outsider[] {
  if (/\.css$/i.test(path)) return inStyles(source);
  if (/\.(?:json|webmanifest)$/i.test(path)) return inData(source).map(asData);
  return inText(source).map(asData);
}

/**
 * Makes an outsider of a data file. Programs read such files, so an address in them counts as a
 * link.
 */
const asData = ({ kind, value }: Outsider) => outsider(kind, value, DATA);
