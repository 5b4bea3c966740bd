/**
 * The places of a page that every template may have, as a `Key: value` line of a context names
 * them. People choose one for a column of their table. The agents also know other names for these
 * places (`src/agents/shared/context/contextKeys.ts`).
 */
export const contextPlaces = [
  'Headline',
  'Title',
  'Description',
  'Lead',
  'Body',
  'Button',
  'Image alt',
  'Language',
  'Rating',
  'Reviews',
  'Phone',
  'E-mail',
  'Address',
  'Price',
  'Opening hours',
  'Date',
] as const;
