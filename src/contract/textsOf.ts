import { defined } from './defined.ts';
import type { WrittenPage } from './task.ts';

/** What a commit needs of a written page. */
export const textsOf = ({
  texts,
  groups,
  removed,
  links,
  lang,
  country,
  contacts,
}: WrittenPage) => ({ texts, ...defined({ groups, removed, links, lang, country, contacts }) });
