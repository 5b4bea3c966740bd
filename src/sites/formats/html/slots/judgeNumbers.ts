import { countryOfNumber, diallingLink } from '../../../../text/dialling.ts';
import {
  isTelephoneLabel,
  judgeNumbers,
  type NumberHints,
  telephoneSpans,
} from '../../../../text/telephoneSpans.ts';
import { digitsOf } from '../../../../text/text.ts';
import { plainLine } from '../../../pages/texts/slotText.ts';
import { attributeOf, type HtmlDocument } from '../document.ts';
import type { SlotPlace } from './slotPlace.ts';

const MAY_HAVE_NUMBER = /\d[\d\s().\u00A0\u202F\u2011/–-]{3,}\d/;
/** Countries of pages that only say their language. */
const BY_LANGUAGE: Record<string, string> = {
  en: 'US GB IE AU NZ ZA IN SG',
  de: 'DE AT CH',
  fr: 'FR BE CH',
  es: 'ES MX AR CL CO',
  pt: 'PT BR',
  nl: 'NL BE',
  it: 'IT CH',
};

/**
 * Decides which numbers in a page's texts are telephone numbers, by the links, labels, countries
 * and language of the page. Sets `slot.numbers` where the text alone suggests the opposite.
 */
export function judgePlaces(page: HtmlDocument, places: readonly SlotPlace[]) {
  const numbered = places.filter(({ slot }) => MAY_HAVE_NUMBER.test(slot.text));
  if (numbered.length === 0) return;
  const shared = hintsOf(page, places, numbered);
  const before = new Map(places.map((place, i) => [place, places[i - 1]?.slot.text ?? '']));
  for (const place of numbered) {
    const hints = { ...shared, isLabelled: isTelephoneLabel(plainLine(before.get(place)!)) };
    const numbers = judgeNumbers(plainLine(place.slot.text), hints);
    if (numbers) place.slot.numbers = numbers;
  }
}

function hintsOf(
  { elements }: HtmlDocument,
  places: readonly SlotPlace[],
  numbered: readonly SlotPlace[],
): NumberHints {
  const links = elements.flatMap((element) => {
    const href = element.tagName === 'a' ? attributeOf(element, 'href') : undefined;
    return href === undefined ? [] : (diallingLink(href) ?? []);
  });
  const inLinks = links.map(({ head, number }) => (/^http/i.test(head) ? `+${number}` : number));
  const namedCountries = [...inLinks, ...numbered.flatMap(certainNumbers)].flatMap(countryOf);
  const stated = places.flatMap(({ slot: { jsonPath = '', text } }) =>
    /(?:^|\.)addressCountry(?:\.name)?$/.test(jsonPath) && /^[A-Z]{2}$/.test(text) ? [text] : [],
  );
  const countries = [...new Set([...namedCountries, ...stated])];
  return {
    dialled: inLinks.map(digitsOf),
    countries: countries.length > 0 ? countries : countriesOfLanguage(elements),
  };
}

/** The numbers of a text that need no country to be telephone numbers. */
function certainNumbers({ slot }: SlotPlace): string[] {
  const text = plainLine(slot.text);
  return telephoneSpans(text, {}, { countries: [] }).map(({ from, to }) => text.slice(from, to));
}

const countryOf = (number: string): string[] => {
  const country = /^(?:\+|00)1/.test(number) ? 'US' : countryOfNumber(number);
  return country === undefined ? [] : [country];
};

function countriesOfLanguage(elements: HtmlDocument['elements']): string[] {
  const tag = elements.find(({ tagName }) => tagName === 'html');
  const [language = '', ...subtags] = (tag ? (attributeOf(tag, 'lang') ?? '') : '').split(/[-_]/);
  const region = subtags.find((subtag) => /^[a-z]{2}$/i.test(subtag))?.toUpperCase();
  const otherCountries = (BY_LANGUAGE[language.toLowerCase()] ?? '').split(' ');
  return region ? [region] : otherCountries[0] === '' ? likelyCountry(language) : otherCountries;
}

function likelyCountry(language: string): string[] {
  try {
    const { region } = new Intl.Locale(language || 'en').maximize();
    return region ? [region] : [];
  } catch {
    return [];
  }
}
