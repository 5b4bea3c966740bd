import { withoutUndefined } from './withoutUndefined.ts';
import type { WrittenPage } from './task.ts';

/** What a commit needs of a written page. */
export const committedContent = ({
  texts,
  groups,
  removed,
  links,
  lang,
  country,
  contacts,
}: WrittenPage) => ({
  texts,
  ...withoutUndefined({ groups, removed, links, lang, country, contacts }),
});
