import { quoted, collapse } from '../../../../text/text.ts';
import { remembered } from '../../../remembered.ts';
import type { KeptBeside } from '../../faults.ts';
import {
  ancestors,
  attributeOf,
  childText,
  descendants,
  parentOf,
  rangeOf,
  type Element,
} from '../document.ts';
import { cssAddresses } from '../../../styles/cssAddresses.ts';
import { landmarkOf } from '../roles.ts';

/** A picture of a person, and the name beside it. */
export interface Portrait {
  file: string;
  name: string;
}

/** Words in classes, addresses and headings around pictures of persons. */
const PERSONS =
  /(?:^|[^\p{L}])(?:our )?(?:team|staff|people|persons?|portraits?|avatars?|headshots?|faces?|founders?|authors?|speakers?|members?|doctors?|testimonials?|reviews?|profiles?|users?|customers?|circle|mitarbeiter(?:in(?:nen)?)?|kolleg(?:en|innen)|menschen|kunden|equipe|équipe|equipo|persone|personas)(?![\p{L}])/iu;
/** A person's name: two to four words, each in upper case but for particles. */
const NAME =
  /^(?:(?:Dr|Prof|Mr|Mrs|Ms|Mme|Sr|Sra|Herr|Frau)\.? )?\p{Lu}[\p{L}’'-]+(?: (?:de|da|del|della|di|van|von|der|den|la|le|al|bin|ter|\p{Lu}\.|\p{Lu}[\p{L}’'-]+)){1,3}$/u;
const LONGEST_NAME = 60;
/** How many elements around a picture its name may be. */
const MOST_LEVELS = 4;
const LONGEST_SOURCE = 3_000;
const NAMING = new Set(
  'h2 h3 h4 h5 h6 figcaption strong b cite dt a p span div caption'.split(' '),
);

/** The pictures of persons on a page, with their names. */
export function portraitsOf(elements: readonly Element[]): Portrait[] {
  const headings = new Map<Element, string>();
  const headingOf = (section: Element) => remembered(headings, section, () => headingIn(section));
  return elements.flatMap((image) => {
    const file = pictureOf(image);
    if (!file || landmarkOf(image)) return [];
    const name = nameBeside(image);
    const isFound = name !== undefined && isOfPerson(image, file, headingOf);
    return isFound ? [{ file: fileOf(file), name }] : [];
  });
}

/** The file of a picture: that of an image, or of the background that an element's style sets. */
function pictureOf(element: Element): string | undefined {
  if (element.tagName === 'img') return attributeOf(element, 'src');
  const style = attributeOf(element, 'style');
  if (style === undefined || !style.includes('url(')) return undefined;
  return cssAddresses(style).find(({ kind }) => kind === 'file')?.url;
}

const fileOf = (source: string) => source.split(/[?#]/, 1)[0]!.split('/').slice(-2).join('/');

/** The first name around a picture, where it is the only picture. */
function nameBeside(image: Element): string | undefined {
  let around = parentOf(image);
  for (let level = 0; around && level < MOST_LEVELS; level++) {
    const { start, end } = rangeOf(around);
    if (start < 0 || end - start > LONGEST_SOURCE) return undefined;
    let named: string | undefined;
    for (const element of descendants(around)) {
      if (element !== image && pictureOf(element) !== undefined) return undefined;
      const text = NAMING.has(element.tagName) ? collapse(childText(element)).trim() : '';
      if (isName(text)) named ??= text;
    }
    if (named !== undefined) return named;
    around = parentOf(around);
  }
  return undefined;
}

const isName = (text: string) => text.length <= LONGEST_NAME && NAME.test(text);

/** Whether the picture, or an element around it, says that it is one of a person. */
function isOfPerson(
  image: Element,
  file: string,
  headingOf: (section: Element) => string,
): boolean {
  const said = [file, ...['class', 'id', 'alt'].map((name) => attributeOf(image, name) ?? '')];
  for (const around of ancestors(image)) {
    if (around.tagName === 'body') break;
    said.push(attributeOf(around, 'class') ?? '', attributeOf(around, 'id') ?? '');
    if (around.tagName === 'section' || around.tagName === 'article') said.push(headingOf(around));
  }
  return said.some((words) => PERSONS.test(words.replaceAll('_', '-')));
}

function headingIn(section: Element): string {
  for (const element of descendants(section))
    if (/^h[1-6]$/.test(element.tagName)) return childText(element);
  return '';
}

/** Portraits that now stand beside the names of other persons. */
export function stalePortraits(before: Portrait[], after: Portrait[]): KeptBeside[] {
  const known = Map.groupBy(before, ({ file }) => file);
  return after.flatMap(({ file, name }): KeptBeside[] => {
    const names = (known.get(file) ?? []).map((one) => one.name);
    const isSame = names.some((one) => sharesWord(one, name));
    if (names.length === 0 || isSame) return [];
    const says = `the picture of ${quoted(names[0]!)} is now beside the name ${quoted(name)}: it may need another picture`;
    return [{ says, values: [name] }];
  });
}

/** Whether two names may be those of one person: a name may be spelled anew, or change in part. */
const sharesWord = (one: string, other: string) => {
  const words = new Set(one.toLowerCase().split(' '));
  return other
    .toLowerCase()
    .split(' ')
    .some((word) => word.length > 2 && words.has(word));
};
