/** @param similarSlugs slugs of the site that may be meant */
export const pageNotFound = (slug: string, similarSlugs: string[] = []) =>
  `Page not found: ${slug}${similarSlugs.length > 0 ? `; there is ${similarSlugs.join(', ')}` : ''}`;
