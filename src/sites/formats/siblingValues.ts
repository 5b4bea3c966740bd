import { resultOrNull } from '../../errors.ts';
import { urlFolder } from '../pages/urls/urls.ts';
import type { PageSource, TemplateContent } from './format.ts';
import { readFrontMatter } from './frontMatter.ts';

/** Fewer pages in a folder tell nothing about which keys are usual. */
const FEWEST_SIBLINGS = 2;

/**
 * What the front matter of other pages shows about a template: their titles, and the keys that all
 * other pages of its folder have and the template lacks. Pages without front matter are left out.
 */
export function readSiblingValues(
  { path, source }: PageSource,
  siblings: PageSource[],
  slugOf: (path: string) => string,
): Pick<TemplateContent, 'titles' | 'missingKeys'> {
  const pages = siblings.flatMap((sibling) => {
    const frontMatter = readOrNull(sibling.source);
    return frontMatter ? [{ path: sibling.path, ...frontMatter }] : [];
  });
  const titles = pages.flatMap(({ path: siblingPath, values }) => {
    const title = values.find((value) => value.path.join() === 'title')?.value;
    return typeof title === 'string' ? [[slugOf(siblingPath), title] as const] : [];
  });
  const neighbours = pages.filter((page) => urlFolder(page.path) === urlFolder(path));
  const keys = neighbours.map(({ entries }) => new Set(entries.map(({ key }) => key)));
  const own = new Set(readOrNull(source)?.entries.map(({ key }) => key));
  const usual = [...(keys[0] ?? [])].filter((key) => keys.every((others) => others.has(key)));
  const missingKeys = keys.length < FEWEST_SIBLINGS ? [] : usual.filter((key) => !own.has(key));
  return { titles: Object.fromEntries(titles), missingKeys };
}

const readOrNull = (source: string) => resultOrNull(() => readFrontMatter(source));
