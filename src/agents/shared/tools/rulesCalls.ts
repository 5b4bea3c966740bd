import { requirePage } from './toolArguments.ts';
import { replaceSiteText, setTexts } from './editTexts.ts';
import { setFact } from './setFact.ts';
import { addMembers, listPageGroups, removeMembers, swapMembers } from './groupMembers.ts';
import { listLinks, setAltText, setLink } from './linksAndImages.ts';
import { addMenuEntry, listMenus, removeMenuEntry } from './menuEntries.ts';
import { readPageSlots, searchPages } from './searchPages.ts';
import { moveSectionOnPage, removeSectionFromPage } from './pageSections.ts';
import { copyPage, deletePage, movePage, readTemplatePage } from './copyMoveDelete.ts';
import type { ToolContext } from './toolContext.ts';

interface SlugArgument {
  slug: string;
}

/** The questions of the embedded rules about a site. */
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

/** The edits of the embedded rules. Tasks' histories have these names. */
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

/** A question about the site, with its arguments. */
export type RulesQuery = {
  [Name in keyof QueryHandlers]: { name: Name; arguments: Parameters<QueryHandlers[Name]>[1] };
}[keyof QueryHandlers];
export type RulesQueryResult<Name extends keyof QueryHandlers> = Awaited<
  ReturnType<QueryHandlers[Name]>
>;

/** A change of the site, with its arguments. */
export type RulesEdit = {
  [Name in keyof EditHandlers]: { name: Name; arguments: Parameters<EditHandlers[Name]>[1] };
}[keyof EditHandlers];

/** Whether a call recorded in a history is an edit that still exists. */
export const isRulesEdit = (call: { name: string }): call is RulesEdit =>
  Object.hasOwn(editHandlers, call.name);

/**
 * Answers a question about the site.
 * @throws DomainError INVALID_INPUT, NOT_FOUND if the site lacks what the question names
 */
export const answerRulesQuery = (
  context: ToolContext,
  { name, arguments: callArguments }: RulesQuery,
): Promise<unknown> => queryHandlers[name](context, callArguments as never);

/** Makes a change. @throws DomainError if it can't be made */
export const makeRulesEdit = (
  context: ToolContext,
  { name, arguments: callArguments }: RulesEdit,
): Promise<unknown> => editHandlers[name](context, callArguments as never);
