import { lostPartNames } from '../../lostPartNames.ts';
import { attributeName, attributeOf, childText, type PageElement, tokensOf } from '../document.ts';
import { isBlank } from '../../escape.ts';
import { readJsonLd } from '../slots/plainSlotPlaces.ts';
import { dataKind } from '../values/dataValues.ts';
import { readUrl } from '../../../pages/urls/urlHosts.ts';
import { createCounter, type SetupPart, type UsedParts } from './setupPart.ts';

const linkMarks = ['nofollow', 'sponsored', 'ugc'];

/**
 * What links say to search engines: `rel="nofollow"`. A mark counts if all links to the same URL
 * have it.
 */
export function readLinkMarks(elements: PageElement[]): UsedParts {
  const links = elements.filter(({ tagName }) => tagName === 'a' || tagName === 'area');
  const linksByUrl = Map.groupBy(links, (link) =>
    readUrl(attributeOf(link, 'href') ?? '').replace(/[?#].*/s, ''),
  );
  linksByUrl.delete('');
  const marksOf = (link: PageElement) => tokensOf(link, 'rel').map((token) => token.toLowerCase());
  const parts = [...linksByUrl].flatMap(([url, sameLinks]) =>
    linkMarks
      .filter((mark) => sameLinks.every((link) => marksOf(link).includes(mark)))
      .map((mark): SetupPart => [
        `mark ${mark} ${url}`,
        lostPartNames.linkMark(mark, url),
        `link ${url}`,
      ]),
  );
  return { parts, uses: [...linksByUrl.keys()].map((url) => `link ${url}`) };
}

/** Attributes whose tokens are ids, with what uses them in words. */
const idAttributes = new Map([
  ['for', 'a label'],
  ['list', 'a field'],
  ['form', 'a field'],
  ['headers', 'a table'],
  ['popovertarget', 'a button'],
  ['itemref', 'data of search engines'],
]);
const ariaAttribute =
  /^aria-(?:labelledby|describedby|controls|owns|details|flowto|errormessage|activedescendant)$/;

/**
 * The ids that labels, descriptions, buttons and scripts of the page name, and that it does not
 * have, with what needs them.
 */
export function findMissingIds(elements: readonly PageElement[]): Map<string, string> {
  const ids = new Set(elements.map((element) => attributeOf(element, 'id')));
  const missingIds = elements.flatMap(usedIds).filter(([id]) => !ids.has(id));
  return new Map(missingIds.toReversed());
}

/** The missing ids of a new version that the old one did not miss, for a sentence. */
export const describeLostIds = (
  oldMissing: ReadonlyMap<string, string>,
  newMissing: ReadonlyMap<string, string>,
): string[] =>
  [...newMissing]
    .filter(([id]) => !oldMissing.has(id))
    .map(([id, user]) => lostPartNames.neededId(id, user));

/** Matches the attributes that say what a script does with an element: `data-bs-toggle`. */
const hookAttribute =
  /^data-(?:.*-)?(?:toggle|target|dismiss|trigger|controller|action|component)$/;

/**
 * The attributes that say what a script does with elements, on a page with scripts. Such an
 * attribute is missed if its element is still there, with the same text and other attributes.
 */
export function readScriptHooks(elements: PageElement[]): UsedParts {
  const numberKey = createCounter();
  const countElement = createCounter();
  if (!elements.some(isCode)) return { parts: [], uses: [] };
  const describe = (element: PageElement) => {
    const others = element.attrs.filter(({ name }) => !name.startsWith('data-'));
    const words = others.map(({ name, value }) => `${name}=${value}`).toSorted();
    return `element ${element.tagName} ${words.join(' ')} ${childText(element).trim()}`;
  };
  const described = elements
    .filter(({ tagName }) => tagName !== 'form' && tagName !== 'script')
    .map((element) => ({ element, description: describe(element) }));
  const counts = Map.groupBy(described, ({ description }) => description);
  const parts = described.flatMap(({ element, description }) =>
    element.attrs
      .filter(({ name }) => hookAttribute.test(name))
      .map(({ name }): SetupPart => {
        const words = lostPartNames.attribute(name, element.tagName);
        const use = `${description} ${counts.get(description)!.length}`;
        return [numberKey(`${name} ${description}`), words, use];
      }),
  );
  return { parts, uses: described.map(({ description }) => countElement(description)) };
}

/** Matches the attributes of data that name an id for a script: `data-bs-target="#menu"`. */
const targetAttribute = /^data-(?:.*-)?(?:target|parent|controls|href|spy)$/;
/** Matches `getElementById('map')`, and `'#map'` as a selector. */
const idInCode = /(?:getElementById\(\s*['"`]|['"`][^'"`\n]*#)([A-Za-z][\w-]*)/g;

function usedIds(element: PageElement): [id: string, user: string][] {
  if (isCode(element))
    return [...childText(element).matchAll(idInCode)].map(([, id]): [string, string] => [
      id!,
      'a script',
    ]);
  return element.attrs.flatMap((attribute): [string, string][] => {
    const name = attributeName(attribute);
    const user = ariaAttribute.test(name) ? 'another element' : idAttributes.get(name);
    if (user !== undefined)
      return tokensOf(element, name).map((id): [string, string] => [id, user]);
    const target =
      targetAttribute.test(name) && /^#([^\s#.>+~:[\]]+)$/.exec(attribute.value.trim());
    return target ? [[target[1]!, 'another element']] : [];
  });
}

const isCode = (element: PageElement) =>
  element.tagName === 'script' && !readJsonLd(element) && dataKind(element) === undefined;

/** What scripts call on a form. A field with such a name or id takes its place. */
const formMembers =
  'submit reset requestSubmit checkValidity reportValidity elements addEventListener'.split(' ');
/** What scripts read of the document. A form, frame or object with such a name takes its place. */
const documentMembers =
  'body head cookie forms images links scripts location documentElement currentScript getElementById querySelector querySelectorAll createElement addEventListener'.split(
    ' ',
  );
/** Variables of common scripts. An element with such an id takes their place until they are set. */
const commonGlobals = 'dataLayer gtag fbq jQuery grecaptcha Stripe'.split(' ');

/**
 * Names that are free for scripts. An id or name of an element can take the place of a function or
 * variable with the same name: with `<button id="submit">`, the script's `form.submit()` fails.
 */
export function readScriptNames(elements: PageElement[]): UsedParts {
  const scripts = elements.filter(isCode);
  if (scripts.length === 0) return { parts: [], uses: [] };
  const namesOf = (tags: string[], ...attributes: string[]) =>
    new Set(
      elements
        .filter(({ tagName }) => tags.includes(tagName))
        .flatMap((element) => attributes.map((name) => attributeOf(element, name)))
        .filter((name) => name !== undefined && !isBlank(name)),
    );
  const inForms = namesOf('input select textarea button output fieldset'.split(' '), 'id', 'name');
  const inDocument = namesOf('form iframe embed object img'.split(' '), 'name');
  const ids = new Set(elements.map((element) => attributeOf(element, 'id')));
  const readGlobals = scripts.flatMap((script) =>
    [...childText(script).matchAll(/\b(?:window\.|typeof\s+)([A-Za-z_$][\w$]*)/g)].map(
      ([, name]) => name!,
    ),
  );
  const globals = [...new Set([...commonGlobals, ...readGlobals])];
  const part = (owner: string, name: string): SetupPart => [
    `free ${owner} ${name}`,
    lostPartNames.scriptName(name),
    'scripts',
  ];
  return {
    parts: [
      ...formMembers.filter((name) => !inForms.has(name)).map((name) => part('form', name)),
      ...documentMembers.filter((name) => !inDocument.has(name)).map((name) => part('page', name)),
      ...globals.filter((name) => !ids.has(name)).map((name) => part('global', name)),
    ],
    uses: ['scripts'],
  };
}
