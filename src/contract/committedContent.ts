import { withoutUndefined } from './withoutUndefined.ts';
import type { WrittenPage } from './task.ts';

export type CommittedContent = ReturnType<typeof committedContent>;

/** The fields of a written page that a commit needs: no notes and no usage. */
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
