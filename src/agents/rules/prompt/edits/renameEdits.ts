import type { LinkListing } from '../../../tools/linking.ts';
import type { MenuListing } from '../../../tools/menu.ts';
import type { Step, StepOf } from '../planSteps.ts';
import { refuse } from './refuse.ts';
import { saying } from './slotTexts.ts';
import { relabel } from './linkEdits.ts';
import { ask, askAll, call, readSlots, type Work } from './askSite.ts';

/** Renames an entry of the navigation, on every page that has the entry. */
export function* renameEntry(step: Extract<Step, { kind: 'menu'; change: 'rename' }>): Work {
  const menus = yield* ask(call('list_menu', {}));
  const slugs = menus
    .filter(({ entries }) => saying(entries, step.now, ({ text }) => text).length > 0)
    .map(({ slug }) => slug);
  if (slugs.length === 0) throw refuse(`no navigation has an entry "${step.now}"`);
  const listings = yield* askAll(slugs.map((slug) => call('list_links', { slug, text: step.now })));
  const pages = yield* askAll(slugs.map(readSlots));
  const { text } = step;
  const change = { kind: 'link', element: 'link', now: step.now, text, slugs } as const;
  return pages.flatMap((page, i) => {
    const own = linksOf(
      menus.find(({ slug }) => slug === page.slug)!,
      step.now,
    );
    const links = (listings[i]![0]?.links ?? []).filter(({ id }) => own.has(id));
    return relabel(page, links, change, text);
  });
}

const linksOf = ({ entries }: MenuListing[number], text: string) =>
  new Set(saying(entries, text, (entry) => entry.text).map(({ link }) => link));

/**
 * Renames the company in all texts. Its current name defaults to the text of the site's link to the
 * home page.
 */
export function* renameCompany({ from, to }: StepOf<'company'>): Work {
  const name = from ?? nameIn(yield* ask(call('list_links', { slug: '/' })));
  return [call('replace_text', { from: name, to, addresses: true })];
}

function nameIn([page]: LinkListing): string {
  const brand = page?.links.find(
    ({ slug, text }) => slug === '/' && text !== '' && !/^(?:home|start|skip\b.*)$/i.test(text),
  );
  if (!brand) throw refuse('it is not sure what the company is called now: say `from "…" to "…"`');
  return brand.text;
}
