import { requirePage } from './toolArguments.ts';
import { replaceSiteText, setTexts } from './editTexts.ts';
import { setFact } from './setFact.ts';
import { addMembers, listPageGroups, removeMembers, swapMembers } from './groupMembers.ts';
import { listLinks, setAltText, setLink } from './linksAndImages.ts';
import { addMenuEntry, listMenus, removeMenuEntry } from './menuEntries.ts';
import { readPageSlots, searchPages } from './searchPages.ts';
import { moveSectionOnPage, removeSectionFromPage } from './pageSections.ts';
import { copyPage, deletePage, movePage, readTemplatePage } from './wholePages.ts';
import type { ToolContext } from './toolContext.ts';

interface SlugArgument {
  slug: string;
}

/**
 * The queries by which the rules (the agent that works without a language model) read a site, by
 * name: `{ name: 'read_slots', arguments: { slug: '/about' } }`.
 */
export const queryHandlers = {
  list_groups: listPageGroups,
  list_images: ({ site }: ToolContext, { slug }: SlugArgument) =>
    site.query(requirePage(site, slug), 'images'),
  list_links: listLinks,
  list_menu: (context: ToolContext, _: object) => listMenus(context),
  list_sections: ({ site }: ToolContext, { slug }: SlugArgument) =>
    site.query(requirePage(site, slug), 'sections'),
  read_slots: readPageSlots,
  read_template: readTemplatePage,
  search: searchPages,
};

/** The edits of the rules, by name. A task's history has these names, so they must stay. */
export const editHandlers = {
  add_items: addMembers,
  add_menu_entry: addMenuEntry,
  create_page: copyPage,
  delete_page: deletePage,
  move_items: swapMembers,
  move_page: movePage,
  move_section: moveSectionOnPage,
  remove_items: removeMembers,
  remove_menu_entry: removeMenuEntry,
  remove_section: removeSectionFromPage,
  replace_text: replaceSiteText,
  set_alt: setAltText,
  set_fact: setFact,
  set_link: setLink,
  set_texts: setTexts,
};

type QueryHandlers = typeof queryHandlers;
type EditHandlers = typeof editHandlers;

/** A query of the site: a name of `queryHandlers`, with the arguments. */
export type RulesQuery = {
  [Name in keyof QueryHandlers]: { name: Name; arguments: Parameters<QueryHandlers[Name]>[1] };
}[keyof QueryHandlers];
export type RulesQueryResult<Name extends keyof QueryHandlers> = Awaited<
  ReturnType<QueryHandlers[Name]>
>;

/** An edit of the site: a name of `editHandlers`, with the arguments. */
export type RulesEdit = {
  [Name in keyof EditHandlers]: { name: Name; arguments: Parameters<EditHandlers[Name]>[1] };
}[keyof EditHandlers];

/** Whether a tool call that a task's history recorded is an edit that still exists. */
export const isRulesEdit = (call: { name: string }): call is RulesEdit =>
  Object.hasOwn(editHandlers, call.name);

/**
 * Answers a query of the site.
 * @throws DomainError NOT_FOUND if the site lacks the page; PAGE_UNREADABLE, LIMIT_EXCEEDED if a
 *   page can't be read
 */
export const answerRulesQuery = (
  context: ToolContext,
  { name, arguments: callArguments }: RulesQuery,
): Promise<unknown> => queryHandlers[name](context, callArguments as never);

/** Makes an edit. Throws the DomainError of the function in `editHandlers`. */
export const makeRulesEdit = (
  context: ToolContext,
  { name, arguments: callArguments }: RulesEdit,
): Promise<unknown> => editHandlers[name](context, callArguments as never);
