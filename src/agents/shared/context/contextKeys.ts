import { phraseLists, splitPhrases } from '../../../text/wordLists.ts';
import type { ContextData, ContextField } from './contextData.ts';
import type { FactKind } from '../facts/factPatterns.ts';

/**
 * Keys that name a text of a page, folded like `ContextField.key`. If a context has several keys of
 * one list, the first in the list counts.
 */
export const pageTextKeys = phraseLists({
  title: `
    title | page title | meta title | seo title | titel | seitentitel | meta titel | seo titel`,
  headline: `
    headline | h1 | main headline | main heading | heading | header | hero headline | hero title |
    hero heading | page headline | page heading | uberschrift | ueberschrift | hauptuberschrift |
    schlagzeile`,
  description: `
    meta description | description | seo description | page description | summary |
    meta beschreibung | beschreibung | seo beschreibung | zusammenfassung`,
  lead: `
    subtitle | lead | subheading | subheadline | tagline | intro | introduction | strapline |
    hero text | hero subtitle | lead paragraph | opening | einleitung | vorspann | unterzeile |
    untertitel | einleitungstext`,
  button: `
    cta | call to action | button | button text | button label | cta text | cta label | knopf |
    schaltflache | handlungsaufforderung`,
  imageAlt: `
    image alt | alt | alt text | image alt text | image description | bildbeschreibung | bildtext |
    alternativtext`,
  body: `
    body | content | text | copy | paragraphs | paragraph | body text | inhalt | fliesstext |
    absatze`,
  language: `
    lang | language | page language | html lang | locale | sprache | seitensprache`,
});

export type PageTextName = keyof typeof pageTextKeys;

const headingKeys = [...pageTextKeys.headline, ...pageTextKeys.title];
/** Keys of the parts of a list's entry. */
export const entryKeys = {
  heading: new Set([
    ...headingKeys,
    ...splitPhrases('name | question | q | h2 | h3 | label | frage | bezeichnung'),
  ]),
  /** Keys of an entry's name. Used if the entry has none of the keys of headings. */
  named: new Set(
    splitPhrases(`
      package | plan | tier | product | service | option | item | offer | paket | tarif | produkt |
      leistung | angebot | variante`),
  ),
  text: new Set([
    ...pageTextKeys.body,
    ...pageTextKeys.description,
    ...splitPhrases('intro | einleitung | answer | a | quote | antwort | zitat | absatz'),
  ]),
  items: new Set(
    splitPhrases(`
      items | list | bullets | points | features | entries | liste | punkte | merkmale | eintrage`),
  ),
  quote: new Set(splitPhrases('quote | zitat | testimonial | words | said')),
  author: new Set(
    splitPhrases(`
      author | by | person | client | customer | cite | source | attribution | autor | autorin |
      von | kunde | kundin | wer`),
  ),
};

/** Keys that name the page's topic, by kind of topic. */
export const topicKeys = phraseLists({
  place: `
    city | town | location | place | locality | region | area | district | neighbourhood |
    neighborhood | suburb | county | stadt | ort | standort | stadtteil | gemeinde | ciudad |
    cidade | ville | citta`,
  offer: `
    product | service | topic | subject | product name | service name | industry | name | produkt |
    leistung | dienstleistung | thema | branche`,
});

/**
 * Keys whose values replace the template's facts. `addressKeys` and `coordinateKeys` have those for
 * parts of addresses and for coordinates.
 */
export const factKeys = phraseLists<FactKind>({
  telephone: `
    phone | telephone | tel | phone number | telephone number | mobile | contact phone | call |
    telefon | telefonnummer | rufnummer | festnetz | handy | mobil | telefono | telefone`,
  email: `
    email | e mail | mail | email address | e mail address | contact email | e mail adresse |
    epost | e post | epostadresse | e postadresse | mailadresse | email adresse`,
  address: `
    address | street address | full address | office address | postal address | adresse |
    anschrift | direccion | endereco`,
  hours: `
    hours | opening hours | business hours | office hours | open | opening times | offnungszeiten |
    oeffnungszeiten | geoffnet | sprechzeiten | burozeiten`,
  price: `
    price | prices | cost | starting price | price from | from price | price range | amount |
    rate | fee | monthly price | preis | preise | betrag | gebuhr | preisspanne | kosten |
    preis ab | pris | priser | ab preis`,
  rating: 'rating | stars | score | rating value | bewertung | sterne',
  reviews: `
    reviews | review count | number of reviews | rating count | rating reviews | bewertungen |
    anzahl bewertungen | anzahl der bewertungen`,
  date: `
    date | start date | opening date | dates | since | founded | datum | seit | gegrundet |
    eroffnung | eroffnet`,
  coordinates: 'coordinates | geo | gps | lat lng | latlng | koordinaten',
});
const withAddressPrefix = (keys: string) =>
  splitPhrases(keys).flatMap((key) => [`address ${key}`, key]);
export const addressKeys = {
  street: [
    'address street address',
    ...withAddressPrefix('street | strasse | line 1 | line1 | address line 1'),
  ],
  line2: [
    'address2',
    'address 2',
    ...withAddressPrefix('line 2 | line2 | address line 2 | address line2'),
  ],
  locality: withAddressPrefix('locality | address locality | city | town | stadt | ort | gemeinde'),
  region: [
    'address region',
    ...withAddressPrefix('address region | region | state | province | bundesland | county'),
  ],
  postalCode: withAddressPrefix(
    'postal code | postalcode | zip | zip code | zipcode | postcode | plz | postleitzahl',
  ),
  country: withAddressPrefix('country | address country | country code | land | staat'),
};
export const coordinateKeys = phraseLists({
  latitude: `
    latitude | lat | geo latitude | geo lat | coordinates latitude | coordinates lat`,
  longitude: `
    longitude | lng | lon | long | geo longitude | geo lng | geo lon | coordinates longitude |
    coordinates lng | coordinates lon`,
});

const topicAndFactKeys = new Set<string>(
  [
    ...Object.values(topicKeys),
    ...Object.values(factKeys),
    ...Object.values(addressKeys),
    ...Object.values(coordinateKeys),
  ].flat(),
);

const allFactKeys = new Set(Object.values(factKeys).flat());
/** Whether values of a key replace facts. */
export const isFactKey = (key: string) => allFactKeys.has(key);

/** Whether a key names a topic or a fact, not a text of the page. */
export const isTopicOrFactKey = (key: string) =>
  topicAndFactKeys.has(key) || /(?:^| )slug$/.test(key);

const allTextKeys = new Set<string>(Object.values(pageTextKeys).flat());

/** Whether a key has a meaning on every template: as a text, a topic or a fact. */
export const isKnownKey = (key: string) => allTextKeys.has(key) || isTopicOrFactKey(key);

/** The field for the first of `keys` that the context has. null if it has none of them. */
export function findField({ fields }: ContextData, keys: readonly string[]): ContextField | null {
  for (const key of keys) {
    const field = fields.find((field) => field.key === key);
    if (field) return field;
  }
  return null;
}
