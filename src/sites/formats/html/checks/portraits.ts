import { quoteText, collapseSpaces } from '../../../../text/text.ts';
import { getOrCreate } from '../../../remembered.ts';
import type { StaleDetail } from '../../pageFindings.ts';
import {
  ancestors,
  attributeOf,
  childText,
  descendants,
  parentOf,
  rangeOf,
  type PageElement,
} from '../document.ts';
import { findCssUrls } from '../../../styles/cssAddresses.ts';
import { landmarkOf } from '../roles.ts';

/** A picture of a person, and the name beside it. */
export interface PersonPortrait {
  file: string;
  name: string;
}

/** Words in classes, URLs and headings around pictures of persons. */
const PERSONS =
  /(?:^|[^\p{L}])(?:our )?(?:team|staff|people|persons?|portraits?|avatars?|headshots?|faces?|founders?|authors?|speakers?|members?|doctors?|testimonials?|reviews?|profiles?|users?|customers?|circle|mitarbeiter(?:in(?:nen)?)?|kolleg(?:en|innen)|menschen|kunden|equipe|équipe|equipo|persone|personas)(?![\p{L}])/iu;
/** A person's name: two to four words, each in upper case but for particles. */
const NAME =
  /^(?:(?:Dr|Prof|Mr|Mrs|Ms|Mme|Sr|Sra|Herr|Frau)\.? )?\p{Lu}[\p{L}’'-]+(?: (?:de|da|del|della|di|van|von|der|den|la|le|al|bin|ter|\p{Lu}\.|\p{Lu}[\p{L}’'-]+)){1,3}$/u;
const MAX_NAME_LENGTH = 60;
/** How many elements around a picture its name may be. */
const MAX_LEVELS = 4;
const MAX_SOURCE_LENGTH = 3_000;
const NAME_TAGS = new Set(
  'h2 h3 h4 h5 h6 figcaption strong b cite dt a p span div caption'.split(' '),
);

/** The pictures of persons on a page, with their names. */
export function findPortraits(elements: readonly PageElement[]): PersonPortrait[] {
  const headings = new Map<PageElement, string>();
  const readHeading = (section: PageElement) =>
    getOrCreate(headings, section, () => sectionHeading(section));
  return elements.flatMap((image) => {
    const file = pictureUrl(image);
    if (!file || landmarkOf(image)) return [];
    const name = nameBeside(image);
    const isFound = name !== undefined && isOfPerson(image, file, readHeading);
    return isFound ? [{ file: shortFileName(file), name }] : [];
  });
}

/** The file of a picture: that of an image, or of the background that an element's style sets. */
function pictureUrl(element: PageElement): string | undefined {
  if (element.tagName === 'img') return attributeOf(element, 'src');
  const style = attributeOf(element, 'style');
  if (style === undefined || !style.includes('url(')) return undefined;
  return findCssUrls(style).find(({ kind }) => kind === 'file')?.url;
}

const shortFileName = (source: string) =>
  source.split(/[?#]/, 1)[0]!.split('/').slice(-2).join('/');

/** The first name around a picture, where it is the only picture. */
function nameBeside(image: PageElement): string | undefined {
  let ancestor = parentOf(image);
  for (let level = 0; ancestor && level < MAX_LEVELS; level++) {
    const { start, end } = rangeOf(ancestor);
    if (start < 0 || end - start > MAX_SOURCE_LENGTH) return undefined;
    let nearbyName: string | undefined;
    for (const element of descendants(ancestor)) {
      if (element !== image && pictureUrl(element) !== undefined) return undefined;
      const text = NAME_TAGS.has(element.tagName) ? collapseSpaces(childText(element)).trim() : '';
      if (isPersonName(text)) nearbyName ??= text;
    }
    if (nearbyName !== undefined) return nearbyName;
    ancestor = parentOf(ancestor);
  }
  return undefined;
}

const isPersonName = (text: string) => text.length <= MAX_NAME_LENGTH && NAME.test(text);

/** Whether the picture, or an element around it, says that it is one of a person. */
function isOfPerson(
  image: PageElement,
  file: string,
  readHeading: (section: PageElement) => string,
): boolean {
  const descriptions = [
    file,
    ...['class', 'id', 'alt'].map((name) => attributeOf(image, name) ?? ''),
  ];
  for (const ancestor of ancestors(image)) {
    if (ancestor.tagName === 'body') break;
    descriptions.push(attributeOf(ancestor, 'class') ?? '', attributeOf(ancestor, 'id') ?? '');
    if (ancestor.tagName === 'section' || ancestor.tagName === 'article')
      descriptions.push(readHeading(ancestor));
  }
  return descriptions.some((words) => PERSONS.test(words.replaceAll('_', '-')));
}

function sectionHeading(section: PageElement): string {
  for (const element of descendants(section))
    if (/^h[1-6]$/.test(element.tagName)) return childText(element);
  return '';
}

/** Portraits that now stand beside the names of other persons. */
export function findStalePortraits(
  formerPortraits: PersonPortrait[],
  newPortraits: PersonPortrait[],
): StaleDetail[] {
  const oldPortraits = Map.groupBy(formerPortraits, ({ file }) => file);
  return newPortraits.flatMap(({ file, name }): StaleDetail[] => {
    const names = (oldPortraits.get(file) ?? []).map((former) => former.name);
    const isSamePerson = names.some((former) => sharesWord(former, name));
    return names.length === 0 || isSamePerson ? [] : [stalePortrait(names[0]!, name)];
  });
}

export const stalePortrait = (formerName: string, name: string): StaleDetail => ({
  noteText: `the picture of ${quoteText(formerName)} is now next to the name ${quoteText(name)}: check whether it needs another picture`,
  values: [name],
});

/** Whether two names may be those of one person: a name may be spelled anew, or change in part. */
const sharesWord = (name: string, otherName: string) => {
  const words = new Set(name.toLowerCase().split(' '));
  return otherName
    .toLowerCase()
    .split(' ')
    .some((word) => word.length > 2 && words.has(word));
};
