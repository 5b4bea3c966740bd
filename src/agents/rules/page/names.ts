import type { ContextData, Field } from '../context/data.ts';
import type { FactKind } from './factPatterns.ts';

/**
 * Which keys of a context name which text of a page, folded as `Field.key` is. The first key of a list that is there
 * counts.
 */
export const names = {
  title: ['title', 'page title', 'meta title', 'seo title'],
  headline: [
    'headline',
    'h1',
    'main headline',
    'main heading',
    'heading',
    'header',
    'hero headline',
    'hero title',
    'hero heading',
    'page headline',
    'page heading',
  ],
  description: ['meta description', 'description', 'seo description', 'page description', 'summary'],
  lead: [
    'subtitle',
    'lead',
    'subheading',
    'subheadline',
    'tagline',
    'intro',
    'introduction',
    'strapline',
    'hero text',
    'hero subtitle',
    'lead paragraph',
    'opening',
  ],
  button: ['cta', 'call to action', 'button', 'button text', 'button label', 'cta text', 'cta label'],
  imageAlt: ['image alt', 'alt', 'alt text', 'image alt text', 'image description'],
  body: ['body', 'content', 'text', 'copy', 'paragraphs', 'paragraph', 'body text'],
} as const;

export type Name = keyof typeof names;

/** Keys that name what a page is about, by kind. */
export const subjectKeys = {
  place: [
    'city',
    'town',
    'location',
    'place',
    'locality',
    'region',
    'area',
    'district',
    'neighbourhood',
    'neighborhood',
    'suburb',
    'county',
    'stadt',
    'ciudad',
    'cidade',
    'ville',
    'citta',
  ],
  offer: ['product', 'service', 'topic', 'subject', 'product name', 'service name', 'industry', 'name'],
} as const;

/**
 * Keys that give a fact of the template its counterpart; parts of addresses and coordinates are in `addressKeys`,
 * `coordinateKeys`.
 */
export const factKeys: Record<FactKind, string[]> = {
  telephone: [
    'phone',
    'telephone',
    'tel',
    'phone number',
    'telephone number',
    'mobile',
    'contact phone',
    'call',
    'telefon',
    'telefono',
    'telefone',
  ],
  email: ['email', 'e mail', 'mail', 'email address', 'e mail address', 'contact email'],
  address: ['address', 'street address', 'full address', 'office address', 'adresse', 'direccion', 'endereco'],
  hours: ['hours', 'opening hours', 'business hours', 'office hours', 'open', 'opening times'],
  price: ['price', 'prices', 'cost', 'starting price', 'price from', 'from price', 'price range'],
  rating: ['rating', 'stars', 'score', 'rating value'],
  reviews: ['reviews', 'review count', 'number of reviews', 'rating count', 'rating reviews'],
  date: ['date', 'start date', 'opening date', 'dates', 'since', 'founded'],
  coordinates: ['coordinates', 'geo', 'gps', 'lat lng', 'latlng'],
};
export const addressKeys = {
  street: ['address street', 'address street address', 'street'],
  locality: ['address locality', 'address city', 'address address locality', 'address town', 'city', 'town'],
  region: ['address region', 'address state', 'address address region', 'state', 'province'],
  postalCode: ['address postal code', 'address zip', 'address postcode', 'postal code', 'postcode', 'zip', 'zip code'],
  country: ['address country', 'address address country', 'country'],
} as const;
export const coordinateKeys = {
  latitude: ['latitude', 'lat', 'geo latitude', 'geo lat', 'coordinates latitude', 'coordinates lat'],
  longitude: [
    'longitude',
    'lng',
    'lon',
    'long',
    'geo longitude',
    'geo lng',
    'geo lon',
    'coordinates longitude',
    'coordinates lng',
    'coordinates lon',
  ],
} as const;

const elsewhere = new Set<string>(
  [
    ...Object.values(subjectKeys),
    ...Object.values(factKeys),
    ...Object.values(addressKeys),
    ...Object.values(coordinateKeys),
  ].flat(),
);

/** Whether a key names no text of its own: a subject or a fact. */
export const isSubjectOrFact = (key: string) => elsewhere.has(key) || /(?:^| )slug$/.test(key);

/** The context's field for a name, null where there is none. */
export function fieldNamed({ fields }: ContextData, keys: readonly string[]): Field | null {
  for (const key of keys) {
    const field = fields.find((field) => field.key === key);
    if (field) return field;
  }
  return null;
}
